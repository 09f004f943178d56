import { actAsUser, askGit } from '../ask.ts';
import type { UserRepository } from '../repository.ts';

/** Where a branch is pushed to. */
export interface PushTarget {
  readonly remote: string;
  /** The whole name of the ref there. */
  readonly ref: string;
}

/** The branch's upstream, else the same name in the remote that pushes go to; undefined without any remote. */
export const pushTargetOf = async ({ top }: UserRepository, branch: string): Promise<PushTarget | undefined> => {
  const setting = async (key: string): Promise<string> => (await askGit(top, ['config', '--get', key], [1])).stdout.toString().trimEnd();
  const [remote, ref] = [await setting(`branch.${branch}.remote`), await setting(`branch.${branch}.merge`)];
  if (remote !== '' && ref !== '') return { remote, ref };
  const remotes = await listRemotes({ top });
  const chosen =
    (await setting('remote.pushDefault')) ||
    remote ||
    ['origin', ...(remotes.length === 1 ? remotes : [])].find((one) => remotes.includes(one));
  return chosen ? { remote: chosen, ref: `refs/heads/${branch}` } : undefined;
};

/** The names of the remotes that are configured. */
export const listRemotes = async ({ top }: Pick<UserRepository, 'top'>): Promise<string[]> =>
  (await askGit(top, ['remote'], [])).stdout.toString().split('\n').filter(Boolean);

/** The branches that are where pushes to a remote go; null where it does not answer. */
export const listRemoteBranches = async (
  { top }: UserRepository,
  remote: string,
): Promise<{ readonly branches: readonly string[] | null; readonly output: string }> => {
  const url = (await askGit(top, ['remote', 'get-url', '--push', '--', remote], [])).stdout.toString().split('\n', 1)[0] ?? '';
  const { code, stdout, stderr } = await actAsUser(top, ['ls-remote', '--heads', '--', url], { accept: [1, 2, 128, 129] });
  if (code !== 0) return { branches: null, output: stderr.trim() };
  const refs = stdout.toString().split('\n').filter(Boolean);
  return { branches: refs.map((line) => line.replace(/^\S+\s+refs\/heads\//, '')), output: '' };
};

/** Goes through a push without sending anything: whether the other side would take a branch of this name. Without a commit nobody can tell. */
export const rehearsePush = async ({ top }: UserRepository, { remote, ref }: PushTarget): Promise<PushResult> => {
  const head = (await askGit(top, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], [1, 128])).stdout.toString().trim();
  if (head === '') return { isPushed: true, output: '' };
  const { code, stdout, stderr } = await actAsUser(top, ['push', '--dry-run', '--no-verify', '--', remote, `${head}:${ref}`], {
    accept: [1, 128, 129],
  });
  return { isPushed: code === 0, output: `${stdout}${stderr}`.trim() };
};

export interface PushResult {
  readonly isPushed: boolean;
  /** What git and the other side said. */
  readonly output: string;
}

export const pushBranch = async (
  { top }: UserRepository,
  branch: string,
  { remote, ref }: PushTarget,
  onOutput?: (chunk: Buffer) => void,
): Promise<PushResult> => {
  const { code, stdout, stderr } = await actAsUser(top, ['push', '--', remote, `refs/heads/${branch}:${ref}`], {
    accept: [1, 128, 129],
    onOutput,
  });
  return { isPushed: code === 0, output: `${stdout}${stderr}`.trim() };
};
