import { IgnoreRules } from '../../src/capture/ignore/rules.ts';
import type { ByteString, RelativePath } from '../../src/model/index.ts';
import type { Oracle } from '../support/oracle.ts';
import type { World } from './world.ts';

/** What a checkpoint has to know, found out by real git and real files at the moment it is made. */
export interface Moment {
  readonly disk: Oracle;
  /** What a checkpoint of this moment holds. */
  readonly captured: Oracle;
  /** Directories with a `.git` directory in them, which nothing may destroy. */
  readonly repositories: ReadonlySet<string>;
  /** Whether the checkpoint could not have held this path even if it was there. */
  leftOut(path: string, isDirectory: boolean): boolean;
}

const isEnvironmentFile = (path: string): boolean => /(^|\/)\.env(\.[^/]*)?$/.test(path);

const ancestors = (path: string): string[] => {
  const parts = path.split('/');
  return parts.slice(1).map((_, depth) => parts.slice(0, depth + 1).join('/'));
};

export const momentOf = (world: World): Moment => {
  const disk = world.look();
  const tracked = world.tracked();
  const judge = judgeOf(world);
  const insideIgnored = (path: string): boolean => ancestors(path).some((directory) => judge(directory, true));
  const leftOut = (path: string, isDirectory: boolean): boolean => {
    if (/(^|\/)\.git$/.test(path) || insideIgnored(path)) return true;
    return judge(path, isDirectory) && (isDirectory || !isEnvironmentFile(path));
  };
  const files = [...disk].filter(([path, what]) => !what.startsWith('directory') && (!leftOut(path, false) || tracked.has(path)));
  const held = new Set(files.flatMap(([path]) => ancestors(path)));
  const directories = [...disk].filter(([path, what]) => what.startsWith('directory') && (!leftOut(path, true) || held.has(path)));
  return {
    disk,
    captured: new Map([...directories, ...files]),
    repositories: new Set(directories.map(([path]) => path).filter((path) => world.isRepositoryTop(path))),
    leftOut,
  };
};

/** Whether a rule of this moment ignores a path. The matching of patterns is proven against git elsewhere. */
const judgeOf = (world: World): ((path: string, isDirectory: boolean) => boolean) => {
  const texts = new Map<string, string | null>();
  const tops = new Map<string, boolean>();
  for (const directory of ['', ...[...world.look()].filter(([, what]) => what.startsWith('directory')).map(([path]) => path)]) {
    texts.set(directory, world.rulesIn(directory));
    tops.set(directory, directory !== '' && world.isRepositoryTop(directory));
  }
  return (path, isDirectory) => {
    const above = ['', ...ancestors(path)];
    const top = above.filter((directory) => tops.get(directory)).at(-1) ?? '';
    const relative = (one: string) => (top === '' ? one : one.slice(top.length + 1)) as RelativePath;
    const files = above
      .filter((directory) => directory.length >= top.length)
      .flatMap((directory) =>
        texts.get(directory) == null ? [] : [{ base: relative(directory), text: texts.get(directory) as ByteString }],
      );
    return IgnoreRules.of(files, { ignoreCase: false }).ignores(relative(path), isDirectory);
  };
};

/** The workspace after going back from `present` to `target`, or 'refused' when that would destroy something unrecorded. */
export const expectRewind = (target: Moment, present: Moment): Oracle | 'refused' => {
  const result: Oracle = new Map();
  const isDirectory = (what: string | undefined): boolean => what?.startsWith('directory') ?? false;
  for (const [path, what] of present.disk) {
    const goes = present.captured.has(path) && !target.captured.has(path) && !target.leftOut(path, isDirectory(what));
    if (!goes) result.set(path, what);
  }
  // A directory stays as long as something stays in it.
  const staying = new Set([...result.keys()].flatMap(ancestors));
  for (const top of present.repositories) for (const directory of [top, ...ancestors(top)]) staying.add(directory);
  for (const directory of staying)
    if (!result.has(directory) && present.disk.has(directory)) result.set(directory, present.disk.get(directory) as string);
  for (const [path, what] of target.captured) {
    const there = result.get(path);
    const holdsOthers = [...result.keys(), ...[...present.repositories].map((top) => `${top}/.git`)].some((other) =>
      other.startsWith(`${path}/`),
    );
    const wasCaptured = present.captured.has(path);
    if (!isDirectory(what) && isDirectory(there) && (holdsOthers || !wasCaptured)) return 'refused';
    if (!isDirectory(what) && present.disk.has(path) && isDirectory(present.disk.get(path)) && holdsOthers) return 'refused';
    result.set(path, what);
  }
  return result;
};
