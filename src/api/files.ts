import { z } from 'zod';
import { route } from './route.ts';
import { pathName } from './words.ts';

export const fileRoutes = {
  getFile: route({
    method: 'get',
    path: '/api/checkpoints/{checkpoint}/file',
    summary: 'The bytes of a file at a checkpoint; pictures as what they are, everything else to be saved',
    tag: 'checkpoints',
    in: 'workspace',
    params: z.strictObject({
      checkpoint: z.string().min(1).max(300).describe('As everywhere, or `@` for the present.'),
    }),
    query: z
      .strictObject({ path: pathName.optional(), pathBase64: z.base64().min(1).max(6000).optional() })
      .refine(({ path, pathBase64 }) => (path === undefined) !== (pathBase64 === undefined), { message: 'one of path and pathBase64' }),
    answer: { stream: 'application/octet-stream' },
    errors: [404, 413, 422, 503],
  }),
};
