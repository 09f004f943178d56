import { z } from 'zod';
import { MERGE_CHOICES } from '../model/merge.ts';
import { ROLLBACK_SCOPES } from '../model/operation.ts';
import { errorAnswer } from './errors.ts';
import { jobId } from './jobs.ts';
import { count, flag, operationId, pathFields, pathName, time } from './words.ts';

/** What changes the workspace, before and after it did. */

const hunk = z
  .object({
    number: z.int().min(1),
    oldStart: count,
    oldLines: count,
    newStart: count,
    newLines: count,
    digest: z.string().describe('Of its lines: a hunk that is no longer the same is not taken.'),
    lines: z.array(z.string()).describe('Each behind its sign.'),
  })
  .meta({ id: 'Hunk' });

const share = { by: z.enum(['agent', 'person', 'both']).nullable().optional(), sessions: z.array(z.string()).optional() };

const step = z
  .object({
    type: z.enum(['create', 'restore', 'retype', 'delete', 'chmod', 'mkdir', 'rmdir']),
    ...pathFields,
    size: count.nullable(),
    insertions: count.nullable(),
    deletions: count.nullable(),
    ...share,
    hunks: z.array(hunk).optional(),
  })
  .meta({ id: 'PlanStep' });

const reason = z.object({ ...pathFields, reason: z.string() });

const side = z.object({ type: z.string(), size: count.nullable() }).nullable();

const conflict = z
  .object({
    ...pathFields,
    was: z.object(pathFields).optional(),
    reason: z.string(),
    choice: z.enum(MERGE_CHOICES).nullable().describe('Null while it needs one.'),
    steps: z.array(operationId),
    ours: side,
    theirs: side,
    marked: z.string().nullable().describe('The places in question, between markers.'),
  })
  .meta({ id: 'Conflict' });

const head = z.object({ branch: z.string().nullable(), commit: z.string().nullable() });

