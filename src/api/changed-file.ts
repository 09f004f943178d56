import { z } from 'zod';
import { count, pathFields } from './words.ts';

/** What is told of every file that a change is about. */
export const changedFileFields = {
  ...pathFields,
  status: z.enum(['added', 'modified', 'deleted', 'mode', 'type']),
  insertions: count,
  deletions: count,
  binary: z.boolean(),
};

/** The same alone, without its lines. */
export const changedFile = z.object(changedFileFields).meta({ id: 'ChangedFile' });

/** What they come to. */
export const changedStats = z.object({ files: count, insertions: count, deletions: count }).meta({ id: 'ChangedStats' });
