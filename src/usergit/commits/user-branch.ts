import { actAsUser, askGit } from '../ask.ts';
import type { UserRepository } from '../repository.ts';

/** Whether a text can name a new branch. Words that git would take for another branch, such as `@{-1}`, are no names. */
export const isBranchName = async ({ top }: UserRepository, name: string): Promise<boolean> => {
  const { code, stdout } = await askGit(top, ['check-ref-format', '--branch', name], [1, 128, 129]);
  return code === 0 && stdout.toString().trimEnd() === name;
};

export const branchExists = async ({ top }: UserRepository, name: string): Promise<boolean> =>
  (await askGit(top, ['show-ref', '--verify', '--quiet', `refs/heads/${name}`], [1, 128])).code === 0;

/** The branches of which this could be the name, or that lie on the way to it, or that begin with it. */
export const branchesAround = async ({ top }: UserRepository, name: string): Promise<string[]> => {
  const above = name.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  const patterns = [...above, `${name}*`, `${name}*/**`].map((pattern) => `refs/heads/${pattern}`);
  const { stdout } = await askGit(top, ['for-each-ref', '--format=%(refname:lstrip=2)', ...patterns], []);
  return stdout.toString().split('\n').filter(Boolean);
};

/** Fails when there is such a branch: none is ever moved by this. */
export const createBranch = async ({ top, objectFormat }: UserRepository, name: string, commit: string, reason: string): Promise<void> => {
  const nothing = '0'.repeat(objectFormat === 'sha256' ? 64 : 40);
  await actAsUser(top, ['update-ref', '--create-reflog', '-m', reason, `refs/heads/${name}`, commit, nothing]);
};

/** Moves HEAD, and the branch that it is on, provided that it is still where it is thought to be. Runs no hooks. */
export const moveHead = async (
  { top, objectFormat }: UserRepository,
  from: string | null,
  to: string | null,
  reason: string,
): Promise<void> => {
  const nothing = '0'.repeat(objectFormat === 'sha256' ? 64 : 40);
  const change = to === null ? ['-d', 'HEAD', from ?? nothing] : ['HEAD', to, from ?? nothing];
  await askGit(top, ['update-ref', '-m', reason, ...change], []);
};

/** The commits that lead from one to another, oldest first; undefined where they don't. */
export const commitsBetween = async ({ top }: UserRepository, from: string | null, to: string): Promise<string[] | undefined> => {
  if (from !== null && (await askGit(top, ['merge-base', '--is-ancestor', from, to], [1, 128])).code !== 0) return undefined;
  const { stdout } = await askGit(top, ['rev-list', '--first-parent', '--reverse', to, ...(from === null ? [] : [`^${from}`])], []);
  return stdout.toString().split('\n').filter(Boolean);
};

export const commitMessage = async ({ top }: UserRepository, commit: string): Promise<string> =>
  (await askGit(top, ['log', '-1', '--no-show-signature', '--format=%B', commit], [])).stdout.toString();

export const hasCommit = async ({ top }: UserRepository, commit: string): Promise<boolean> =>
  (await askGit(top, ['cat-file', '-e', `${commit}^{commit}`], [1, 128])).code === 0;

/** The commit's tree. */
export const treeOf = async ({ top }: UserRepository, commit: string): Promise<string> =>
  (await askGit(top, ['rev-parse', '--verify', `${commit}^{tree}`], [])).stdout.toString().trim();

/** Whether the index has paths that a merge left undecided. */
export const hasConflicts = async ({ top }: UserRepository): Promise<boolean> =>
  (await askGit(top, ['ls-files', '--unmerged', '-z'], [])).stdout.length > 0;
