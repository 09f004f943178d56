import type { ByteString } from '../../model/index.ts';
import type { Change } from './line-diff.ts';
import { countLines, isBinary, splitLines, trimCommonLines } from './lines.ts';
import { match } from './matching.ts';

export interface HunkLine {
  readonly kind: 'context' | 'add' | 'remove';
  /** With its newline; a last line may have none. */
  readonly text: ByteString;
}

/** Starts are numbered as in a patch: from 1, and with no lines on that side the line before (0 at the beginning). */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** The nearest line above that looks like the head of a function or section; empty when there is none. */
  readonly section: ByteString;
  readonly lines: readonly HunkLine[];
}

const SIGNS = { context: ' ', add: '+', remove: '-' } as const;

/** As it stands in a patch. */
export const signedLine = ({ kind, text }: HunkLine): ByteString => `${SIGNS[kind]}${text}` as ByteString;

export interface LineCounts {
  readonly insertions: number;
  readonly deletions: number;
}

const DEFAULT_CONTEXT = 3;

export const toHunks = (
  changes: readonly Change[],
  before: readonly ByteString[],
  after: readonly ByteString[],
  context: number = DEFAULT_CONTEXT,
): Hunk[] => {
  const hunks: Hunk[] = [];
  let section = '' as ByteString;
  let searched = 0;
  for (const group of grouped(changes, context)) {
    const first = group[0] as Change;
    const last = group.at(-1) as Change;
    const oldFrom = Math.max(0, first.oldStart - context);
    const oldTo = Math.min(before.length, last.oldStart + last.oldCount + context);
    section = sectionAbove(before, oldFrom, searched) ?? section;
    searched = oldFrom;
    const lines = linesOf(group, before, after, oldFrom, oldTo);
    const oldLines = oldTo - oldFrom;
    const newFrom = first.newStart - (first.oldStart - oldFrom);
    const newLines = last.newStart + last.newCount + (oldTo - last.oldStart - last.oldCount) - newFrom;
    hunks.push({
      oldStart: oldLines === 0 ? oldFrom : oldFrom + 1,
      oldLines,
      newStart: newLines === 0 ? newFrom : newFrom + 1,
      newLines,
      section,
      lines,
    });
  }
  return hunks;
};

/** Changes whose context would touch or overlap share a hunk. */
const grouped = (changes: readonly Change[], context: number): Change[][] => {
  const groups: Change[][] = [];
  let end = 0;
  for (const change of changes) {
    const group = groups.at(-1);
    if (group !== undefined && change.oldStart - end <= 2 * context) group.push(change);
    else groups.push([change]);
    end = change.oldStart + change.oldCount;
  }
  return groups;
};

const linesOf = (
  changes: readonly Change[],
  before: readonly ByteString[],
  after: readonly ByteString[],
  oldFrom: number,
  oldTo: number,
): HunkLine[] => {
  const lines: HunkLine[] = [];
  const push = (kind: HunkLine['kind'], texts: readonly ByteString[], from: number, to: number) => {
    for (let at = from; at < to; at++) lines.push({ kind, text: texts[at] as ByteString });
  };
  let at = oldFrom;
  for (const { oldStart, oldCount, newStart, newCount } of changes) {
    push('context', before, at, oldStart);
    push('remove', before, oldStart, oldStart + oldCount);
    push('add', after, newStart, newStart + newCount);
    at = oldStart + oldCount;
  }
  push('context', before, at, oldTo);
  return lines;
};

const SECTION_HEAD = /^[A-Za-z_$]/;
const MOST_OF_SECTION = 80;

const sectionAbove = (lines: readonly ByteString[], below: number, from: number): ByteString | undefined => {
  for (let at = below - 1; at >= from; at--) {
    const line = lines[at] as ByteString;
    if (SECTION_HEAD.test(line)) return line.slice(0, MOST_OF_SECTION).replace(/[ \t\r\n]+$/, '') as ByteString;
  }
  return undefined;
};

export const countsOf = (changes: readonly Change[]): LineCounts => {
  let insertions = 0;
  let deletions = 0;
  for (const change of changes) {
    insertions += change.newCount;
    deletions += change.oldCount;
  }
  return { insertions, deletions };
};

/** The counts alone, for lists of many files: cheaper than the changes. Null for binary content, absent content is null. */
export const countChanges = (before: Buffer | null, after: Buffer | null): LineCounts | null => {
  if ((before !== null && isBinary(before)) || (after !== null && isBinary(after))) return null;
  if (before === null || after === null) {
    return { insertions: after === null ? 0 : countLines(after), deletions: before === null ? 0 : countLines(before) };
  }
  const [oldRest, newRest] = trimCommonLines(before, after);
  const [oldLines, newLines] = [splitLines(oldRest), splitLines(newRest)];
  const common = match(oldLines, newLines).old.length;
  return { insertions: newLines.length - common, deletions: oldLines.length - common };
};
