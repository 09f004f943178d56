import { z } from 'zod';
import { ROLLBACK_KINDS, ROLLBACK_LEVELS, ROLLBACK_SCOPES } from '../model/operation.ts';
import { jobId } from './jobs.ts';
import { branching, carryingOut, carryingOutOrNot, choosing, done, doneOrPlan, expectedTree, plan, wait } from './plan.ts';
import { route } from './route.ts';
import { address, count, counts, flag, onBranch, operationId, paged, paging, pathName, sessionId, time } from './words.ts';

/** What goes back, and whose. */
const selecting = {
  scope: z
    .enum(ROLLBACK_SCOPES)
    .optional()
    .describe('What goes back. Unless given: `both` for a place in a session that can be resumed, `code` for others and for a part.'),
  git: flag.default(false).describe('Branch, HEAD and index of the git repository go back too.'),
  outside: flag.default(false).describe('Files outside the workspace that an edit tool changed go back too.'),
  keepMine: flag
    .optional()
    .describe(
      'What agents did goes back, what you changed yourself stays. Unless given, it stays if there is any; with `by` it does anyway.',
    ),
  allSessions: flag.default(false).describe('What other sessions did at the same time goes back too.'),
  by: z.string().min(1).max(300).optional().describe('Only what this agent, turn or step did.'),
};

const paths = z.array(pathName).min(1).max(1000);

const previewing = z.strictObject({
  ...selecting,
  path: paths.optional().describe('Only this file or directory; may be given several times.'),
  onConflict: choosing.onConflict,
  hunks: flag.default(false).describe('With the numbered parts of each file, of which some can be chosen.'),
  ...branching,
  job: jobId.optional().describe('A name for it, to follow and to cancel it by.'),
  wait,
});

const hunkChoice = z
  .strictObject({
    path: pathName,
    oldStart: count,
    oldLines: count,
    newStart: count,
    newLines: count,
    digest: z.string().regex(/^[0-9a-f]{16}$/),
  })
  .meta({ id: 'HunkChoice', description: 'A part of a file as a preview with `hunks=true` tells it.' });

/** What a rollback to a checkpoint or to the start of a session takes. */
const choosingParts = {
  ...selecting,
  paths: paths.optional().describe('Only these files or directories.'),
  hunks: z.array(hunkChoice).min(1).max(10_000).optional().describe('Of other files these parts only.'),
  ...choosing,
};

const rolledBack = z
  .object({
    ...done.shape,
    steps: z
      .array(done.shape.steps.unwrap().element)
      .describe('The changes that were taken out one by one; none where all went back as a whole.'),
  })
  .meta({ id: 'RolledBack' });

const rollbackEntry = z
  .object({
    id: operationId,
    type: z.string().describe('`rollback`, `undo`, `redo`, `discard`, `switch`, `merge`, `revert` or `recover`.'),
    level: z
      .enum(ROLLBACK_LEVELS)
      .describe('What it went back to: where a `session` began, a `fork` or another branch, or any other record (`step`).'),
    session: z.string().describe('The one whose record it went to.'),
    sessions: z
      .array(z.string())
      .describe('All that it concerns: also those whose conversation it moved, or whose steps it took back or brought back.'),
    from: operationId.describe('The safety checkpoint: the state before it.'),
    to: operationId,
    scope: z.enum(ROLLBACK_SCOPES),
    git: z.boolean(),
    only: z.array(z.string()).nullable().describe('The paths that it was limited to.'),
    hunks: z
      .array(z.object({ path: z.string(), count }))
      .nullable()
      .describe('How many parts of these files were taken.'),
    createdAt: time,
    outcome: z.enum(['complete', 'incomplete', 'taken-back']),
    undoes: operationId.nullable(),
    undoneBy: operationId.nullable(),
    undoneAt: time.nullable(),
    description: z.string(),
    files: counts.nullable(),
  })
  .meta({ id: 'RollbackEntry' });

const inSession = z.strictObject({ session: sessionId });
const atCheckpoint = z.strictObject({ session: sessionId, checkpoint: address });

export const rollbackRoutes = {
  previewRollback: route({
    method: 'get',
    path: '/api/sessions/{session}/checkpoints/{checkpoint}/rollback/preview',
    summary: 'What going back to a checkpoint would change',
    tag: 'rollback',
    in: 'workspace',
    params: atCheckpoint,
    query: z.strictObject({ ...previewing.shape, ...onBranch }),
    answer: plan,
    errors: [404, 409, 422, 503],
  }),
  previewCheckpoint: route({
    method: 'get',
    path: '/api/checkpoints/{checkpoint}/preview',
    summary: 'The same for a checkpoint of any session',
    tag: 'rollback',
    in: 'workspace',
    params: z.strictObject({ checkpoint: address }),
    query: previewing,
    answer: plan,
    errors: [404, 409, 422, 503],
  }),
  rollBack: route({
    method: 'post',
    path: '/api/sessions/{session}/checkpoints/{checkpoint}/rollback',
    summary: 'Go back to a checkpoint, as the preview showed it',
    tag: 'rollback',
    in: 'workspace',
    params: atCheckpoint,
    query: z.strictObject(onBranch),
    body: z.strictObject({ ...choosingParts, ...carryingOut, ...branching, expectedTree }),
    answer: rolledBack,
    errors: [404, 409, 422, 503, 507],
  }),
  rollBackSession: route({
    method: 'post',
    path: '/api/sessions/{session}/rollback',
    summary: 'Go back to where a session began',
    tag: 'rollback',
    in: 'workspace',
    params: inSession,
    body: z.strictObject({ ...choosingParts, ...branching, ...carryingOutOrNot }),
    answer: doneOrPlan,
    errors: [404, 409, 422, 503, 507],
  }),
  discardSession: route({
    method: 'post',
    path: '/api/sessions/{session}/discard',
    summary: "Take a session's work out of the workspace; what others did stays",
    tag: 'rollback',
    in: 'workspace',
    params: inSession,
    body: z.strictObject({
      all: flag.default(false).describe('Back to the state at its start, whoever changed what since.'),
      ...choosing,
      ...branching,
      ...carryingOutOrNot,
    }),
    answer: doneOrPlan,
    errors: [404, 409, 422, 503, 507],
  }),
  listRollbacks: route({
    method: 'get',
    path: '/api/rollbacks',
    summary: 'Every rollback, undo and redo, newest first',
    tag: 'rollback',
    in: 'workspace',
    query: z.strictObject({
      ...paging,
      session: sessionId.optional().describe('Only those that concern it.'),
      level: z.enum(ROLLBACK_LEVELS).optional().describe('Only those that went back to this.'),
      type: z.enum(ROLLBACK_KINDS).optional().describe('Only those of this kind.'),
    }),
    answer: z.object({ rollbacks: z.array(rollbackEntry), ...paged }).meta({ id: 'Rollbacks' }),
    errors: [404],
  }),
  undoRollback: route({
    method: 'post',
    path: '/api/rollback/{rollback}/undo',
    summary: 'Take a rollback back; the answer names the new one, which can be undone too',
    tag: 'rollback',
    in: 'workspace',
    params: z.strictObject({ rollback: address }),
    body: z.strictObject({ ...branching, ...carryingOutOrNot }),
    answer: doneOrPlan,
    errors: [404, 409, 422, 503, 507],
  }),
};
