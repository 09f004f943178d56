import { z } from 'zod';
import { ROLLBACK_SCOPES } from '../model/operation.ts';
import { changedFile, changedStats } from './changed-file.ts';
import { branching, carryingOutOrNot, choosing, done, plan } from './plan.ts';
import { route } from './route.ts';
import { address, branchName, count, onBranch, operationId, pathFields, sessionId, time } from './words.ts';

const messageId = z.string().describe('A message of the conversation.');

const ownFields = {
  branch: messageId.describe('What the branch is called: the message of its first prompt.'),
  sessionId: z.string(),
  sessions: z.array(z.string()),
  title: z.string(),
  from: messageId.nullable().describe('The message that it goes out from; null at the beginning.'),
  depth: count,
  current: z.boolean(),
  turns: count,
  checkpoints: count,
  steps: count.describe('Those that were recorded: ends of calls that can have changed something.'),
  toolCalls: count.describe('All that the conversation tells of, also those that only read or were not recorded.'),
  insertions: count.nullable(),
  deletions: count.nullable(),
  begin: operationId.nullable().describe('The code when its first prompt was sent.'),
  tip: operationId.nullable().describe('The code as it was last.'),
  startedAt: time.nullable(),
  lastAt: time.nullable(),
};

const treeFields = {
  ...ownFields,
  files: count.nullable(),
  checkpoint: operationId.nullable().describe('The code at the fork that it begins at.'),
};

interface Branch extends z.output<z.ZodObject<typeof treeFields>> {
  children: Branch[];
}

const branch: z.ZodType<Branch, Branch> = z
  .object({
    ...treeFields,
    get children() {
      return z.array(branch);
    },
  })
  .meta({ id: 'Branch' });

const fork = z
  .object({
    id: operationId.nullable().describe('Its record; null while nobody has recorded it.'),
    at: messageId.nullable(),
    children: z.array(messageId),
    sessions: z.array(z.string()),
    checkpoint: operationId.nullable(),
    reason: z.string().nullable().describe('Why there is no checkpoint.'),
  })
  .meta({ id: 'Fork' });

const side = z
  .object({
    ...ownFields,
    since: z.object({ turns: count, steps: count, toolCalls: count }),
    files: z.array(changedFile),
    stats: changedStats,
  })
  .meta({ id: 'ComparedBranch' });

const inPath = z.strictObject({ session: sessionId });
const common = { method: 'post', tag: 'forks', in: 'workspace', errors: [404, 409, 422, 503, 507] } as const;

export const forkRoutes = {
  getForkTree: route({
    method: 'get',
    path: '/api/sessions/{session}/fork-tree',
    summary: 'The branches of the conversation that a session belongs to, with the code of each and the way to its own',
    tag: 'forks',
    in: 'workspace',
    params: inPath,
    query: z.strictObject({
      branch: branchName.optional().describe('`breadcrumbs` lead there, and not to the branch that the session is on.'),
      all: z.boolean().default(false).describe('All conversations.'),
    }),
    answer: z
      .object({
        tree: z.array(branch),
        forks: z.array(fork),
        breadcrumbs: z.array(z.object({ branch: messageId, title: z.string() })).describe('From the beginning of the conversation.'),
      })
      .meta({ id: 'ForkTree' }),
    errors: [404],
  }),
  rollBackToFork: route({
    ...common,
    path: '/api/sessions/{session}/rollback-to-fork',
    summary: 'Go back to the state at a fork; without a body, at the only one',
    params: inPath,
    body: z
      .strictObject({
        fork: address.optional().describe('The fork by its record. Needed where the conversation has several.'),
        at: z.string().min(1).max(200).nullable().optional().describe('Or by the message that it is at; null for the beginning.'),
        scope: z.enum(ROLLBACK_SCOPES).optional().describe('As for a rollback to a checkpoint.'),
        ...branching,
        ...carryingOutOrNot,
      })
      .refine(({ fork, at }) => fork === undefined || at === undefined, { message: 'one of fork and at' }),
    answer: z.union([done, plan]),
  }),
  switchBranch: route({
    ...common,
    path: '/api/sessions/{session}/switch',
    summary: 'Go to another branch: its code as it was last, and its conversation',
    params: inPath,
    body: z.strictObject({
      branch: branchName
        .optional()
        .describe('Of the conversation that the session belongs to; without it, the one that the session is on.'),
      ...branching,
      ...carryingOutOrNot,
    }),
    answer: z.union([done, plan]),
  }),
  forkSession: route({
    ...common,
    path: '/api/sessions/{session}/fork',
    summary: 'Make a session that goes on from a checkpoint; the present one and the code stay as they are',
    params: inPath,
    query: z.strictObject(onBranch),
    status: 201,
    body: z.strictObject({
      checkpoint: address,
      name: z.string().min(1).max(200).optional().describe('What the fork is called.'),
      summary: z.enum(['from', 'upto']).optional().describe('All from the checkpoint on, or all up to it, is replaced by a summary.'),
    }),
    answer: z
      .object({
        id: operationId,
        sessionId: z.string(),
        resume: z.string().describe('The command that goes on with it.'),
        prompt: z.string().nullable().describe('What was asked there, for editing.'),
      })
      .meta({ id: 'ForkMade' }),
  }),
  compareForks: route({
    ...common,
    path: '/api/forks/compare',
    summary: 'What two branches made of the code since their ways parted',
    body: z.strictObject({ a: branchName, b: branchName }),
    answer: z
      .object({
        ancestor: z.object({ at: messageId.nullable(), checkpoint: operationId }),
        a: side,
        b: side,
        both: z
          .array(z.object({ ...pathFields, conflict: z.string().nullable() }))
          .describe('Files that both changed; with a reason where they can not be merged without a choice.'),
        divergence: z
          .number()
          .describe('0 where both made the same of it or only one of them changed it, 1 where they have nothing in common.'),
        lines: z.object({ a: count, b: count, common: count }),
      })
      .meta({ id: 'Comparison' }),
  }),
  mergeForks: route({
    ...common,
    path: '/api/forks/merge',
    summary: 'Take the code of one branch into the other, which must be the present one',
    body: z.strictObject({ a: branchName, b: branchName, ...choosing, ...branching, ...carryingOutOrNot }),
    answer: z.union([done, plan]),
  }),
};
