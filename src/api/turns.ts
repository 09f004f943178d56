import { z } from 'zod';
import { ROLLBACK_SCOPES } from '../model/operation.ts';
import { message } from './messages.ts';
import { forkPoint, remaining } from './operation.ts';
import { route } from './route.ts';
import { branchName, count, counts, flag, operationId, paged, paging, sessionId, time } from './words.ts';

const messageId = z.string().min(1).max(200);

const turn = z
  .object({
    number: z.int().min(1).describe('Counted along the branch.'),
    messageId: messageId.nullable().describe('Its prompt; null where the conversation is gone, or does not have it yet.'),
    branch: messageId.nullable(),
    title: z.string().describe("The prompt's first line."),
    at: time.nullable(),
    checkpoint: operationId.nullable().describe('The code when the prompt was sent; null where that was not recorded.'),
    last: operationId.nullable().describe('The code as it was last in this turn.'),
    checkpoints: count,
    steps: count.describe('Those that were recorded: ends of calls that can have changed something.'),
    toolCalls: count.nullable().describe('All calls that the conversation tells of; null where it does not have the turn.'),
    files: counts.nullable().describe('From the prompt to the end of the turn, whoever did it; null where that can not be told.'),
    forkPoint: forkPoint.nullable().describe('The fork that the turn is one way from.'),
    rolledBack: z.enum(ROLLBACK_SCOPES).nullable().describe('What of it was taken back since.'),
    remaining,
  })
  .meta({ id: 'Turn' });

const common = { method: 'get', tag: 'sessions', in: 'workspace', errors: [404] } as const;

export const turnRoutes = {
  listTurns: route({
    ...common,
    path: '/api/sessions/{session}/turns',
    summary: 'The turns of a session, newest first, each with what became of the code in it',
    params: z.strictObject({ session: sessionId }),
    query: z.strictObject({
      ...paging,
      branch: branchName.optional().describe('The way to the end of this branch; without it, of the one that the session is on.'),
      forkPoints: flag.default(false).describe('Only those that are one of several ways to go on.'),
    }),
    answer: z.object({ turns: z.array(turn), ...paged }).meta({ id: 'Turns' }),
  }),
  getTurnMessages: route({
    ...common,
    path: '/api/sessions/{session}/turns/{message}/messages',
    summary: 'What was said in a turn, from its prompt up to the next one, oldest first; on whatever branch it is',
    params: z.strictObject({ session: sessionId, message: messageId.describe('The `messageId` of the turn.') }),
    query: z.strictObject(paging),
    answer: z.object({ messages: z.array(message), ...paged }).meta({ id: 'TurnMessages' }),
  }),
};
