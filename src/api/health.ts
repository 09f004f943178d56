import { z } from 'zod';
import { retention } from './reflog.ts';
import { route } from './route.ts';
import { confirming, count, expected, time } from './words.ts';

const look = {
  verdict: z.enum(['good', 'warning', 'critical']),
  checkedAt: time,
  concerns: z.array(
    z
      .object({
        verdict: z.enum(['warning', 'critical']),
        reason: z.string(),
        command: z.string().nullable().describe('What mends it; null where nothing does.'),
      })
      .meta({ id: 'Concern' }),
  ),
};

const store = z
  .object({
    ...look,
    size: z.object({ bytes: count, files: count, packs: count, looseObjects: count }),
    lastGc: time.nullable(),
    lastCheck: z.object({ at: time, full: z.boolean(), problem: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'StoreHealth' });

const ms = z.number().min(0).describe('Milliseconds.');

const times = z
  .object({
    kind: z.string(),
    count,
    mean: ms,
    slowest: ms,
    limit: ms.nullable().describe('What they may take; null for what takes as long as it takes.'),
    slow: count.describe('How many took longer.'),
    last: time,
  })
  .meta({ id: 'OperationTimes' });

const slow = z
  .object({
    at: time,
    kind: z.string(),
    ms,
    limit: ms,
    phases: z.record(z.string(), z.number()).describe('Where the time went.'),
    reasons: z.array(z.string()),
    amounts: z
      .object({ files: count.optional(), changes: count.optional(), bytes: count.optional(), gits: count.optional() })
      .describe('How much there was to do.'),
  })
  .meta({ id: 'SlowOperation' });

const mend = {
  changed: z
    .array(z.object({ key: z.string(), before: z.string().nullable(), after: z.string() }))
    .describe('What is set, and what is in force before; null where nothing is.'),
  expected,
};

export const healthRoutes = {
  getHealth: route({
    method: 'get',
    path: '/api/health',
    summary: "How the user's git, the store and the program are doing, and what took long",
    tag: 'git',
    in: 'workspace',
    answer: z
      .object({
        git: z
          .object({ ...look, retention })
          .nullable()
          .describe('Null where there is no repository.'),
        store: store.nullable().describe('Null where nothing is recorded.'),
        timings: z.object({ since: z.iso.date().nullable(), operations: z.array(times) }),
        slow: z.array(slow).describe('What took longer than it may, newest first.'),
      })
      .meta({ id: 'Health' }),
    errors: [404, 422],
  }),
  fixHealth: route({
    method: 'post',
    path: '/api/health/fix',
    summary: "Have the user's git keep its reflogs as long as `reflog.days` says, in the repository's own configuration",
    tag: 'git',
    in: 'workspace',
    body: z.strictObject(confirming),
    answer: z.union([
      z
        .object({ ...mend, verdict: look.verdict, overriding: z.array(z.string()).describe('Shorter settings that still count.') })
        .meta({ id: 'HealthFixed' }),
      z.object(mend).meta({ id: 'HealthFix' }),
    ]),
    errors: [404, 409, 422],
  }),
};
