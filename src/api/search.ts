import { z } from 'zod';
import { operation } from './operation.ts';
import { route } from './route.ts';
import { paged, paging } from './words.ts';

export const searchRoutes = {
  search: route({
    method: 'get',
    path: '/api/search',
    summary: 'Checkpoints whose name, note or description hold all words, newest first',
    tag: 'checkpoints',
    in: 'workspace',
    query: z.strictObject({ ...paging, q: z.string().max(500).regex(/\S/).describe('Words.') }),
    answer: z.object({ operations: z.array(operation), ...paged }).meta({ id: 'FoundOperations' }),
    errors: [404],
  }),
};
