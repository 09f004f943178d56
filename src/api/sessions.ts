import { z } from 'zod';
import { route } from './route.ts';
import { count, operationId, paged, paging, sessionId, time } from './words.ts';

const work = z.object({ steps: count, kept: count, rolledBack: count, recovered: count });

const session = {
  id: z.string(),
  agent: z.string(),
  title: z.string().describe('The first prompt.'),
  state: z
    .enum(['open', 'ended', 'unrecorded'])
    .describe('`unrecorded`: a conversation without code, from before Retake or not gone on with yet.'),
  status: z.enum(['active', 'kept', 'rolled-back', 'partially-recovered']).describe('What became of its work.'),
  work,
  expiresAt: time.nullable().describe('When the first of what was rolled back may be given up.'),
  isCurrent: z.boolean().describe('It is the one that is gone on with.'),
  isImported: z.boolean(),
  turns: count.describe('Its own, on whatever branch of the conversation; those that it has copies of are other sessions’.'),
  steps: count.describe('Those that were recorded in it, on whatever branch: ends of calls that can have changed something.'),
  messages: count.nullable().describe("Null where the agent's file is gone."),
  forks: count.describe('Places where it was continued in several ways.'),
  branch: z.string().nullable().describe('The branch that it is on.'),
  currentCheckpoint: operationId.nullable().describe('The newest record of its content.'),
  startedAt: time.nullable(),
  lastAt: time.nullable(),
};

const inPath = z.strictObject({ session: sessionId });

export const sessionRoutes = {
  listSessions: route({
    method: 'get',
    path: '/api/sessions',
    summary: "Agents' conversations in the workspace, newest first, with what became of their work",
    tag: 'sessions',
    in: 'workspace',
    query: z.strictObject({ ...paging, status: session.status.optional() }),
    answer: z.object({ sessions: z.array(z.object(session).meta({ id: 'Session' })), ...paged }).meta({ id: 'Sessions' }),
    errors: [404],
  }),
  getSession: route({
    method: 'get',
    path: '/api/sessions/{session}',
    summary: 'One session, with what its work comes to in the present',
    tag: 'sessions',
    in: 'workspace',
    params: inPath,
    answer: z
      .object({
        ...session,
        onBranch: z
          .object({ turns: count, steps: count })
          .describe('On the branch that it is on, with what came from other sessions: what `t1`, `t2` … name.'),
        files: count.describe('Of its work that is in the present.'),
        insertions: count.describe(
          'Edit by edit: a line that one adds and another takes out counts for both. A report tells what they come to.',
        ),
        deletions: count,
        tools: z.array(z.string()).describe('Those that it used, for `?tool=`.'),
        agents: z.array(z.string()).describe('Those that worked in it, for `?agentId=`.'),
      })
      .meta({ id: 'SessionDetails' }),
    errors: [404],
  }),
};
