import { readFileSync, statSync } from 'node:fs';
import { effects, type GitResult } from '../../host/index.ts';
import { RetakeError, toFs } from '../../model/index.ts';
import { actAsUser, askGit } from '../ask.ts';
import { below } from '../paths.ts';
import type { UserRepository } from '../repository.ts';
import { noIdentity } from './identity.ts';

/** What we write is UTF-8, whatever the user's own messages are in. */
const ENCODING = ['-c', 'i18n.commitEncoding=UTF-8'];

interface CommitOptions {
  readonly message: string;
  /** Told the id of the process that makes the commit. */
  readonly onStart?: (pid: number) => void;
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
}

/**
 * Commits a tree on top of HEAD with the user's own `git commit`: hooks, signing and identity as for any commit of theirs. It works on
 * an index of ours, the file `index`; theirs stays as it is. An exit code other than 0 means that nothing was committed.
 */
export const commitTree = async (
  repository: UserRepository,
  tree: string,
  index: string,
  { message, onStart, onOutput }: CommitOptions,
): Promise<GitResult> => {
  copyIndex(repository, index);
  const env = { GIT_INDEX_FILE: index };
  // With the stat data of their own index, so that git need not read every file of the work tree.
  await actAsUser(repository.top, ['-c', 'core.hooksPath=/dev/null', '-c', 'core.splitIndex=false', 'read-tree', '-i', '-m', tree], {
    env,
  });
  const args = [...ENCODING, 'commit', '--quiet', '--cleanup=whitespace', '--file=-'];
  return actAsUser(repository.top, args, { env, input: Buffer.from(message), accept: EVERY_CODE, onOutput, ...(onStart && { onStart }) });
};

/** Makes a commit that no ref leads to, signed if the user's commits are. */
export const writeCommit = async (repository: UserRepository, tree: string, parent: string | null, message: string): Promise<string> => {
  const { stdout: signs } = await askGit(repository.top, ['config', '--type=bool', '--default=false', 'commit.gpgSign'], []);
  const args = [
    ...ENCODING,
    'commit-tree',
    ...(signs.toString().trim() === 'true' ? ['-S'] : []),
    ...(parent === null ? [] : ['-p', parent]),
    tree,
  ];
  const { stdout } = await actAsUser(repository.top, args, { input: Buffer.from(message) });
  return stdout.toString().trim();
};

/**
 * The same for a commit that nobody asked for: never signed, because that may ask for a passphrase. No identity is made up where the user
 * has none.
 */
export const writeUnsignedCommit = async (
  repository: UserRepository,
  tree: string,
  parent: string | null,
  message: string,
): Promise<string> => {
  const args = [...ENCODING, '-c', 'user.useConfigOnly=true', 'commit-tree', ...(parent === null ? [] : ['-p', parent]), tree];
  const { code, stdout, stderr } = await actAsUser(repository.top, args, {
    input: Buffer.from(message),
    accept: [128],
    env: { LC_ALL: 'C', LANGUAGE: '' },
  });
  if (code === 0) return stdout.toString().trim();
  if (!/\bident\b|auto-detection is disabled/.test(stderr)) throw new RetakeError('git-failed', `git commit-tree failed: ${stderr.trim()}`);
  throw noIdentity();
};

/** Any exit code is an answer. */
const EVERY_CODE = Array.from({ length: 256 }, (_, code) => code);

/**
 * As old as the original, or a little older: by the age of its index git tells whether a file may have changed since without its times
 * showing it.
 */
const copyIndex = ({ gitDirectory }: UserRepository, to: string): void => {
  effects.removeTree(to);
  const from = toFs(below(gitDirectory, 'index'));
  const stat = statSync(from, { throwIfNoEntry: false });
  if (stat === undefined) return;
  const fd = effects.createFile(to, 0o600);
  try {
    effects.writeAll(fd, readFileSync(from), to);
    effects.setTime(fd, Math.floor(stat.mtimeMs / 1000));
  } finally {
    effects.close(fd);
  }
};
