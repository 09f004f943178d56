import { z } from 'zod';
import { CHECKPOINT_KINDS } from '../model/operation.ts';
import { changedFileFields } from './changed-file.ts';
import { operation } from './operation.ts';
import { carryingOut } from './plan.ts';
import { route } from './route.ts';
import { address, branchName, count, flag, onBranch, operationId, paged, paging, pathFields, sessionId, time } from './words.ts';

const message = {
  messageUuid: z.string().nullable().describe('The prompt of its turn; null where the conversation does not tell.'),
  messageTimestamp: time.nullable(),
  messagePreview: z.string().nullable().describe("The prompt's first line."),
};

const checkpoint = operation.extend(message).meta({ id: 'Checkpoint', description: 'An operation that holds a state one can go back to.' });

const tree = z.string().nullable().describe('One word for the state: equal exactly when bytes, types and permissions are.');

const omissions = z.array(z.object({ ...pathFields, reason: z.string() })).describe('What could not be captured.');

const change = z
  .object({
    ...changedFileFields,
    by: z.string().nullable().describe('Whose doing it is.'),
    owners: z.array(operationId).describe('The steps that may have done it.'),
  })
  .meta({ id: 'OwnedChange' });

const details = checkpoint
  .extend({
    changes: z.array(change).describe('Against the record before it.'),
    tree,
    omissions,
    bytesAdded: count,
    place: z
      .object({ number: z.int().min(1), total: count, older: operationId.nullable(), newer: operationId.nullable() })
      .describe(
        'Among the checkpoints of its own session, counted from the oldest: on the way to the end of the branch that is asked for or that the session is on; on that to the end of its own, where it is on neither.',
      ),
  })
  .meta({ id: 'CheckpointDetails' });

const created = z
  .object({
    id: operationId,
    tree,
    status: z.enum(['complete', 'partial']),
    omissions,
    changed: count
      .nullable()
      .describe('Files that differ from the record before; none for the first one, null where that record is damaged.'),
    files: count.describe('All files that it holds.'),
    isNew: z.boolean().describe('False where nothing had changed and no name or note was given: then it is the newest one.'),
  })
  .meta({ id: 'CreatedCheckpoint' });

const base = z
  .object({
    session: z.string(),
    checkpoint,
    commits: z
      .object({ count, ids: z.array(operationId).describe('The newest 500.') })
      .describe('Steps of the session that changed something, newest first.'),
  })
  .meta({ id: 'SessionBase', description: 'Where a session began, and what was done since.' });

const creating = z.strictObject({
  name: z.string().max(200).optional(),
  note: z.string().max(10_000).optional(),
  job: carryingOut.job,
});

const ofSession = z.strictObject({ session: sessionId });
const ofCheckpoint = z.strictObject({ session: sessionId, checkpoint: address });

const common = { tag: 'checkpoints', in: 'workspace' } as const;

export const checkpointRoutes = {
  listCheckpoints: route({
    ...common,
    method: 'get',
    path: '/api/sessions/{session}/checkpoints',
    summary: 'The checkpoints of a session, newest first, each with the prompt that it was made for',
    params: ofSession,
    query: z.strictObject({
      ...paging,
      branch: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe(
          'The way to the end of this branch; without it, of the one that the session is on. What belongs to no branch is on each.',
        ),
      kind: z.enum(CHECKPOINT_KINDS).optional(),
      forkPoints: flag.default(false).describe('Only those at which the conversation was continued in several ways.'),
      tool: z.string().min(1).max(200).optional().describe('Only those of this tool.'),
      agentId: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('Only those of a subagent, or of an agent by its name for what it did itself.'),
    }),
    answer: z.object({ checkpoints: z.array(checkpoint), ...paged }).meta({ id: 'Checkpoints' }),
    errors: [404],
  }),
  createCheckpoint: route({
    ...common,
    method: 'post',
    path: '/api/sessions/{session}/checkpoints',
    summary: 'Records the workspace as it is now; the session may be `local`, which is nobody’s',
    params: ofSession,
    body: creating,
    status: 201,
    answer: created,
    errors: [404, 409, 422, 503, 507],
  }),
  getCheckpoint: route({
    ...common,
    method: 'get',
    path: '/api/sessions/{session}/checkpoints/{checkpoint}',
    summary: 'One checkpoint in full, with the files it changed and whose doing each is',
    params: ofCheckpoint,
    query: z.strictObject({
      branch: branchName.optional().describe('The one that `place` is told for, and that turns (`t3`) are counted along.'),
    }),
    answer: details,
    errors: [404, 422],
  }),
  annotateCheckpoint: route({
    ...common,
    method: 'put',
    path: '/api/sessions/{session}/checkpoints/{checkpoint}',
    summary: 'Names, notes or pins a checkpoint: all that is given, or nothing where a part is refused',
    params: ofCheckpoint,
    query: z.strictObject(onBranch),
    body: z.strictObject({
      name: z.string().max(200).nullable().optional().describe('Null for none.'),
      note: z.string().max(10_000).nullable().optional().describe('Null for none.'),
      pinned: z.boolean().optional().describe('Kept until it is deleted.'),
    }),
    answer: details,
    errors: [404, 422, 503, 507],
  }),
  deleteCheckpoint: route({
    ...common,
    method: 'delete',
    path: '/api/sessions/{session}/checkpoints/{checkpoint}',
    summary: 'Takes a checkpoint out of the log; not one that undoing a rollback needs',
    params: ofCheckpoint,
    query: z.strictObject(onBranch),
    answer: z.object({ id: operationId, deleted: z.literal(true) }).meta({ id: 'DeletedCheckpoint' }),
    errors: [404, 409, 422, 503, 507],
  }),
  getBase: route({
    ...common,
    method: 'get',
    path: '/api/sessions/{session}/checkpoint',
    summary: 'Where the session began, and the steps since',
    params: ofSession,
    answer: base,
    errors: [404],
  }),
  createBase: route({
    ...common,
    method: 'post',
    path: '/api/sessions/{session}/checkpoint',
    summary: 'Makes the present the beginning of a session of which nothing is recorded',
    params: ofSession,
    body: creating,
    status: 201,
    answer: base,
    errors: [404, 409, 422, 503, 507],
  }),
};
