import { makeRecoveryBranch, type Workspace } from '../engine/index.ts';
import type { OperationId } from '../model/index.ts';
import { RetakeError } from '../model/index.ts';
import { reasonsJson } from '../shapes/reasons.ts';
import { problemOf } from './problem.ts';

/**
 * The state before a rollback as a branch of git. Told with the rollback, which is done by then: that this failed is no reason to
 * call that failed.
 */
export const branchOf = async (workspace: Workspace, safety: OperationId | null, name: string | undefined) => {
  if (safety === null) return { recoveryBranch: null };
  try {
    const { branch, commit, parent, leftOut } = await makeRecoveryBranch(workspace, safety, { name });
    return { recoveryBranch: { branch, commit, parent, leftOut: reasonsJson(leftOut) } };
  } catch (error) {
    if (!(error instanceof RetakeError)) throw error;
    return { recoveryBranch: null, recoveryBranchProblem: problemOf(error).answer.error };
  }
};
