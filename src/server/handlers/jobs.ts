import { RetakeError } from '../../model/index.ts';
import type { HandlersOf } from '../handler.ts';
import { pageOf } from '../page.ts';

export const jobHandlers: HandlersOf<'listJobs' | 'cancelJob'> = {
  listJobs: ({ shared, query }) => {
    const { items, total, next } = pageOf(shared.jobs.list(), ({ id }) => id, query);
    return { jobs: items, total, next };
  },
  cancelJob: ({ shared, params }) => {
    const job = shared.jobs.cancel(params.job);
    if (job === undefined)
      throw new RetakeError('unknown-id', `There is no job ${params.job}, or no longer`, { hint: 'GET /api/jobs lists them.' });
    return job;
  },
};
