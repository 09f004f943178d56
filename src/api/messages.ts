import { z } from 'zod';
import { route } from './route.ts';
import { address, time } from './words.ts';

const length = z.int().min(1).optional().describe('How many characters it has, where it is cut.');

const call = z.object({
  id: z.string(),
  name: z.string(),
  input: z.unknown().describe('Where it is cut, the beginning of its JSON as text.'),
  inputLength: length,
  result: z
    .object({ text: z.string(), textLength: length, isError: z.boolean() })
    .nullable()
    .describe('Null while the tool runs, and for a call that was never answered.'),
});

export const message = z
  .object({
    id: z.string(),
    parent: z.string().nullable(),
    role: z.enum(['user', 'assistant', 'system']),
    kind: z.enum(['prompt', 'reply', 'notice', 'summary']),
    isAdded: z.boolean().describe('A prompt that was typed while the agent worked.'),
    text: z.string(),
    textLength: length,
    calls: z.array(call),
    at: time.nullable(),
    promptId: z.string().nullable(),
    agentId: z.string().nullable(),
  })
  .meta({ id: 'Message' });

const howMany = z.int().min(0).max(200);

export const messageRoutes = {
  getMessages: route({
    method: 'get',
    path: '/api/checkpoints/{checkpoint}/messages',
    summary: 'What was said around a checkpoint, oldest first',
    tag: 'checkpoints',
    in: 'workspace',
    params: z.strictObject({ checkpoint: address }),
    query: z.strictObject({ before: howMany.default(30), after: howMany.default(0) }),
    answer: z.object({ session: z.string(), before: z.array(message), after: z.array(message) }).meta({ id: 'MessageContext' }),
    errors: [404, 422],
  }),
};
