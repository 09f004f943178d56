import { configDirectory, homeDirectory } from '../host/index.ts';
import { type ByteString, fromText } from '../model/index.ts';
import { askGit } from './ask.ts';
import { isTrue } from './config-file.ts';
import { below, resolve } from './paths.ts';
import { readPlainText } from './plain-file.ts';
import { findRepository, type UserRepository } from './repository.ts';

/** What the user's configuration, taken together, says about a directory. */
export interface IgnoreSettings {
  readonly globalExcludes: { readonly path: ByteString; readonly text: ByteString } | null;
  readonly ignoreCase: boolean;
  /** The user's own attributes file, whether or not it exists; null when the configuration names none. */
  readonly attributesFile: ByteString | null;
  /** Attributes come from a commit (`attr.tree`) and not from the files. */
  readonly attributesFromTree: boolean;
  /** Why the repository's configuration could not be read, and only the user's own was. */
  readonly problem: string | null;
}

const KEYS = '^(core\\.(excludesfile|attributesfile|ignorecase)|attr\\.tree)$';

/**
 * Asks git, since includes and conditions make configuration more than a file. In a repository of somebody else git
 * itself reads the user's own configuration only.
 */
export const readIgnoreSettings = async (directory: ByteString): Promise<IgnoreSettings> => {
  const { values, problem } = await readConfig(directory);
  // git resolves a relative path where its commands run: at the top of the work tree.
  const base = findRepository(directory)?.top ?? directory;
  const fileOf = async (key: string, usual: string): Promise<ByteString | null> => {
    const named = values.get(key);
    if (named === undefined) return below(gitConfigDirectory(), usual);
    const path = named === null ? null : await expand(directory, key, named);
    return path === null || path === '' ? null : resolve(base, path);
  };
  const excludes = await fileOf('core.excludesfile', 'ignore');
  const text = excludes === null ? null : readPlainText(excludes, { follow: true });
  return {
    globalExcludes: excludes === null || text === null ? null : { path: excludes, text },
    ignoreCase: isTrue(values.get('core.ignorecase')),
    attributesFile: await fileOf('core.attributesfile', 'attributes'),
    attributesFromTree: values.has('attr.tree'),
    problem,
  };
};

/** The repository's own rules that are not part of the work tree. */
export const readInfoExclude = (repository: UserRepository): ByteString | null =>
  readPlainText(below(repository.commonDirectory, 'info/exclude'), { follow: true });

const NO_SUCH_KEY = 1;

type Values = Map<string, ByteString | null>;

const readConfig = async (directory: ByteString): Promise<{ values: Values; problem: string | null }> => {
  const query = ['--null', '--get-regexp', KEYS];
  const all = await askGit(directory, ['config', ...query], [NO_SUCH_KEY, 2, 3, 128, 129]);
  if (all.code <= NO_SUCH_KEY) return { values: parseList(all.stdout), problem: null };
  // From elsewhere: git reads the configuration of where it runs even to answer about another one.
  const own = await askGit('/' as ByteString, ['config', '--global', ...query], [NO_SUCH_KEY, 2, 3, 128, 129]);
  return { values: parseList(own.stdout), problem: all.stderr.trim() || `git config failed with exit code ${all.code}` };
};

/** `key\nvalue\0`, the value missing for a key without `=`; the last of several counts. */
const parseList = (output: Buffer): Values => {
  const values: Values = new Map();
  for (const item of output.toString('latin1').split('\0')) {
    const end = item.indexOf('\n');
    if (item !== '') values.set(end < 0 ? item : item.slice(0, end), end < 0 ? null : (item.slice(end + 1) as ByteString));
  }
  return values;
};

/**
 * `~/` is what people write. The rarer forms (`~user/`, `%(prefix)/`, `:(optional)`) only git can expand; asking for all
 * keys with `--type=path` would fail as a whole for one bad value.
 */
const expand = async (directory: ByteString, key: string, value: ByteString): Promise<ByteString | null> => {
  if (value.startsWith('~/')) return below(home(), value.slice(2));
  if (!/^(?:~|%\(prefix\)|:\()/.test(value)) return value;
  const { code, stdout } = await askGit(directory, ['config', '--null', '--type=path', '--get', key], [NO_SUCH_KEY, 2, 3, 128, 129]);
  return code === 0 ? (stdout.toString('latin1').replace(/\0$/, '') as ByteString) : null;
};

const home = (): ByteString => fromText(homeDirectory());

const gitConfigDirectory = (): ByteString => below(fromText(configDirectory()), 'git');
