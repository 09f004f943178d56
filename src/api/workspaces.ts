import { z } from 'zod';
import { route } from './route.ts';
import { count, operationId, paged, paging, time } from './words.ts';

const workspace = z
  .object({
    id: z.string().describe('For `?workspace=`.'),
    root: z.string().describe('Its directory, readable.'),
    isThere: z.boolean().describe('False where the directory is gone, or another one at its place, and only the records are left.'),
    isDefault: z.boolean().describe('What requests are about that name none.'),
    isProtected: z.boolean().describe('Something is recorded of it.'),
    checkpoints: count,
    rollbacks: count,
    newest: z.object({ id: operationId, createdAt: time, description: z.string() }).nullable(),
    problem: z.string().nullable().describe('Why its records can not be read, if they can not.'),
  })
  .meta({ id: 'Workspace' });

export const workspaceRoutes = {
  listWorkspaces: route({
    method: 'get',
    path: '/api/workspaces',
    summary: 'Every workspace of which something is recorded, and the one that is served',
    tag: 'workspaces',
    in: 'server',
    query: z.strictObject(paging),
    answer: z.object({ workspaces: z.array(workspace), ...paged }).meta({ id: 'Workspaces' }),
    errors: [],
  }),
};
