import { type ByteString, toBytes } from '../../model/index.ts';
import { type Hunk, toHunks } from './hunks.ts';
import { diffLines } from './line-diff.ts';
import { isBinary, splitLines } from './lines.ts';

/** What turns the one content into the other, as a patch shows it; none for binary content, which is taken as a whole. */
export const hunksBetween = (before: Buffer, after: Buffer): Hunk[] => {
  if (isBinary(before) || isBinary(after)) return [];
  const [oldLines, newLines] = [splitLines(before), splitLines(after)];
  return toHunks(diffLines(oldLines, newLines), oldLines, newLines);
};

/** The content with some of its hunks, in their order, and everything else as it is. */
export const withHunks = (before: Buffer, hunks: readonly Hunk[]): Buffer => {
  const lines = splitLines(before);
  const result: ByteString[] = [];
  let done = 0;
  const keepUpTo = (end: number): void => {
    for (; done < end; done++) result.push(lines[done] as ByteString);
  };
  for (const hunk of hunks) {
    // With no lines on the old side the start is the line before.
    keepUpTo(hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1);
    for (const { kind, text } of hunk.lines) if (kind !== 'remove') result.push(text);
    done += hunk.oldLines;
  }
  keepUpTo(lines.length);
  return toBytes(result.join('') as ByteString);
};
