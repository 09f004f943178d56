import { configDirectory, homeDirectory } from '../../host/index.ts';
import { type ByteString, fromText } from '../../model/index.ts';
import { askGit } from '../ask.ts';
import { above, below, resolve, statIfAny } from '../paths.ts';
import type { UserRepository } from '../repository.ts';
import { isTrue } from './config-file.ts';

/** What the user's git configuration, taken together, says about a directory. Plain values, fit for keeping in a file. */
export interface GitConfig {
  /** The user's own rules, whether or not the file exists; null when the configuration names none. */
  readonly excludesFile: ByteString | null;
  /** The same for attributes. */
  readonly attributesFile: ByteString | null;
  readonly ignoreCase: boolean;
  /** Attributes come from a commit (`attr.tree`) and not from the files. */
  readonly attributesFromTree: boolean;
  /** Why the repository's configuration could not be read, and only the user's own was. */
  readonly problem: string | null;
  /** What all this was read from: while it stays as it is, so does the answer. Null when that can't be told. */
  readonly basis: ConfigBasis | null;
}

interface ConfigBasis {
  readonly repository: string;
  readonly home: string;
  readonly files: readonly (readonly [path: ByteString, stamp: string])[];
}

/** Asks git, since includes and conditions make configuration more than a file; not when `known` still holds. */
export const readGitConfig = async (
  directory: ByteString,
  repository: UserRepository | undefined,
  known?: GitConfig,
  isSameRepository = false,
): Promise<GitConfig> => (known !== undefined && holds(known, repository, isSameRepository) ? known : ask(directory, repository));

const holds = ({ basis }: GitConfig, repository: UserRepository | undefined, isSameRepository: boolean): boolean =>
  basis !== null &&
  (isSameRepository || basis.repository === repositoryWord(repository)) &&
  basis.home === homeWord() &&
  basis.files.every(([path, stamp]) => stampOf(path) === stamp);

/** In a repository of somebody else git itself reads the user's own configuration only. */
const ask = async (directory: ByteString, repository: UserRepository | undefined): Promise<GitConfig> => {
  const startedAt = Date.now();
  const { items, problem } = await listGitConfig(directory);
  // Looked at after git did: what was changed meanwhile is too recent to be known by its times.
  const files = filesOf(items, repository).map((path) => [path, stampOf(path, startedAt - RECENT)] as const);
  // The last of several counts.
  const values = new Map(items.map(({ key, value }) => [key, value]));
  // git resolves a relative path where its commands run: at the top of the work tree.
  const base = repository?.top ?? directory;
  const fileOf = async (key: string, usual: string): Promise<ByteString | null> => {
    const named = values.get(key);
    if (named === undefined) return below(gitConfigDirectory(), usual);
    const path = named === null ? null : await expand(directory, key, named);
    return path === null || path === '' ? null : resolve(base, path);
  };
  return {
    excludesFile: await fileOf('core.excludesfile', 'ignore'),
    attributesFile: await fileOf('core.attributesfile', 'attributes'),
    ignoreCase: isTrue(values.get('core.ignorecase')),
    attributesFromTree: values.has('attr.tree'),
    problem,
    basis: problem === null ? { repository: repositoryWord(repository), home: homeWord(), files } : null,
  };
};

/** One setting, and the file that has it. */
export interface ConfigItem {
  readonly origin: ByteString;
  readonly key: string;
  readonly value: ByteString | null;
}

const FAILURES = [2, 3, 128, 129];

/** All settings in force, in the order in which later ones win; in a repository of somebody else, the user's own. */
export const listGitConfig = async (directory: ByteString): Promise<{ items: ConfigItem[]; problem: string | null }> => {
  const query = ['--null', '--show-origin', '--list'];
  const all = await askGit(directory, ['config', ...query], [1, ...FAILURES]);
  if (all.code === 0) return { items: parseList(all.stdout), problem: null };
  // From elsewhere: git reads the configuration of where it runs even to answer about another one.
  const own = await askGit('/' as ByteString, ['config', '--global', ...query], [1, ...FAILURES]);
  return { items: parseList(own.stdout), problem: all.stderr.trim() || `git config failed with exit code ${all.code}` };
};

/** `origin\0key\nvalue\0`, the value missing for a key without `=`. */
const parseList = (output: Buffer): ConfigItem[] => {
  const words = output.toString('latin1').split('\0') as ByteString[];
  const items: ConfigItem[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [origin, item] = [words[at] as ByteString, words[at + 1] as ByteString];
    const end = item.indexOf('\n');
    items.push({ origin, key: end < 0 ? item : item.slice(0, end), value: end < 0 ? null : (item.slice(end + 1) as ByteString) });
  }
  return items;
};

/** Every file that has a say, or would have one if it was there. */
const filesOf = (items: readonly ConfigItem[], repository: UserRepository | undefined): ByteString[] => {
  const files = new Set<ByteString>([
    '/etc/gitconfig' as ByteString,
    below(gitConfigDirectory(), 'config'),
    below(home(), '.gitconfig'),
    ...(repository === undefined ? [] : [below(repository.commonDirectory, 'config'), below(repository.gitDirectory, 'config.worktree')]),
  ]);
  for (const { origin, key, value } of items) {
    const named = /^file:(\/.*)$/s.exec(origin)?.[1] as ByteString | undefined;
    if (named !== undefined) files.add(named);
    if (/^include(if\..*)?\.path$/s.test(key) && value !== null)
      files.add(value.startsWith('~/') ? below(home(), value.slice(2)) : resolve(above(named ?? home()), value));
    if (key.startsWith('includeif.onbranch:') && repository !== undefined) files.add(below(repository.gitDirectory, 'HEAD'));
  }
  return [...files];
};

/** Two changes this close to each other may leave the same times. */
const RECENT = 2100;

const stampOf = (path: ByteString, newest = Number.POSITIVE_INFINITY): string => {
  const stat = statIfAny(path);
  if (stat === undefined) return 'none';
  return Math.max(stat.mtimeMs, stat.ctimeMs) > newest ? 'recent' : [stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino].join(' ');
};

/**
 * `~/` is what people write. The rarer forms (`~user/`, `%(prefix)/`, `:(optional)`) only git can expand; asking for all
 * keys with `--type=path` would fail as a whole for one bad value.
 */
const expand = async (directory: ByteString, key: string, value: ByteString): Promise<ByteString | null> => {
  if (value.startsWith('~/')) return below(home(), value.slice(2));
  if (!/^(?:~|%\(prefix\)|:\()/.test(value)) return value;
  const { code, stdout } = await askGit(directory, ['config', '--null', '--type=path', '--get', key], [1, ...FAILURES]);
  return code === 0 ? (stdout.toString('latin1').replace(/\0$/, '') as ByteString) : null;
};

const home = (): ByteString => fromText(homeDirectory());

const gitConfigDirectory = (): ByteString => below(fromText(configDirectory()), 'git');

/** Its owner counts: git does not listen to the configuration of other people's repositories. */
const repositoryWord = (repository: UserRepository | undefined): string =>
  repository === undefined
    ? ''
    : [repository.gitDirectory, statIfAny(repository.top)?.uid, statIfAny(repository.gitDirectory)?.uid].join('\0');

const homeWord = (): string => `${homeDirectory()}\0${configDirectory()}`;
