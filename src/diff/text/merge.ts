import { type ByteString, toBytes } from '../../model/index.ts';
import { type Change, diffLines } from './line-diff.ts';
import { isBinary, splitLines } from './lines.ts';
import { type MergeLabels, markConflict } from './markers.ts';

type Lines = readonly ByteString[];

/** Three texts: the two sides, and what both were made of. */
export interface Sides<T> {
  readonly base: T;
  readonly ours: T;
  readonly theirs: T;
}

interface TextMerge {
  readonly bytes: Buffer;
  /** How many places are between markers; 0 when everything could be merged. */
  readonly conflicts: number;
}

/** What becomes of the places in conflict: between markers, or as one side has them. */
export type Favour = 'markers' | 'ours' | 'theirs';

/**
 * Both sides' changes of a text in one. What touches or overlaps is a conflict unless it is the same on both sides, as for
 * `git merge-file`. Null for binary content, which is never merged, unless only one side changed it.
 */
export const mergeText = (
  base: Buffer,
  ours: Buffer,
  theirs: Buffer,
  labels: MergeLabels,
  favour: Favour = 'markers',
): TextMerge | null => {
  if (theirs.equals(base) || theirs.equals(ours)) return { bytes: ours, conflicts: 0 };
  if (ours.equals(base)) return { bytes: theirs, conflicts: 0 };
  if (isBinary(base) || isBinary(ours) || isBinary(theirs)) return null;
  const lines = { base: splitLines(base), ours: splitLines(ours), theirs: splitLines(theirs) };
  // For looks a change may be put elsewhere than the same change of the other side; lowest is lowest for both.
  const changes = { ours: diffLines(lines.base, lines.ours, 'lowest'), theirs: diffLines(lines.base, lines.theirs, 'lowest') };
  return mergeLines(lines, changes, labels, favour);
};

/** The merge once it is known which lines each side changed. */
export const mergeLines = (
  texts: Sides<Lines>,
  changes: { readonly ours: readonly Change[]; readonly theirs: readonly Change[] },
  labels: MergeLabels,
  favour: Favour = 'markers',
): TextMerge => {
  const merged: ByteString[] = [];
  let conflicts = 0;
  let done = 0;
  const push = (lines: Lines, from: number, to: number): void => {
    for (let at = from; at < to; at++) merged.push(lines[at] as ByteString);
  };
  for (const { base, ours, theirs } of regionsOf(changes.ours, changes.theirs)) {
    push(texts.base, done, base.from);
    done = base.to;
    if (theirs.changes === 0) push(texts.ours, ours.from, ours.to);
    else if (ours.changes === 0) push(texts.theirs, theirs.from, theirs.to);
    else {
      const { head, tail } = commonEnds(texts.ours, ours, texts.theirs, theirs);
      const apart = { base, ours: inner(ours, head, tail), theirs: inner(theirs, head, tail) };
      push(texts.ours, ours.from, apart.ours.from);
      if (apart.ours.from < apart.ours.to || apart.theirs.from < apart.theirs.to) {
        conflicts++;
        if (favour === 'markers') for (const line of markConflict(texts, apart, labels)) merged.push(line);
        else push(texts[favour], apart[favour].from, apart[favour].to);
      }
      push(texts.ours, apart.ours.to, ours.to);
    }
  }
  push(texts.base, done, texts.base.length);
  return { bytes: toBytes(merged.join('') as ByteString), conflicts };
};

/** Lines `from` up to, not including, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Changes that touch each other, and the lines they span in each text. */
interface Region {
  readonly base: Range;
  readonly ours: Range & { readonly changes: number };
  readonly theirs: Range & { readonly changes: number };
}

const regionsOf = (ours: readonly Change[], theirs: readonly Change[]): Region[] => {
  const regions: Region[] = [];
  const left = new Walk(ours);
  const right = new Walk(theirs);
  while (left.start < Number.POSITIVE_INFINITY || right.start < Number.POSITIVE_INFINITY) {
    const from = Math.min(left.start, right.start);
    const [oursFrom, theirsFrom] = [from + left.shift, from + right.shift];
    let to = from;
    let [oursCount, theirsCount] = [0, 0];
    for (;;) {
      if (left.start <= to) {
        to = Math.max(to, left.step());
        oursCount++;
      } else if (right.start <= to) {
        to = Math.max(to, right.step());
        theirsCount++;
      } else break;
    }
    regions.push({
      base: { from, to },
      ours: { from: oursFrom, to: to + left.shift, changes: oursCount },
      theirs: { from: theirsFrom, to: to + right.shift, changes: theirsCount },
    });
  }
  return regions;
};

/** Goes through one side's changes. */
class Walk {
  /** How much farther down unchanged lines are than in the base. */
  shift = 0;
  readonly #changes: readonly Change[];
  #at = 0;

  constructor(changes: readonly Change[]) {
    this.#changes = changes;
  }

  /** Where in the base the next change begins. */
  get start(): number {
    return this.#changes[this.#at]?.oldStart ?? Number.POSITIVE_INFINITY;
  }

  /** Takes the next change; where in the base it ends. */
  step(): number {
    const { oldStart, oldCount, newCount } = this.#changes[this.#at++] as Change;
    this.shift += newCount - oldCount;
    return oldStart + oldCount;
  }
}

/** How many lines both begin with, and how many of the rest both end with. */
const commonEnds = (ours: Lines, a: Range, theirs: Lines, b: Range): { head: number; tail: number } => {
  const most = Math.min(a.to - a.from, b.to - b.from);
  let head = 0;
  while (head < most && ours[a.from + head] === theirs[b.from + head]) head++;
  let tail = 0;
  while (tail < most - head && ours[a.to - tail - 1] === theirs[b.to - tail - 1]) tail++;
  return { head, tail };
};

const inner = ({ from, to }: Range, head: number, tail: number): Range => ({ from: from + head, to: to - tail });
