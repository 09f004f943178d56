import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { Arena } from './arena.ts';
import { changeRich, makeRich, makeSmallRepository } from './rich-workspace.ts';
import { canTrace } from './strace.ts';

interface Step {
  readonly kind: string;
  readonly path: string;
}

const parse = (effects: readonly string[]): Step[] =>
  effects.map((line) => ({ kind: line.slice(0, line.indexOf(' ')), path: line.slice(line.indexOf(' ') + 1) }));

const isTemporary = (path: string): boolean => /tmp_obj_retake_|\/\.retake-/.test(path);

/**
 * A file of ours is published by renaming a temporary one. Since an effect names only where a rename leads, the files
 * written since the last rename are those it may publish: each must have been synced after its last write.
 */
const publishedUnsynced = (steps: readonly Step[]): string[] => {
  const dirty = new Set<string>();
  const written = new Set<string>();
  const found: string[] = [];
  for (const { kind, path } of steps) {
    if (kind === 'create' || kind === 'write') {
      dirty.add(path);
      written.add(path);
    }
    if (kind === 'sync') dirty.delete(path);
    if (kind === 'rename') {
      for (const file of dirty) if (isTemporary(file)) found.push(`${path} from ${file}`);
      dirty.clear();
    }
  }
  expect(written.size).toBeGreaterThan(0);
  return found;
};

const countSynced = (steps: readonly Step[], published: RegExp): number => {
  let count = 0;
  steps.forEach(({ kind, path }, index) => {
    if (kind === 'rename' && published.test(path) && steps[index - 1]?.kind === 'sync') count++;
  });
  return count;
};

