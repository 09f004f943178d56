import { z } from 'zod';

/** The words that all of the contract is made of. */

const OBJECT = /^[0-9a-f]{40}$/;

export const operationId = z.string().regex(OBJECT).describe('An operation of the log: the commit that holds it.');
export const time = z.iso.datetime().describe('For showing; the order of operations is that of the log.');
export const count = z.int().min(0);

/** Where a path is not UTF-8, its bytes beside the readable form. */
export const pathFields = { path: z.string(), pathBase64: z.base64().optional() };

/** What a checkpoint can be called by in a request. */
export const address = z
  .string()
  .min(1)
  .max(300)
  .describe('An id or the first digits of it, a name, `t3` for the state before turn 3, or `@-1` for the newest.');

export const sessionId = z
  .string()
  .min(1)
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what an id never holds
  .regex(/^[^\u0000-\u001f\u007f]+$/)
  .describe('The id of a session, or the first characters of it.');

export const branchName = z
  .string()
  .min(1)
  .max(200)
  .describe('A branch of a conversation by its id, by a session that is on it, or `@` for the one that is gone on with.');

/** Where a checkpoint is named by its turn. */
export const onBranch = {
  branch: branchName.optional().describe('The branch that turns (`t3`) are counted along; the one that the session is on unless told.'),
};

export const pathName = z.string().min(1).max(4096).describe('A path below the root of the workspace.');

export const counts = z
  .object({ changed: count, insertions: count, deletions: count })
  .meta({ id: 'ChangeCounts', description: 'Files and lines that differ.' });

/** What every list takes. */
export const paging = {
  limit: z.int().min(1).max(500).default(50).describe('At most so many.'),
  cursor: z.string().max(300).optional().describe('`next` of the page before.'),
};

/** What every list tells of itself. */
export const paged = {
  total: count.describe('How many there are on all pages.'),
  next: z.string().nullable().describe('The cursor of the next page; null on the last one.'),
};

export const flag = z.boolean();

/** By this a plan is known again. */
export const expected = z.string().describe('To be given back when it is applied: the same as long as the same would be done.');

/** Of requests that are shown first. */
export const confirming = {
  dryRun: z.boolean().default(false).describe('Only tell what would be done.'),
  expected: z.string().min(1).max(200).optional().describe('Of the plan that was shown; any other is refused.'),
};
