import { pathFields, RetakeError } from '../../model/index.ts';
import { listRemoteBranches, listRemotes, pushBranch, rehearsePush, type UserRepository } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { repositoryAround } from '../git/user-repository.ts';
import type { RecoveryBranch } from './recovery-branch.ts';
import { branchInTheWay } from './recovery-branch-name.ts';

/** The branches of a remote that is configured; refused where it can not be asked. */
export const branchesOfRemote = async (repository: UserRepository, remote: string): Promise<readonly string[]> => {
  const remotes = await listRemotes(repository);
  if (!remotes.includes(remote))
    throw new RetakeError('no-remote', `There is no remote ${JSON.stringify(remote)}; nothing was changed`, {
      hint: remotes.length === 0 ? 'To add one: git remote add NAME URL' : `There is ${remotes.join(', ')}; git remote -v tells more.`,
    });
  const { branches, output } = await listRemoteBranches(repository, remote);
  if (branches === null) throw unpushable(`The remote ${remote} can not be asked`, output);
  return branches;
};

/** Refuses a push that the other side would refuse too, as far as that can be known: nothing is sent. */
export const assertCanPush = async (
  repository: UserRepository,
  { remote, branch, there }: { readonly remote: string; readonly branch: string; readonly there: readonly string[] },
): Promise<void> => {
  const inTheWay = branchInTheWay(branch, there);
  if (inTheWay !== undefined)
    throw new RetakeError('branch-exists', `The remote ${remote} has a branch ${inTheWay} already; nothing was changed`, {
      hint: 'Choose another name.',
    });
  const { isPushed, output } = await rehearsePush(repository, { remote, ref: `refs/heads/${branch}` });
  if (!isPushed) throw unpushable(`The branch ${branch} can not be pushed to ${remote}`, output);
};

const unpushable = (what: string, output: string): RetakeError =>
  new RetakeError('push-rejected', `${what}; nothing was changed`, {
    hint: output.split('\n').find((line) => line.trim() !== '') ?? 'git said nothing more.',
    details: { output },
  });

/** Pushes a branch that was made. */
export const pushRecoveryBranch = async (
  workspace: Workspace,
  made: RecoveryBranch,
  remote: string,
  onOutput?: ((chunk: Buffer) => void) | undefined,
): Promise<RecoveryBranch> => {
  const { branch, commit, checkpoint, leftOut } = made;
  const { repository } = repositoryAround(workspace);
  const { isPushed, output } = await pushBranch(repository, branch, { remote, ref: `refs/heads/${branch}` }, onOutput);
  if (isPushed) return { ...made, pushTo: remote, pushed: true };
  throw new RetakeError('push-rejected', `The branch ${branch} is made here and stays, but could not be pushed to ${remote}`, {
    hint: `To try again: git push ${remote} ${branch}`,
    details: {
      branch,
      commit,
      checkpoint,
      leftOut: leftOut.map(({ path, reason }) => ({ ...pathFields(path), reason })),
      pushed: false,
      output,
    },
  });
};
