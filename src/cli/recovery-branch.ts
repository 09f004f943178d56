import type { Command } from 'commander';
import { type BranchOutcome, makePlannedBranch, type PlannedBranch, type RollbackResult, type Workspace } from '../engine/index.ts';
import { madeBranchJson, plannedBranchJson } from '../json/recovery-branch.ts';
import { RetakeError } from '../model/index.ts';
import type { Alongside } from './apply-plan.ts';
import { shownId } from './ids.ts';
import { describeError, isRetakeError, oneLine, paint, print } from './output.ts';
import { leftOutLines } from './verbs/keep.ts';

/** What every verb takes that takes the workspace back. */
export interface BranchFlags {
  /** A name; true for the usual one; undefined for what the settings say. */
  readonly recoveryBranch?: string | boolean;
  /** The remote that it is pushed to. */
  readonly push?: string;
}

/** What those stand for. */
export const BRANCH_WORDS = { recoveryBranch: 'text', push: 'text' } as const;

export const branchFlags = (command: Command): Command =>
  command
    .option('--recovery-branch [name]', 'the files as they are now become a branch of git')
    .option('--no-recovery-branch', 'no such branch, whatever the setting git.recoveryBranch says')
    .option('--push <remote>', 'push that branch to this remote in the same act');

export const branchRequestOf = ({ recoveryBranch: wish, push }: BranchFlags) => ({
  wanted: wish === undefined ? undefined : wish !== false,
  name: typeof wish === 'string' ? wish : undefined,
  push,
});

/** What a plan says of the branch that is made with it, or of why none is; nothing where none is wanted. */
export const branchLines = ({ branch, pushTo, problem }: PlannedBranch): string[] => {
  if (branch !== null) {
    const pushed = pushTo === undefined ? '' : `, which is pushed to ${paint('yellow', oneLine(pushTo))}`;
    return [`The files as they are now become the branch ${paint('yellow', oneLine(branch))}${pushed}`];
  }
  return problem === undefined ? [] : problemLines('No recovery branch can be made:', problem);
};

const problemLines = (what: string, { message, hint }: { readonly message: string; readonly hint?: string | undefined }): string[] => [
  `${paint('red', what)} ${oneLine(message)}`,
  ...(hint === undefined ? [] : [oneLine(hint)]),
];

/** The branch that a rollback will make, as the plan shows it. What is pushed others see: that is asked about. */
export const branchAlongside = (planned: PlannedBranch): Alongside => ({
  json: plannedBranchJson(planned),
  show: () => {
    for (const line of branchLines(planned)) print(line);
  },
  isHarmless: planned.pushTo === undefined,
});

interface MadeBranch {
  readonly json: object;
  readonly lines: readonly string[];
  readonly made?: BranchOutcome['made'];
  /** What went wrong. */
  readonly failure?: unknown;
}

/**
 * The state before a rollback as a branch of git. The rollback is done by then: what goes wrong here is told beside it, so that nobody takes
 * that for failed.
 */
export const branchOf = async (
  workspace: Workspace,
  { safety }: RollbackResult,
  planned: PlannedBranch,
  onOutput?: ((chunk: Buffer) => void) | undefined,
): Promise<MadeBranch> => {
  if (planned.branch === null) return { json: plannedBranchJson(planned), lines: branchLines(planned) };
  if (safety === null) return { json: { recoveryBranch: null }, lines: [] };
  const { made, failure } = await makePlannedBranch(workspace, planned, safety.id, onOutput);
  const problem = failure === undefined ? undefined : describeError(failure);
  return {
    json: { ...madeBranchJson(made), ...(problem === undefined ? {} : { recoveryBranchProblem: problem }) },
    lines: [
      ...(made === null ? [] : [`Branch ${paint('yellow', oneLine(made.branch))} has the files as they were before`]),
      ...(made?.pushed ? [`Pushed to ${oneLine(made.pushTo ?? '')}`] : []),
      ...leftOutLines(made?.leftOut ?? []),
      ...(problem === undefined ? [] : problemLines(made === null ? 'No recovery branch was made:' : 'It was not pushed:', problem)),
    ],
    made,
    ...(failure === undefined ? {} : { failure }),
  };
};

/** For who asked for a branch and has none, or none that is pushed, though the rollback is done, which `details` tell. */
export const branchMissing = (
  { failure, made }: Pick<MadeBranch, 'failure' | 'made'>,
  { safety, plan }: RollbackResult,
  details: Record<string, unknown>,
): RetakeError => {
  const { message, hint } = describeError(failure);
  const what = plan.verb === 'Rollback' ? 'rewind' : plan.verb.toLowerCase();
  const told =
    made == null
      ? `The ${what} is done, but no recovery branch was made: ${message}`
      : `The ${what} is done and the branch ${made.branch} is made, but it could not be pushed to ${made.pushTo}`;
  const again = safety === null ? undefined : `To make it of the state before: retake branch ${shownId(safety.id)}`;
  const advice = made == null ? again : hint;
  return new RetakeError(isRetakeError(failure) ? failure.code : 'git-failed', told, {
    ...(advice === undefined ? {} : { hint: advice }),
    details,
    cause: failure,
  });
};
