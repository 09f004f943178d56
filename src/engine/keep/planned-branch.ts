import { type OperationId, RetakeError } from '../../model/index.ts';
import { listRemotes } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { repositoryAround } from '../git/user-repository.ts';
import { resolveCheckpoint } from '../read/resolve.ts';
import { type RollbackRequest, scopeOf } from '../rewind/plan.ts';
import { pushRecoveryBranch } from './push-recovery-branch.ts';
import { assertCanBranch, createRecoveryBranch, type RecoveryBranch } from './recovery-branch.ts';
import { freeBranchName } from './recovery-branch-name.ts';

/** What is wanted of a rollback besides going back. */
export interface BranchRequest {
  /** Undefined where nobody said: then the setting `git.recoveryBranch` does, for every rewind of code. */
  readonly wanted?: boolean | undefined;
  readonly name?: string | undefined;
  /** The remote that the branch is pushed to in the same act. */
  readonly push?: string | undefined;
}

/** The branch that a rollback makes of the state before it. */
export interface PlannedBranch {
  /** Null where it makes none. */
  readonly branch: string | null;
  readonly pushTo?: string | undefined;
  /** Why it makes none although the setting wants one. */
  readonly problem?: RetakeError;
}

/**
 * Refuses what was asked for and can not be done. What only the setting wants is left then, and told, unless there is no repository to have
 * branches: going back is what counts.
 */
export const plannedBranch = async (
  workspace: Workspace,
  request: RollbackRequest,
  { wanted, name, push }: BranchRequest,
): Promise<PlannedBranch> => {
  if (wanted === false && push !== undefined)
    throw new RetakeError('usage', 'No recovery branch is made, so that there is none to push', { hint: 'Choose one of the two.' });
  const isAskedFor = wanted ?? (name !== undefined || push !== undefined);
  const isRewind = request.verb === 'Rollback' && scopeOf(request) !== 'conversation';
  const isUsual = wanted === undefined && isRewind && workspace.settings['git.recoveryBranch'];
  if (!isAskedFor && !isUsual) return { branch: null };
  try {
    const { name: branch } = await assertCanBranch(workspace, { name, push, session: request.target.session });
    return { branch, pushTo: push };
  } catch (error) {
    if (isAskedFor || !(error instanceof RetakeError)) throw error;
    return { branch: null, ...(error.code === 'no-repository' ? {} : { problem: error }) };
  }
};

/** What came of a planned branch. */
export interface BranchOutcome {
  /** Null where none was made. */
  readonly made: RecoveryBranch | null;
  /** Why it was not made, or not pushed. */
  readonly failure?: unknown;
}

/** Makes the branch of the state before a rollback, which is done by then: what goes wrong here is told beside it. */
export const makePlannedBranch = async (
  workspace: Workspace,
  { branch, pushTo }: PlannedBranch,
  safety: OperationId,
  onOutput?: ((chunk: Buffer) => void) | undefined,
): Promise<BranchOutcome> => {
  let made: RecoveryBranch | null = null;
  try {
    made = await createRecoveryBranch(workspace, resolveCheckpoint(workspace, safety).operation, branch ?? undefined);
    return { made: pushTo === undefined ? made : await pushRecoveryBranch(workspace, made, pushTo, onOutput) };
  } catch (failure) {
    return { made: made && { ...made, pushTo: pushTo ?? null }, failure };
  }
};

/** What the branch of a rollback can be: its name where nobody gives one, undefined where there can be none, and where it can be pushed. */
export const possibleBranch = async (
  workspace: Workspace,
  { target }: RollbackRequest,
): Promise<{ readonly usual: string | undefined; readonly remotes: readonly string[] }> => {
  try {
    const { repository } = repositoryAround(workspace);
    return { usual: await freeBranchName(workspace, repository, target.session), remotes: await listRemotes(repository) };
  } catch (error) {
    if (error instanceof RetakeError) return { usual: undefined, remotes: [] };
    throw error;
  }
};
