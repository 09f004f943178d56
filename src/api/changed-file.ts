import { z } from 'zod';
import { count, pathFields } from './words.ts';

/** A file that a change is about, without its lines. */
export const changedFile = z
  .object({
    ...pathFields,
    status: z.enum(['added', 'modified', 'deleted', 'mode', 'type']),
    insertions: count,
    deletions: count,
    binary: z.boolean(),
  })
  .meta({ id: 'ChangedFile' });

/** What they come to. */
export const changedStats = z.object({ files: count, insertions: count, deletions: count }).meta({ id: 'ChangedStats' });
