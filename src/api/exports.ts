import { z } from 'zod';
import { jobId } from './jobs.ts';
import { route } from './route.ts';
import { sessionId } from './words.ts';

const common = {
  method: 'get',
  tag: 'exports',
  in: 'workspace',
  params: z.strictObject({ session: sessionId }),
  errors: [404, 422],
} as const;

/** Documents to be kept: browsers are told to save them, so that nothing of them runs here. */
export const exportRoutes = {
  exportSession: route({
    ...common,
    path: '/api/sessions/{session}/export',
    summary: 'All that is recorded of a session, and what was said, as the file that `retake import` takes',
    query: z.strictObject({
      conversation: z.boolean().default(true).describe('With what was said.'),
      job: jobId.optional().describe('A name for what is done before the file is sent; its progress comes as events.'),
    }),
    answer: { stream: 'application/x-tar' },
    errors: [...common.errors, 409],
  }),
  getReport: route({
    ...common,
    path: '/api/sessions/{session}/report',
    summary: 'What an agent did in a session, turn by turn with its changes, as one document to read',
    query: z.strictObject({ format: z.enum(['markdown', 'html']).default('markdown') }),
    answer: { stream: 'text/markdown' },
    orStream: { stream: 'text/html' },
  }),
};
