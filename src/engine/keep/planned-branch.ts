import { RetakeError } from '../../model/index.ts';
import { type Aim, scopeOf } from '../plan.ts';
import type { Workspace } from '../workspace.ts';
import { assertCanBranch, usualBranchName } from './recovery-branch.ts';

/** What is wanted of a rollback besides going back. */
export interface BranchWish {
  /** Undefined where nobody said: then the setting `git.recoveryBranch` does, for every rewind of code. */
  readonly wanted?: boolean | undefined;
  readonly name?: string | undefined;
}

/** The branch that a rollback makes of the state before it. */
export interface PlannedBranch {
  /** Null where it makes none. */
  readonly branch: string | null;
  /** Why it makes none although the setting wants one. */
  readonly problem?: RetakeError;
}

/**
 * Refuses what was asked for and can not be done. What only the setting wants is left then, and told, unless there is no repository to have
 * branches: going back is what counts.
 */
export const plannedBranch = async (workspace: Workspace, aim: Aim, { wanted, name }: BranchWish): Promise<PlannedBranch> => {
  const isAskedFor = wanted ?? name !== undefined;
  const isRewind = aim.verb === 'Rollback' && scopeOf(aim) !== 'conversation';
  const isUsual = wanted === undefined && isRewind && workspace.settings['git.recoveryBranch'];
  if (!isAskedFor && !isUsual) return { branch: null };
  try {
    return { branch: (await assertCanBranch(workspace, { name, session: aim.target.session })).name };
  } catch (error) {
    if (isAskedFor || !(error instanceof RetakeError)) throw error;
    return { branch: null, ...(error.code === 'no-repository' ? {} : { problem: error }) };
  }
};

/** What the branch of a rollback is called where nobody gives it a name; undefined where there can be none. */
export const usualBranch = async (workspace: Workspace, { target }: Aim): Promise<string | undefined> => {
  try {
    return await usualBranchName(workspace, target.session);
  } catch (error) {
    if (error instanceof RetakeError) return undefined;
    throw error;
  }
};
