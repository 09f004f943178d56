import { type ByteString, isWithin, type RelativePath } from '../model/index.ts';
import { readHeadFile } from './head-file.ts';
import { above, below, realPath, resolve, statIfAny } from './paths.ts';
import { readPlainText } from './plain-file.ts';
import { isTrue, parseConfig } from './settings/config-file.ts';

/** Absolute paths, in bytes. */
export interface UserRepository {
  /** The root of the work tree. */
  readonly top: ByteString;
  /** `.git`, or where a `.git` file points (linked worktree, submodule): HEAD and the index are there. */
  readonly gitDirectory: ByteString;
  /** What linked worktrees share: objects, refs, configuration. */
  readonly commonDirectory: ByteString;
  readonly objectFormat: 'sha1' | 'sha256';
}

/**
 * The repository whose work tree a directory belongs to, found as git finds it: upwards within one file system, past
 * `.git` directories that are none, but no further than a `.git` file that leads nowhere or a bare repository. The
 * answer's paths are free of symlinks.
 */
export const findRepository = (directory: ByteString): UserRepository | undefined => {
  const start = realPath(directory);
  const device = start === undefined ? undefined : statIfAny(start)?.dev;
  if (start === undefined || device === undefined) return undefined;
  for (let at = start; ; at = above(at)) {
    if (statIfAny(at)?.dev !== device) return undefined;
    const found = look(at);
    if (found === 'stop') return undefined;
    if (found !== 'none') return contains(found.top, start) ? found : undefined;
    if (at === '/' || isGitDirectory(at)) return undefined;
  }
};

/** The repository whose work tree begins at exactly this directory, which must be given free of symlinks. */
export const repositoryAt = (directory: ByteString): UserRepository | undefined => {
  const found = look(directory);
  return typeof found === 'string' || found.top !== directory ? undefined : found;
};

const look = (directory: ByteString): UserRepository | 'none' | 'stop' => {
  const dotGit = below(directory, '.git');
  const stat = statIfAny(dotGit);
  if (stat?.isDirectory()) return isGitDirectory(dotGit) ? describe(directory, dotGit) : 'none';
  if (!stat?.isFile()) return 'none';
  const target = readPlainText(dotGit, { follow: true, limit: LONGEST_POINTER });
  const named = /^gitdir: (.*?)[\r\n]*$/s.exec(target ?? '')?.[1];
  if (!named) return 'stop';
  const gitDirectory = realPath(resolve(directory, named));
  return gitDirectory !== undefined && isGitDirectory(gitDirectory) ? describe(directory, gitDirectory) : 'stop';
};

/** Longer than any path that could be opened; what is cut here leads nowhere. */
const LONGEST_POINTER = 8192;

const describe = (directory: ByteString, gitDirectory: ByteString): UserRepository | 'stop' => {
  const commonDirectory = commonDirectoryOf(gitDirectory);
  if (commonDirectory === undefined) return 'stop';
  const config = parseConfig(readPlainText(below(commonDirectory, 'config'), { follow: true }) ?? ('' as ByteString));
  const perWorktree = isTrue(config.get('extensions.worktreeconfig'));
  const own = perWorktree
    ? parseConfig(readPlainText(below(gitDirectory, 'config.worktree'), { follow: true }) ?? ('' as ByteString))
    : config;
  // The shared file speaks of the main work tree only, and git hears it only when it tells its version.
  const speaksOfUs = (perWorktree || commonDirectory === gitDirectory) && config.has('core.repositoryformatversion');
  const setting = (key: string) => (speaksOfUs ? (own.get(key) ?? config.get(key)) : undefined);
  const workTree = setting('core.worktree');
  if (!workTree && isTrue(setting('core.bare'))) return 'stop';
  const top = workTree ? realPath(resolve(gitDirectory, workTree)) : directory;
  if (top === undefined) return 'stop';
  return { top, gitDirectory, commonDirectory, objectFormat: config.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1' };
};

const commonDirectoryOf = (gitDirectory: ByteString): ByteString | undefined => {
  const file = readPlainText(below(gitDirectory, 'commondir'), { follow: true, limit: LONGEST_POINTER });
  if (file === null) return gitDirectory;
  const named = file.replace(/[\r\n]+$/, '');
  return named === '' ? undefined : realPath(resolve(gitDirectory, named));
};

/** git's own test: a HEAD that could be one, and the objects and refs it would lead to. */
const isGitDirectory = (directory: ByteString): boolean => {
  if (readHeadFile(directory) === undefined) return false;
  const common = commonDirectoryOf(directory);
  return common !== undefined && ['objects', 'refs'].every((name) => statIfAny(below(common, name))?.isDirectory());
};

const contains = (top: ByteString, directory: ByteString): boolean =>
  isWithin(directory as RelativePath, (top === '/' ? '' : top) as RelativePath);
