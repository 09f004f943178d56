import { z } from 'zod';
import { ROLLBACK_SCOPES } from '../model/operation.ts';
import { count, counts, operationId, time } from './words.ts';

const gitAtRecord = z
  .object({
    branch: z.string().nullable(),
    commit: z.string().nullable(),
    staged: z.object({ count, paths: z.array(z.string()) }).nullable(),
    underWay: z.string().nullable(),
    stash: z.string().nullable(),
    moves: z.array(z.unknown()),
    news: z.array(z.string()).describe('What git did since the record before, in words.'),
  })
  .meta({ id: 'GitAtRecord', description: "The user's git when something was recorded." });

const owner = z.object({ id: operationId, description: z.string(), agentId: z.string().nullable(), turn: count.nullable() });

/** What was done beyond the files of the workspace, and did not go back with them. */
export const remaining = z
  .object({
    outside: z.array(z.string()).describe('Files outside the workspace.'),
    git: z.boolean().describe('Where git was moved to, as by a commit.'),
  })
  .nullable()
  .describe('What is still there of it although its files were taken back; null where nothing is.');

export const forkPoint = z
  .object({ fork: operationId.nullable().describe('Its record; null while nobody has recorded it.'), ways: count })
  .meta({ id: 'ForkPoint', description: 'A place where a conversation was continued in several ways.' });

/** One entry of the log, as `retake log --json` tells it. */
export const operation = z
  .object({
    id: operationId,
    kind: z.string().describe('What it is: an event of the agent, `manual`, `safety`, `rollback`, `undo`, `keep`, `fork` …'),
    session: z.string(),
    branch: z.string().nullable().describe('The branch of the conversation that it belongs to.'),
    turn: count.nullable(),
    messageId: z.string().nullable(),
    agent: z.string().nullable(),
    tool: z.string().nullable(),
    toolUseId: z.string().nullable(),
    agentId: z.string().nullable(),
    agentType: z.string().nullable(),
    description: z.string(),
    name: z.string().nullable(),
    note: z.string().nullable(),
    pinned: z.boolean(),
    createdAt: time,
    imported: z.object({ from: operationId, source: z.string(), at: time }).optional(),
    files: counts.nullable().describe('Null where damage keeps us from counting.'),
    by: z.string().nullable().describe('Whose doing the change is.'),
    owners: z.array(owner).optional(),
    status: z.string(),
    rolledBack: z.enum(ROLLBACK_SCOPES).nullable().describe('What of it was taken back since.'),
    remaining,
    state: z.string().nullable().describe('Of a step: whether it can be recovered.'),
    expiresAt: time.nullable(),
    forkPoint: forkPoint
      .nullable()
      .describe('The fork that is there: of the record of the code at it, and of the prompts where its ways part.'),
    git: gitAtRecord.nullable(),
  })
  .meta({ id: 'Operation' });
