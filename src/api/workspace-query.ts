import { z } from 'zod';

/** What every route about a workspace takes besides its own query. */
export const workspaceQuery = z.strictObject({
  workspace: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Which workspace, by its `id`; the one that `retake serve` was called in last unless given.'),
});