test('[REL-2] with durability power every file of ours is on disk before its name is', async () => {
  const arena = await Arena.open({ RETAKE_DURABILITY: 'power' });
  makeRich(arena.workspace);
  await arena.trace(['checkpoint', '--name', 'target']);
  changeRich(arena.workspace);
  const second = parse((await arena.trace(['checkpoint', '--name', 'changed'])).effects);
  expect(publishedUnsynced(second)).toEqual([]);
  expect(countSynced(second, /\/objects\/[0-9a-f]{2}\//)).toBeGreaterThan(10);
  expect(countSynced(second, /\/refs\/heads\/last$/)).toBe(1);
  expect(countSynced(second, /\/refs\/retake\/ops\//)).toBe(1);

  const rewind = parse((await arena.trace(['rewind', 'target', '--yes'])).effects);
  expect(publishedUnsynced(rewind)).toEqual([]);
  const journal = rewind.findIndex(({ kind, path }) => kind === 'rename' && path.endsWith('/journal.json'));
  const inWorkspace = rewind.flatMap(({ path }, index) => (path.startsWith('/proc/self/fd/') ? [index] : []));
  const safety = rewind.findIndex(({ kind, path }) => kind === 'rename' && path.endsWith('/refs/heads/last'));
  expect(rewind[journal - 1]?.kind, 'the journal is synced').toBe('sync');
  expect(safety, 'the safety checkpoint is there before the journal').toBeLessThan(journal);
  expect(journal, 'the journal is there before the first change').toBeLessThan(Math.min(...inWorkspace));
  expect(countSynced(rewind, /^\/proc\/self\/fd\//), 'restored files').toBeGreaterThanOrEqual(8);
  const recorded = rewind.findLastIndex(({ kind, path }) => kind === 'rename' && path.endsWith('/refs/heads/last'));
  const closed = rewind.findIndex(({ kind, path }) => kind === 'unlink' && path.endsWith('/journal.json'));
  expect(Math.max(...inWorkspace), 'recorded when all is done').toBeLessThan(recorded);
  expect(recorded, 'the journal goes last').toBeLessThan(closed);

  for (let number = 0; number < 80; number++) writeFileSync(join(arena.workspace, `many-${number}`), `content ${number}\n`);
  const packed = parse((await arena.trace(['checkpoint', '--name', 'packed'])).effects);
  const pack = packed.findIndex(({ kind, path }) => kind === 'rename' && path.endsWith('.pack'));
  const index = packed.findIndex(({ kind, path }) => kind === 'rename' && path.endsWith('.idx'));
  expect(
    packed.slice(0, pack).filter(({ kind }) => kind === 'sync'),
    'pack and index are synced before either is named',
  ).toHaveLength(2);
  const between = packed.slice(pack + 1, index).map(({ kind }) => kind);
  expect(between, 'the index makes the pack visible: it comes last, when the pack is on disk under its name').toEqual(['sync']);
  expect(publishedUnsynced(packed)).toEqual([]);
});

test('[REL-2] with durability power the store itself is on disk before the first checkpoint is reported', async () => {
  const arena = await Arena.open({ RETAKE_DURABILITY: 'power' });
  makeRich(arena.workspace);
  const first = parse((await arena.trace(['checkpoint', '--name', 'target'])).effects);
  expect(publishedUnsynced(first)).toEqual([]);
});

/** Directories are synced past the observer; the kernel sees them. Each line is a call, with the paths of descriptors. */
const systemCalls = async (arena: Arena, args: readonly string[]): Promise<string[]> => {
  const file = join(arena.workspace, '../calls');
  arena.through = ['strace', '-f', '-y', '-qq', '-s', '4096', '-e', 'trace=fsync,fdatasync,rename,renameat,renameat2', '-o', file];
  const { code, stderr } = await arena.run(0, args);
  arena.through = [];
  expect(code, stderr).toBe(0);
  return readFileSync(file, 'latin1').split('\n');
};

const syncedDirectories = (calls: readonly string[]): Set<string> =>
  new Set(calls.flatMap((call) => /f(?:data)?sync\(\d+<(.*)>\)/.exec(call)?.[1] ?? []));

test.skipIf(!canTrace())(
  '[REL-2] [RST-4] with durability power the directories of restored files are synced before the rollback is recorded',
  async () => {
    const arena = await Arena.open({ RETAKE_DURABILITY: 'power' });
    makeRich(arena.workspace);
    await arena.trace(['checkpoint', '--name', 'target']);
    changeRich(arena.workspace);
    await arena.trace(['checkpoint', '--name', 'changed']);
    const calls = await systemCalls(arena, ['rewind', 'target', '--yes']);
    const recorded = calls.findLastIndex((call) => /rename.*refs\/heads\/last"/.test(call));
    const synced = syncedDirectories(calls.slice(0, recorded));
    // Where names came, went or were replaced.
    const changed = ['', '/src', '/gone/inner', '/becomes-file', '/becomes-file/sub', '/closed', '/vendor/nested'];
    expect(changed.filter((directory) => !synced.has(`${arena.workspace}${directory}`))).toEqual([]);
  },
);

test.skipIf(!canTrace())(
  '[REL-2] [STO-2] with durability power the place of a new store, and of objects linked from the user, is synced',
  async () => {
    const arena = await Arena.open({ RETAKE_DURABILITY: 'power' });
    makeSmallRepository(arena.workspace);
    const calls = await systemCalls(arena, ['checkpoint']);
    const store = /"([^"]*)\/store\.git"/.exec(calls.join('\n'))?.[1] ?? '';
    const recorded = calls.findLastIndex((call) => /rename.*refs\/heads\/last"/.test(call));
    const synced = syncedDirectories(calls.slice(0, recorded));
    const wanted = [store, `${store}/store.git/objects/pack`];
    expect(wanted.filter((directory) => !synced.has(directory))).toEqual([]);
  },
);

test.skipIf(!canTrace())('[REL-2] with durability power the names of what is recorded are on disk too', async () => {
  const arena = await Arena.open({ RETAKE_DURABILITY: 'power' });
  makeRich(arena.workspace);
  await arena.trace(['checkpoint', '--name', 'target']);
  changeRich(arena.workspace);
  const calls = await systemCalls(arena, ['checkpoint', '--name', 'changed']);
  const recorded = calls.findLastIndex((call) => /rename.*refs\/heads\/last"/.test(call));
  const published = calls.flatMap((call, at) => {
    const [, path] = /rename\("[^"]*", "([^"]*\/store\.git\/(?:objects|refs)\/[^"]*)"/.exec(call) ?? [];
    return path === undefined ? [] : [{ path, at }];
  });
  expect(published.length).toBeGreaterThan(10);
  // An object's before the operation that needs it comes to exist, the operation's own before it is reported.
  const isSynced = ({ path, at }: { path: string; at: number }): boolean =>
    syncedDirectories(calls.slice(at, at < recorded ? recorded : calls.length)).has(dirname(path));
  expect(published.filter((one) => !isSynced(one))).toEqual([]);
});

test('[REL-2] with durability process nothing is synced', async () => {
  const arena = await Arena.open({ RETAKE_DURABILITY: 'process' });
  makeRich(arena.workspace);
  expect((await arena.trace(['checkpoint'])).effects.filter((effect) => effect.startsWith('sync '))).toEqual([]);
});
