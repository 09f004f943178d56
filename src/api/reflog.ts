import { z } from 'zod';
import { route } from './route.ts';
import { confirming, count, expected, paged, paging, sessionId, time } from './words.ts';

const entry = z
  .object({
    ref: z.string(),
    selector: z.string(),
    commit: z.string(),
    from: z.string(),
    action: z.string(),
    message: z.string(),
    who: z.string(),
    at: time,
    session: z.string().nullable().describe('The session that made the commit, or that was under way.'),
    sessionBy: z.enum(['trailer', 'time']).nullable(),
    sessions: z.array(z.string()).describe('All that were under way.'),
    recoverable: z.boolean().nullable().describe('Whether the commit is still there; null where asking might fetch it.'),
    reachable: z.boolean().nullable(),
    expiresAt: time.nullable().describe('When git may clear the entry away; null for never.'),
  })
  .meta({ id: 'ReflogEntry' });

/** Days that entries stay; null for ever. */
export const retention = z.object({ reachable: z.number().nullable(), unreachable: z.number().nullable() });

const words = z.string().max(500).describe('Only entries that hold all of these words: in message, action, ref or commit id.');

const missing = z
  .object({
    ref: z.string(),
    commit: z.string(),
    from: z.string(),
    action: z.string(),
    message: z.string(),
    who: z.string(),
    at: time,
    state: z.enum(['restorable', 'gone', 'no-ref']),
  })
  .meta({ id: 'MissingReflogEntry' });

const restore = {
  restored: z.array(missing).describe('What comes back, newest first.'),
  gone: z.array(missing).describe('What does not: the commits are no longer in the repository.'),
  left: z.array(missing).describe('Of refs that were removed, and of the stash unless it is asked for.'),
  notBackedUp: z.array(z.string()).describe('Logs that were too large, or too many.'),
  expired: count.describe('How many git would clear away again at once.'),
  expected,
};

export const reflogRoutes = {
  listReflog: route({
    method: 'get',
    path: '/api/reflog',
    summary: "Where the user's HEAD and branches have been, newest first, and until when that can be brought back",
    tag: 'git',
    in: 'workspace',
    query: z.strictObject({
      ...paging,
      q: words.optional(),
      sessionId: sessionId.optional().describe('Only while this session was at work, or made by it.'),
    }),
    answer: z
      .object({
        entries: z.array(entry),
        ...paged,
        garbage: count.describe('Lines of log files that are no entries.'),
        unreadable: z.array(z.string()),
      })
      .meta({ id: 'Reflog' }),
    errors: [404, 422],
  }),
  getReflogStats: route({
    method: 'get',
    path: '/api/reflog/stats',
    summary: 'How many entries there are, since when, and how long they stay',
    tag: 'git',
    in: 'workspace',
    answer: z
      .object({
        retention,
        logs: count,
        entries: count,
        sessions: count,
        recoverable: count.nullable(),
        oldest: time.nullable(),
        bytes: count.nullable(),
        garbage: count,
      })
      .meta({ id: 'ReflogStats' }),
    errors: [404, 422],
  }),
  restoreReflog: route({
    method: 'post',
    path: '/api/reflog/restore',
    summary: 'Put entries back that a backup has and the reflogs lack',
    tag: 'git',
    in: 'workspace',
    body: z.strictObject({ q: words.optional(), ...confirming }),
    answer: z.union([
      z.object({ ...restore, count: count.describe('How many came back.') }).meta({ id: 'ReflogRestored' }),
      z.object(restore).meta({ id: 'ReflogRestore' }),
    ]),
    errors: [404, 409, 422, 503, 507],
  }),
};