const git = z.object({
  from: head,
  to: head,
  refs: z.array(z.object({ ref: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
  staged: z.object({ from: count, to: count }),
  commitsLeftBehind: count,
  leftBehind: z.array(z.object({ id: z.string(), headline: z.string() })).describe('These commits, newest first.'),
});

const leftFields = { id: operationId, session: z.string(), description: z.string(), createdAt: time };

const leavesBehind = z
  .object({
    steps: z.array(
      z.object({
        ...leftFields,
        tool: z.string().nullable(),
        agentId: z.string().nullable().describe('The subagent, if it was one.'),
        agentType: z.string().nullable(),
      }),
    ),
    checkpoints: z
      .array(z.object({ ...leftFields, kind: z.string(), name: z.string().nullable(), note: z.string().nullable() }))
      .describe('Those that have a name or a note.'),
  })
  .meta({ id: 'LeftBehind' });

const runningStep = z
  .object({
    session: z.string(),
    agent: z.string(),
    agentId: z.string().nullable(),
    agentType: z.string().nullable(),
    tool: z.string().nullable(),
    toolUseId: z.string(),
    description: z.string(),
    since: time.nullable(),
  })
  .meta({ id: 'RunningStep' });

const planFields = {
  target: operationId.describe('Where no code is recorded at the place: what the log has next to it.'),
  note: z.string().nullable().describe('What somebody noted on the target.'),
  codeRecorded: z.boolean().describe('Whether the code at the place is recorded; without it the conversation alone can go back.'),
  operations: z.array(step),
  stays: z.array(z.object({ ...pathFields, ...share })),
  outside: z
    .object({
      operations: z.array(z.object({ type: z.enum(['create', 'restore', 'delete', 'chmod']), path: z.string() })),
      left: z.array(z.object({ path: z.string(), reason: z.string() })),
    })
    .describe('Files outside the workspace that an edit tool changed: those that go back, and those that stay as they are.'),
  kept: z.array(reason),
  setAside: z.array(z.object(pathFields)).describe('Those of `kept` that stay because they keep changing.'),
  inTheWay: z.array(reason),
  conflicts: z.array(conflict),
  steps: z
    .array(
      z.object({
        id: z.string(),
        description: z.string(),
        state: z.string().nullable(),
        expiresAt: time.nullable(),
        applies: z.enum(['cleanly', 'with-conflicts', 'later']),
      }),
    )
    .optional(),
  warnings: z.array(z.string()),
  running: z
    .array(runningStep)
    .describe(
      "Steps that agents began and have told no end of: what changed since counts as the agent's. `wait` waits until there are none.",
    ),
  leavesBehind: leavesBehind.describe('What leads to the present and does not any more then, newest first.'),
  goesBack: z.object({ checkpoints: count, turns: count, steps: count, messages: count }),
  scope: z.enum(ROLLBACK_SCOPES),
  keepMine: z.boolean().describe('Of a rewind: whether what the person changed stays.'),
  git: git.nullable(),
  conversation: z
    .object({ agent: z.string(), from: z.string().nullable(), messages: count, turns: count, prompt: z.string().nullable() })
    .nullable(),
  expectedTree: z.string().describe('The state that the plan was made for: to be given back when it is carried out.'),
  undoableUntil: time.nullable().describe('Until when it can be undone; null where nothing changes, or it can be for ever.'),
};

/** The exact list of changes that would be made. */
export const plan = z
  .object({
    ...planFields,
    recoveryBranch: z
      .object({ branch: z.string(), pushTo: z.string().nullable().optional().describe('The remote that it is pushed to.') })
      .nullable()
      .optional()
      .describe('The branch of git that is made of the present; null where none is.'),
    usualBranch: z.string().optional().describe('What a branch is called that is asked for without a name, if there can be one.'),
    remotes: z.array(z.string()).optional().describe('Where it can be pushed to.'),
    recoveryBranchProblem: errorAnswer.shape.error
      .optional()
      .describe('Why none is made though the setting `git.recoveryBranch` wants one; the rollback is not kept from it.'),
  })
  .meta({ id: 'Plan' });

const recoveryBranch = z
  .object({
    branch: z.string(),
    commit: z.string(),
    parent: z.string().nullable(),
    leftOut: z.array(reason),
    pushTo: z.string().nullable().describe('The remote that it was to be pushed to.'),
    pushed: z.boolean(),
  })
  .meta({ id: 'RecoveryBranch' });

/** What was done. */
export const done = z
  .object({
    ...planFields,
    rollbackId: operationId.nullable().describe('Null where there was nothing to change.'),
    safetyCheckpoint: operationId.nullable(),
    restored: count.describe('Files made or written.'),
    deleted: count,
    left: z.object({ steps: z.array(z.string()), marked: z.array(z.object(pathFields)) }).optional(),
    sessionId: z.string().nullable(),
    resume: z.string().nullable().describe('The command that goes on with the conversation.'),
    recoveryBranch: recoveryBranch
      .nullable()
      .optional()
      .describe('Where one was to be made. Null where nothing went back, or it could not be made, which `recoveryBranchProblem` tells.'),
    recoveryBranchProblem: errorAnswer.shape.error
      .optional()
      .describe('Why it was not made, or made and not pushed. The rollback itself is done all the same.'),
  })
  .meta({ id: 'Done' });

/** The answer where the plan alone can be asked for. */
export const doneOrPlan = z.union([done, plan]);

export const expectedTree = z
  .string()
  .min(1)
  .max(250)
  .describe('Of the plan that was shown; in any other state, and for more than was shown, it is refused.');

/** Of requests for a plan. */
export const wait = z
  .boolean()
  .default(false)
  .describe('Begin when no step of an agent runs any more. Where none ends, hanging up ends it.');

/** What every request takes that changes the workspace by a plan. */
export const carryingOut = {
  expectedTree: expectedTree.optional(),
  job: jobId.optional().describe('A name for it, to follow and to cancel it by.'),
  wait,
};

/** The branch of git that is made of the state before it. */
export const branching = {
  createRecoveryBranch: flag
    .optional()
    .describe(
      'The state before it becomes a branch of git; unless given as the setting `git.recoveryBranch` says, which is about rewinds.',
    ),
  recoveryBranchName: z.string().min(1).max(200).optional().describe('`recovery/<session>` unless given.'),
  pushRecoveryBranch: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The remote that the branch is pushed to in the same act. What can be known to fail is refused before anything is changed.'),
};

/** The same for those that can be asked for the plan alone. */
export const carryingOutOrNot = { ...carryingOut, dryRun: z.boolean().default(false).describe('Only tell the plan.') };

/** What is to be done about conflicts. */
export const choosing = {
  onConflict: z
    .enum([...MERGE_CHOICES, 'abort'])
    .default('abort')
    .describe('For every conflict that is not named.'),
  resolve: z
    .array(z.strictObject({ path: pathName, choice: z.enum(MERGE_CHOICES) }))
    .max(1000)
    .default([])
    .describe('For single files.'),
};
