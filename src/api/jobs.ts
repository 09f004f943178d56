import { z } from 'zod';
import { route } from './route.ts';
import { count, paged, paging, time } from './words.ts';

export const jobId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

const job = z
  .object({
    id: jobId,
    kind: z.string().describe('What is done: the `operationId` of the request.'),
    workspace: z.string().describe('The `id` of the workspace.'),
    startedAt: time,
    progress: z
      .union([z.object({ files: count.describe('Files looked at so far.') }), z.object({ done: count, total: count })])
      .nullable()
      .describe('Null until there is something to tell.'),
    state: z.enum(['running', 'cancelling', 'done', 'failed', 'cancelled']),
  })
  .meta({ id: 'Job', description: 'Work that takes a while. The request that began it is answered when it is over.' });

export const jobRoutes = {
  listJobs: route({
    method: 'get',
    path: '/api/jobs',
    summary: 'What is under way, oldest first, in all workspaces',
    tag: 'jobs',
    in: 'server',
    query: z.strictObject(paging),
    answer: z.object({ jobs: z.array(job), ...paged }).meta({ id: 'Jobs' }),
    errors: [],
  }),
  cancelJob: route({
    method: 'delete',
    path: '/api/jobs/{job}',
    summary:
      'Ask it to end: before it writes it simply ends, while it writes it takes back what was done, and after the last change it stands. A checkpoint that is being taken and commits that are being made are finished. The request that began it tells which',
    tag: 'jobs',
    in: 'server',
    params: z.strictObject({ job: jobId }),
    answer: job,
    errors: [404],
  }),
};
