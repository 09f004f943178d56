import { hunksBetween, seeHunks } from '../../src/diff/text/index.ts';
import { hunkJson } from '../../src/json/hunks.ts';
import type { DiffFile, DiffHunk } from '../../src/web/client/types.ts';

/** What the program itself says of two texts, as the page gets it: from a line on, as many as wanted. */
const readHunks = (before: string, after: string, skip = 0, most = Number.POSITIVE_INFINITY): DiffHunk[] => {
  const window = { skip, most };
  return seeHunks(hunksBetween(Buffer.from(before), Buffer.from(after)), window).hunks.map((hunk) => hunkJson(hunk, window));
};

export const hunksOf = (before: string, after: string): DiffHunk[] => readHunks(before, after);

/** The same in pages of so many lines. */
export const pagesOf = (before: string, after: string, size: number): DiffHunk[][] => {
  const total = hunksOf(before, after).reduce((sum, { lines }) => sum + lines.length, 0);
  return Array.from({ length: Math.ceil(total / size) }, (_, at) => readHunks(before, after, at * size, size));
};

export const fileAt = (path: string, more: Partial<DiffFile> = {}): DiffFile => ({
  path,
  status: 'modified',
  insertions: 1,
  deletions: 1,
  binary: false,
  ...more,
});
