import { makeRecoveryBranch, type RollbackResult, type Workspace } from '../engine/index.ts';
import { reasonsJson } from '../shapes/reasons.ts';
import { describeError, oneLine, paint, print } from './output.ts';
import type { Alongside } from './perform.ts';
import { leftOutLines } from './verbs/keep.ts';

/** What a plan says of the branch that is made with it; nothing where none is. */
export const branchLines = (branch: string | null): string[] =>
  branch === null ? [] : [`The files as they are now become the branch ${paint('yellow', oneLine(branch))}`];

/** The branch that a rewind will make, as the plan shows it; null where it makes none. */
export const branchAlongside = (branch: string | null): Alongside => ({
  json: { recoveryBranch: branch === null ? null : { branch } },
  show: () => {
    for (const line of branchLines(branch)) print(line);
  },
  isHarmless: true,
});

interface MadeBranch {
  readonly json: object;
  readonly lines: readonly string[];
}

/**
 * The state before a rewind as a branch of git. The rewind is done by then: what goes wrong here is told beside it, so that nobody takes that
 * for failed.
 */
export const branchOf = async (workspace: Workspace, { safety }: RollbackResult, name: string): Promise<MadeBranch> => {
  if (safety === null) return { json: { recoveryBranch: null }, lines: [] };
  try {
    const { branch, commit, parent, leftOut } = await makeRecoveryBranch(workspace, safety.id, { name });
    return {
      json: { recoveryBranch: { branch, commit, parent, leftOut: reasonsJson(leftOut) } },
      lines: [`Branch ${paint('yellow', oneLine(branch))} has the files as they were before`, ...leftOutLines(leftOut)],
    };
  } catch (error) {
    const problem = describeError(error);
    return {
      json: { recoveryBranch: null, recoveryBranchProblem: problem },
      lines: [
        `${paint('red', 'No recovery branch was made:')} ${oneLine(problem.message)}`,
        ...(problem.hint === undefined ? [] : [oneLine(problem.hint)]),
      ],
    };
  }
};
