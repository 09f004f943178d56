import { z } from 'zod';
import { commitInPath } from './commits.ts';
import { besideCommits, commitFields } from './keep.ts';
import { carryingOutOrNot, choosing, done, plan } from './plan.ts';
import { route } from './route.ts';
import { operationId, sessionId } from './words.ts';

const commit = z.object({ id: z.string().nullable().optional().describe('When it is made.'), ...commitFields });

/** What a recovery becomes in git. All of it is missing where no commits were asked for. */
const inGit = {
  branch: z.string().nullable().optional(),
  commits: z.array(commit).nullable().optional().describe('Null while something has to be settled before anybody can tell.'),
  leftOut: besideCommits.leftOut.optional(),
  staged: besideCommits.staged.optional(),
};

const recovered = done.extend(inGit).meta({ id: 'Recovered' });
const toRecover = plan.extend(inGit).meta({ id: 'RecoveryPlan' });

const finished = z
  .object({
    recovery: operationId,
    left: z.null(),
    ...inGit,
    expectedTree: z.string().optional().describe('Of a dry run: to be given back when the commits are to be made.'),
  })
  .meta({ id: 'RecoveryFinished', description: 'All that was left was to be finished by hand, and is, or to be committed.' });

const squashing = {
  strategy: z.enum(['sequential', 'squash']).default('sequential').describe('Each step by itself, or all of them as one change.'),
  commit: z.boolean().default(false).describe('Commit it too: each step or turn by itself, or as one.'),
};

const common = { method: 'post', tag: 'steps', in: 'workspace', errors: [404, 409, 422, 503, 507] } as const;

/** One recovery can be under way in a workspace, whichever sessions its steps are of: that is gone on with, or given up, by routes of its own. */
export const recoveryRoutes = {
  recoverSession: route({
    ...common,
    path: '/api/sessions/{session}/recover',
    summary: 'Do steps of a session again that were rolled back, on top of the present; all of them unless some are named',
    params: z.strictObject({ session: sessionId }),
    body: z.strictObject({
      steps: z
        .array(z.string().min(1).max(300))
        .min(1)
        .max(1000)
        .optional()
        .describe('Steps by their ids, `t3` for all of a turn, a rollback for all that it left behind, or commits as git names them.'),
      ...squashing,
      ...choosing,
      ...carryingOutOrNot,
    }),
    answer: z.union([recovered, toRecover]),
  }),
  recoverCommit: route({
    ...common,
    path: '/api/commits/{commit}/recover',
    summary: "Do one step again that was rolled back, or a commit of the user's git, on top of the present",
    params: commitInPath,
    body: z.strictObject({
      session: sessionId.optional().describe('Whose turns are meant, where `t3` is named.'),
      commit: squashing.commit,
      ...choosing,
      ...carryingOutOrNot,
    }),
    answer: z.union([recovered, toRecover]),
  }),
  continueRecovery: route({
    ...common,
    path: '/api/recover/continue',
    summary: 'Go on with the recovery that stopped for something to be finished by hand',
    body: z.strictObject({ ...choosing, ...carryingOutOrNot }),
    answer: z.union([recovered, finished, toRecover]),
  }),
  abortRecovery: route({
    ...common,
    path: '/api/recover/abort',
    summary: 'Take back what the recovery under way did so far',
    body: z.strictObject(carryingOutOrNot),
    answer: z.union([
      z
        .object({
          undone: z.array(operationId.nullable()).describe('Its parts, newest first: the record that took each back, if one had to.'),
        })
        .meta({ id: 'RecoveryAborted' }),
      plan,
    ]),
  }),
};
