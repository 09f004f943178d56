/**
 * What to do about a conflict: what could not be merged, and only that, as the one side or the other has it, which is all of it where it
 * is not text; by hand, with markers in the file; or skipped, which leaves the path as ours has it and says so.
 */
export const MERGE_CHOICES = ['ours', 'theirs', 'manual', 'skip'] as const;
export type MergeChoice = (typeof MERGE_CHOICES)[number];
