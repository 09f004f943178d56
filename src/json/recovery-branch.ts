import type { PlannedBranch, RecoveryBranch } from '../engine/index.ts';
import { reasonsJson } from './reasons.ts';

/** The branch that a plan makes of the present, or why it makes none although one is usual. */
export const plannedBranchJson = ({ branch, pushTo, problem }: PlannedBranch) => ({
  recoveryBranch: branch === null ? null : { branch, ...(pushTo === undefined ? {} : { pushTo }) },
  ...(problem === undefined ? {} : branchProblemJson(problem)),
});

export const branchProblemJson = ({ code, message, hint }: NonNullable<PlannedBranch['problem']>) => ({
  recoveryBranchProblem: { code, message, ...(hint === undefined ? {} : { hint }) },
});

/** The branch that was made of the state before a rollback. */
export const madeBranchJson = (made: RecoveryBranch | null) => {
  if (made === null) return { recoveryBranch: null };
  const { branch, commit, parent, leftOut, pushTo, pushed } = made;
  return { recoveryBranch: { branch, commit, parent, leftOut: reasonsJson(leftOut), pushTo, pushed } };
};
