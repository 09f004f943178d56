import { type BranchRequest, makePlannedBranch, type PlannedBranch, type Workspace } from '../engine/index.ts';
import { branchProblemJson, madeBranchJson } from '../json/recovery-branch.ts';
import type { OperationId } from '../model/index.ts';
import type { Shared } from './handler.ts';
import { problemOf } from './problem.ts';

/** What a request says about the branch that is made of the state before a rollback. */
export interface Branching {
  readonly createRecoveryBranch?: boolean | undefined;
  readonly recoveryBranchName?: string | undefined;
  readonly pushRecoveryBranch?: string | undefined;
}

export const branchRequestOf = ({ createRecoveryBranch, recoveryBranchName, pushRecoveryBranch }: Branching): BranchRequest => ({
  wanted: createRecoveryBranch,
  name: recoveryBranchName,
  push: pushRecoveryBranch,
});

/**
 * The state before a rollback as a branch of git. The rollback is done by then: whatever goes wrong here is told beside it, so that
 * nobody takes that for failed.
 */
export const branchOf = async (workspace: Workspace, planned: PlannedBranch, safety: OperationId | null, log: Shared['log']) => {
  if (planned.branch === null) return planned.problem === undefined ? {} : { recoveryBranch: null, ...branchProblemJson(planned.problem) };
  if (safety === null) return { recoveryBranch: null };
  const { made, failure } = await makePlannedBranch(workspace, planned, safety);
  if (failure === undefined) return madeBranchJson(made);
  const { status, answer } = problemOf(failure);
  if (status === 500) log(`a recovery branch was not made: ${failure}`);
  return { ...madeBranchJson(made), recoveryBranchProblem: answer.error };
};
