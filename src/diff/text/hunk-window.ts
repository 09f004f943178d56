import type { ByteString } from '../../model/index.ts';
import type { Hunk, HunkLine } from './hunks.ts';

/** Some of the lines of all hunks of a file, counted through. */
export interface HunkWindow {
  readonly skip: number;
  readonly most: number;
  /** Ends when it holds so many bytes; one line is always there. */
  readonly bytes?: number | undefined;
  /** What of a line counts towards these, because no more of it is shown. */
  readonly longest?: number | undefined;
}

/** A hunk with only some of its lines; all else tells of the whole. */
interface HunkPart extends Hunk {
  /** How many of its lines stand before the first one here. */
  readonly skipped: number;
  /** The numbers that the next line of either side has. */
  readonly oldLine: number;
  readonly newLine: number;
}

export interface SeenHunks {
  readonly hunks: readonly HunkPart[];
  readonly lines: number;
  readonly bytes: number;
  /** Lines of all hunks. */
  readonly total: number;
}

export const seeHunks = (hunks: readonly Hunk[], window: HunkWindow): SeenHunks => {
  const { skip, most, bytes: room = Number.POSITIVE_INFINITY, longest = Number.POSITIVE_INFINITY } = window;
  const parts: HunkPart[] = [];
  let [before, lines, bytes] = [0, 0, 0];
  let isFull = most === 0;
  for (const hunk of hunks) {
    const from = Math.max(0, skip - before);
    let to = from;
    for (; to < hunk.lines.length && !isFull; to++) {
      const size = Math.min((hunk.lines[to] as HunkLine).text.length, longest);
      isFull = lines > 0 && bytes + size > room;
      if (isFull) break;
      bytes += size;
      isFull = ++lines === most;
    }
    if (to > from) parts.push(partOf(hunk, from, to));
    before += hunk.lines.length;
  }
  return { hunks: parts, lines, bytes, total: before };
};

const partOf = (hunk: Hunk, from: number, to: number): HunkPart => {
  const above = hunk.lines.slice(0, from);
  const numberOf = (start: number, count: number, other: HunkLine['kind']): number =>
    (count === 0 ? start + 1 : start) + above.filter(({ kind }) => kind !== other).length;
  return {
    ...hunk,
    lines: hunk.lines.slice(from, to),
    skipped: from,
    oldLine: numberOf(hunk.oldStart, hunk.oldLines, 'add'),
    newLine: numberOf(hunk.newStart, hunk.newLines, 'remove'),
  };
};

/** The beginning of a line, without half a character at its end where it is UTF-8. */
export const beginningOf = (text: ByteString, most: number): ByteString => {
  if (text.length <= most) return text;
  let end = most;
  while (end > most - LONGEST_CHARACTER && isInside(text.charCodeAt(end))) end--;
  return text.slice(0, isInside(text.charCodeAt(end)) ? most : end) as ByteString;
};

const LONGEST_CHARACTER = 4;

/** A byte of a character that is not its first. */
const isInside = (byte: number): boolean => (byte & 0xc0) === 0x80;
