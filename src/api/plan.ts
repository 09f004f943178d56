import { z } from 'zod';
import { MERGE_CHOICES } from '../model/merge.ts';
import { ROLLBACK_SCOPES } from '../model/operation.ts';
import { errorAnswer } from './errors.ts';
import { jobId } from './jobs.ts';
import { count, operationId, pathFields, pathName, time } from './words.ts';

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
});

const planFields = {
  target: operationId,
  operations: z.array(step),
  stays: z.array(z.object({ ...pathFields, ...share })),
  kept: z.array(reason),
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
  goesBack: z.object({ checkpoints: count, turns: count, steps: count, messages: count }),
  scope: z.enum(ROLLBACK_SCOPES),
  git: git.nullable(),
  conversation: z
    .object({ agent: z.string(), from: z.string().nullable(), messages: count, turns: count, prompt: z.string().nullable() })
    .nullable(),
  expectedTree: z.string().describe('The state that the plan was made for: to be given back when it is carried out.'),
};

/** The exact list of changes that would be made. */
export const plan = z
  .object({
    ...planFields,
    recoveryBranch: z
      .object({ branch: z.string() })
      .nullable()
      .optional()
      .describe('Of a rewind: the branch of git that is made of the present, unless `createRecoveryBranch` says otherwise.'),
    usualBranch: z
      .string()
      .optional()
      .describe('Of a preview: what a branch is called that is asked for without a name, if there can be one.'),
    recoveryBranchProblem: errorAnswer.shape.error
      .optional()
      .describe('Why none is made though the setting `git.recoveryBranch` wants one; the rollback is not kept from it.'),
  })
  .meta({ id: 'Plan' });

const recoveryBranch = z
  .object({ branch: z.string(), commit: z.string(), parent: z.string().nullable(), leftOut: z.array(reason) })
  .meta({ id: 'RecoveryBranch' });

/** What was done. */
export const done = z
  .object({
    ...planFields,
    rollbackId: operationId.nullable().describe('Null where there was nothing to change.'),
    safetyCheckpoint: operationId.nullable(),
    restored: count.describe('Files made or written.'),
    deleted: count,
    undoableUntil: time.nullable(),
    left: z.object({ steps: z.array(z.string()), marked: z.array(z.object(pathFields)) }).optional(),
    sessionId: z.string().nullable(),
    resume: z.string().nullable().describe('The command that goes on with the conversation.'),
    recoveryBranch: recoveryBranch
      .nullable()
      .optional()
      .describe('Where one was to be made. Null where nothing went back, or it could not be made, which `recoveryBranchProblem` tells.'),
    recoveryBranchProblem: errorAnswer.shape.error.optional().describe('The rollback itself is done all the same.'),
  })
  .meta({ id: 'Done' });

/** The answer where the plan alone can be asked for. */
export const doneOrPlan = z.union([done, plan]);

export const expectedTree = z
  .string()
  .min(1)
  .max(250)
  .describe('Of the plan that was shown; in any other state, and for more than was shown, it is refused.');

/** What every request takes that changes the workspace by a plan. */
export const carryingOut = {
  expectedTree: expectedTree.optional(),
  job: jobId.optional().describe('A name for it, to follow and to cancel it by.'),
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
