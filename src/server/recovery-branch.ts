import { makeRecoveryBranch, type PlannedBranch, type Workspace } from '../engine/index.ts';
import type { OperationId } from '../model/index.ts';
import { reasonsJson } from '../shapes/reasons.ts';
import { branchProblemJson } from '../shapes/recovery-branch.ts';
import type { Shared } from './handler.ts';
import { problemOf } from './problem.ts';

interface Branching {
  readonly name?: string | undefined;
  readonly log: Shared['log'];
}

/**
 * The state before a rollback as a branch of git. The rollback is done by then: whatever goes wrong here is told beside it, so that
 * nobody takes that for failed.
 */
export const branchOf = async (workspace: Workspace, planned: PlannedBranch, safety: OperationId | null, { name, log }: Branching) => {
  if (planned.branch === null) return planned.problem === undefined ? {} : { recoveryBranch: null, ...branchProblemJson(planned.problem) };
  if (safety === null) return { recoveryBranch: null };
  try {
    const { branch, commit, parent, leftOut } = await makeRecoveryBranch(workspace, safety, { name });
    return { recoveryBranch: { branch, commit, parent, leftOut: reasonsJson(leftOut) } };
  } catch (error) {
    const { status, answer } = problemOf(error);
    if (status === 500) log(`a recovery branch was not made: ${error}`);
    return { recoveryBranch: null, recoveryBranchProblem: answer.error };
  }
};
