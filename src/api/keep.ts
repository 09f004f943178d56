import { z } from 'zod';
import { changedFile } from './changed-file.ts';
import { carryingOut } from './plan.ts';
import { route } from './route.ts';
import { count, operationId, pathFields, sessionId } from './words.ts';

/** A commit of the user's that is to be made, or was. */
export const commitFields = {
  headline: z.string(),
  message: z.string(),
  turns: z.array(count),
  files: z.array(changedFile),
  insertions: count,
  deletions: count,
};

/** What goes with the commits. */
export const besideCommits = {
  leftOut: z.array(z.object({ ...pathFields, reason: z.string() })).describe('What belongs in no commit, and why.'),
  staged: z.array(z.object(pathFields)).describe('What the user has staged: it stays as it is.'),
};

const planFields = {
  session: z.string(),
  branch: z.string().nullable().describe('The branch of git that the commits are for; null where HEAD is on none.'),
  head: z.string().nullable().describe('The commit that they come on top of.'),
  ...besideCommits,
  pushTo: z.string().nullable(),
  expected: z.string().describe('To be given back when it is carried out: the same as long as the commits would be the same.'),
};

const keepPlan = z.object({ ...planFields, commits: z.array(z.object(commitFields)) }).meta({ id: 'KeepPlan' });

const kept = z
  .object({
    ...planFields,
    commits: z.array(z.object({ id: z.string().nullable(), ...commitFields })),
    id: operationId,
    safetyCheckpoint: operationId,
    pushed: z.boolean(),
  })
  .meta({ id: 'Kept' });

export const keepRoutes = {
  keepSession: route({
    method: 'post',
    path: '/api/sessions/{session}/keep',
    summary: "Put a session's work on the current git branch, as commits of the user's",
    tag: 'steps',
    in: 'workspace',
    params: z.strictObject({ session: sessionId }),
    body: z
      .strictObject({
        each: z.boolean().default(false).describe('A commit for each turn.'),
        squash: z.boolean().default(false).describe('One commit for all of it, which is what happens unless told otherwise.'),
        all: z.boolean().default(false).describe('With what the user changed in between.'),
        push: z.boolean().default(false).describe('Push the branch afterwards.'),
        dryRun: z.boolean().default(false).describe('Only tell the commits.'),
        expected: z.string().min(1).max(200).optional().describe('Of the plan that was shown; any other is refused.'),
        job: carryingOut.job,
      })
      .refine(({ each, squash }) => !(each && squash), { message: 'each and squash exclude each other' }),
    answer: z.union([kept, keepPlan]),
    errors: [404, 409, 422, 503, 507],
  }),
};
