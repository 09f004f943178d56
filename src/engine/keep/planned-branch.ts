import { RetakeError } from '../../model/index.ts';
import { type Aim, scopeOf } from '../plan.ts';
import type { Workspace } from '../workspace.ts';
import { assertCanBranch, freeBranchName } from './recovery-branch.ts';

/** What is wanted of a rollback besides going back. */
export interface BranchWish {
  /** Undefined where nobody said: then the setting `git.recoveryBranch` does, for every rewind of code. */
  readonly wanted?: boolean | undefined;
  readonly name?: string | undefined;
}

/**
 * The name of the branch that a rollback makes of the state before it; null where it makes none. Refuses what was asked for and can not be
 * done. What only the setting wants is left where there is no repository: going back is what counts.
 */
export const plannedBranch = async (workspace: Workspace, aim: Aim, { wanted, name }: BranchWish): Promise<string | null> => {
  const isAskedFor = wanted ?? name !== undefined;
  const isRewind = aim.verb === 'Rollback' && scopeOf(aim) !== 'conversation';
  const isUsual = wanted === undefined && isRewind && workspace.settings['git.recoveryBranch'];
  if (!isAskedFor && !isUsual) return null;
  try {
    const { repository } = await assertCanBranch(workspace, name);
    return name ?? (await freeBranchName(workspace, repository, aim.target.session));
  } catch (error) {
    if (!isAskedFor && error instanceof RetakeError && error.code === 'no-repository') return null;
    throw error;
  }
};
