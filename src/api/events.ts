import { z } from 'zod';
import { route } from './route.ts';
import { count, operationId, time } from './words.ts';

/** What is cheap to tell of any operation at the moment that it is recorded. What it changed takes reading, for those who want to show it. */
const recorded = z
  .object({
    id: operationId,
    sequence: z.int().min(1).describe('Its place in the log; numbers of records that were given up are missing.'),
    kind: z.string().describe('As `kind` of an Operation.'),
    session: z.string(),
    description: z.string().describe('One line; a long one is cut.'),
    name: z.string().nullable(),
    createdAt: time,
  })
  .meta({ id: 'RecordedOperation' });

const sessionChange = z.object({ operation: operationId, session: z.string(), agent: z.string().nullable() }).meta({ id: 'SessionChange' });

const foundFork = z
  .object({
    operation: operationId,
    session: z.string(),
    sessions: z.array(z.string()).describe('All that go on from there.'),
    at: z.string().nullable().describe('The message that the ways go out from; null for the beginning.'),
    children: z.array(z.string()).describe('The prompts where they part, oldest first.'),
    checkpoint: operationId.nullable().describe('The state of the code there; null where it is not known.'),
  })
  .meta({ id: 'FoundFork' });

const progress = z
  .object({
    id: z.string(),
    kind: z.string().describe('The name of the route that does it.'),
    workspace: z.string(),
    startedAt: time,
    progress: z.union([z.object({ files: count }), z.object({ done: count, total: count })]).nullable(),
    state: z.enum(['running', 'cancelling', 'done', 'failed', 'cancelled']),
  })
  .meta({ id: 'ProgressOfJob' });

const told = <const N extends string, D extends z.ZodType>(event: N, data: D) => z.object({ event: z.literal(event), data });

/** Everything that is told to those who listen: the event's name and its data, which is one line of JSON. */
export const serverEvent = z
  .discriminatedUnion('event', [
    told('hello', z.object({})).describe('You hear of everything from here on.'),
    told('reset', z.object({ reason: z.enum(['other-log', 'too-many']) })).describe(
      'What came in between can not be told: read anew what you show. What follows goes on from here.',
    ),
    told('operation', recorded).describe('Something was recorded, whoever did it.'),
    told('fork', foundFork).describe('After its operation: a place where a conversation goes on in several ways.'),
    told('session-started', sessionChange).describe('After its operation: a session began, or is gone on with.'),
    told('session-ended', sessionChange).describe('After its operation.'),
    told('progress', progress).describe('Work that this server does; only the newest of each is told to who is slow.'),
  ])
  .meta({ id: 'ServerEvent' });

export type ServerEvent = z.output<typeof serverEvent>;

export const eventRoutes = {
  getPosition: route({
    method: 'get',
    path: '/api/events/position',
    summary: 'Where the log is now: asked before anything else is read, and given to the events as `after`, nothing is missed in between',
    tag: 'events',
    in: 'workspace',
    answer: z.object({ after: z.string().describe('The `id` of the newest event.') }).meta({ id: 'Position' }),
    errors: [404],
  }),
  followEvents: route({
    method: 'get',
    path: '/api/events',
    summary: 'What happens in the workspace, as it happens; with the header Last-Event-ID, all since that event first',
    tag: 'events',
    in: 'workspace',
    query: z.strictObject({
      after: z
        .string()
        .max(200)
        .optional()
        .describe('The `id` of an event to go on after, for who can not set Last-Event-ID, which goes first.'),
    }),
    answer: { stream: 'text/event-stream', of: serverEvent },
    errors: [404, 503],
  }),
};
