import type { PlannedBranch } from '../engine/index.ts';

/** The branch that a plan makes of the present, or why it makes none although one is usual. */
export const plannedBranchJson = ({ branch, problem }: PlannedBranch) => ({
  recoveryBranch: branch === null ? null : { branch },
  ...(problem === undefined ? {} : branchProblemJson(problem)),
});

export const branchProblemJson = ({ code, message, hint }: NonNullable<PlannedBranch['problem']>) => ({
  recoveryBranchProblem: { code, message, ...(hint === undefined ? {} : { hint }) },
});
