import { z } from 'zod';
import { operation } from './operation.ts';
import { branching, carryingOutOrNot, choosing, done, plan } from './plan.ts';
import { route } from './route.ts';
import { branchName, paged, paging, sessionId, time } from './words.ts';

/** What a step, or a commit of the user's git, can be called by. */
export const commitInPath = z.strictObject({
  commit: z.string().min(1).max(300).describe('A step by its id or the first digits of it, or by whatever else the command line takes.'),
});

export const commitRoutes = {
  listCommits: route({
    method: 'get',
    path: '/api/sessions/{session}/commits',
    summary: 'The steps of a session that changed something, newest first, with what can still be done about each',
    tag: 'steps',
    in: 'workspace',
    params: z.strictObject({ session: sessionId }),
    query: z.strictObject({
      ...paging,
      agentId: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('Only those of a subagent, or of an agent by its name for what it did itself.'),
      turn: z.int().min(1).optional().describe('Only those of one turn, counted along the branch.'),
      branch: branchName.optional().describe('Those that lead to the end of this branch, in place of the one that the session is on.'),
      all: z.boolean().default(false).describe('On whatever branch of the conversation.'),
    }),
    answer: z.object({ commits: z.array(operation), ...paged }).meta({ id: 'Commits' }),
    errors: [404],
  }),
  getGitCommit: route({
    method: 'get',
    path: '/api/git/commits/{commit}',
    summary: "A commit of the user's git, by its hash, also one that only Retake still holds",
    tag: 'git',
    in: 'workspace',
    params: z.strictObject({
      commit: z
        .string()
        .regex(/^[0-9a-fA-F]{4,64}$/)
        .describe('Its hash, or the first digits of it.'),
    }),
    answer: z
      .object({
        commit: z.string(),
        parents: z.array(z.string()),
        author: z.string(),
        createdAt: time,
        message: z.string(),
        onlyHeld: z.boolean().describe("Whether the user's repository does not have it any more."),
      })
      .meta({ id: 'GitCommit' }),
    errors: [404, 409],
  }),
  revertCommit: route({
    method: 'post',
    path: '/api/commits/{commit}/revert',
    summary: 'Take out what one step did; all that came later stays',
    tag: 'steps',
    in: 'workspace',
    params: commitInPath,
    body: z.strictObject({
      session: sessionId.optional().describe('Whose turns are meant, where `t3` or an agent is named.'),
      ...choosing,
      ...branching,
      ...carryingOutOrNot,
    }),
    answer: z.union([done, plan]),
    errors: [404, 409, 422, 503, 507],
  }),
};
