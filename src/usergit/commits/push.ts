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
  const remotes = (await askGit(top, ['remote'], [])).stdout.toString().split('\n').filter(Boolean);
  const chosen =
    (await setting('remote.pushDefault')) ||
    remote ||
    ['origin', ...(remotes.length === 1 ? remotes : [])].find((one) => remotes.includes(one));
  return chosen ? { remote: chosen, ref: `refs/heads/${branch}` } : undefined;
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
