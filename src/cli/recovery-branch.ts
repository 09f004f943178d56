import { makeRecoveryBranch, type PlannedBranch, type RollbackResult, type Workspace } from '../engine/index.ts';
import { RetakeError } from '../model/index.ts';
import { reasonsJson } from '../shapes/reasons.ts';
import { plannedBranchJson } from '../shapes/recovery-branch.ts';
import { shownId } from './ids.ts';
import { describeError, isRetakeError, oneLine, paint, print } from './output.ts';
import type { Alongside } from './perform.ts';
import { leftOutLines } from './verbs/keep.ts';

/** What a plan says of the branch that is made with it, or of why none is; nothing where none is wanted. */
export const branchLines = ({ branch, problem }: PlannedBranch): string[] => {
  if (branch !== null) return [`The files as they are now become the branch ${paint('yellow', oneLine(branch))}`];
  return problem === undefined ? [] : problemLines('No recovery branch can be made:', problem);
};

const problemLines = (what: string, { message, hint }: { readonly message: string; readonly hint?: string | undefined }): string[] => [
  `${paint('red', what)} ${oneLine(message)}`,
  ...(hint === undefined ? [] : [oneLine(hint)]),
];

/** The branch that a rewind will make, as the plan shows it. */
export const branchAlongside = (planned: PlannedBranch): Alongside => ({
  json: plannedBranchJson(planned),
  show: () => {
    for (const line of branchLines(planned)) print(line);
  },
  isHarmless: true,
});

interface MadeBranch {
  readonly json: object;
  readonly lines: readonly string[];
  /** What went wrong. */
  readonly failure?: unknown;
}

/**
 * The state before a rewind as a branch of git. The rewind is done by then: what goes wrong here is told beside it, so that nobody takes that
 * for failed.
 */
export const branchOf = async (workspace: Workspace, { safety }: RollbackResult, planned: PlannedBranch): Promise<MadeBranch> => {
  if (planned.branch === null) return { json: plannedBranchJson(planned), lines: branchLines(planned) };
  if (safety === null) return { json: { recoveryBranch: null }, lines: [] };
  try {
    const { branch, commit, parent, leftOut } = await makeRecoveryBranch(workspace, safety.id, { name: planned.branch });
    return {
      json: { recoveryBranch: { branch, commit, parent, leftOut: reasonsJson(leftOut) } },
      lines: [`Branch ${paint('yellow', oneLine(branch))} has the files as they were before`, ...leftOutLines(leftOut)],
    };
  } catch (failure) {
    const problem = describeError(failure);
    return {
      json: { recoveryBranch: null, recoveryBranchProblem: problem },
      lines: problemLines('No recovery branch was made:', problem),
      failure,
    };
  }
};

/** For who asked for a branch and has none, though the rewind is done, which `details` tell. */
export const branchMissing = (failure: unknown, { safety }: RollbackResult, details: Record<string, unknown>): RetakeError =>
  new RetakeError(
    isRetakeError(failure) ? failure.code : 'git-failed',
    `The rewind is done, but no recovery branch was made: ${describeError(failure).message}`,
    {
      ...(safety === null ? {} : { hint: `To make it of the state before: retake branch ${shownId(safety.id)}` }),
      details,
      cause: failure,
    },
  );
