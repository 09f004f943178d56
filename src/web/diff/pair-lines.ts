import type { ShownLine } from './rows.ts';

/** What was removed and what came in its place, beside each other. */
export type LinePair = readonly [removed: ShownLine | null, added: ShownLine | null];

/** So many comparisons at most for one change: beyond it, lines are paired by their order. */
const MOST_COMPARED = 900;
const LEAST_ALIKE = 0.35;

/**
 * Puts each removed line beside the one that it became, and tells both. As many as came: in their order. More or fewer: so that lines which are
 * alike meet, for changes that are small enough to look for that.
 */
export const pairUp = (removed: readonly ShownLine[], added: readonly ShownLine[]): LinePair[] => {
  const isSearched = removed.length !== added.length && removed.length * added.length <= MOST_COMPARED;
  const pairs = isSearched ? alikePairs(removed, added) : ordered(removed, added);
  for (const [left, right] of pairs) {
    if (left === null || right === null) continue;
    left.mate = right;
    right.mate = left;
  }
  return pairs;
};

const ordered = (removed: readonly ShownLine[], added: readonly ShownLine[]): LinePair[] =>
  Array.from({ length: Math.max(removed.length, added.length) }, (_, at) => [removed[at] ?? null, added[at] ?? null]);

/** The pairs, in order, that are most alike together; lines between them without a mate. */
const alikePairs = (removed: readonly ShownLine[], added: readonly ShownLine[]): LinePair[] => {
  const [height, width] = [removed.length, added.length];
  const [lefts, rights] = [removed.map(wordsIn), added.map(wordsIn)];
  const scores = Array.from({ length: height }, (_, a) => Array.from({ length: width }, (_, b) => likeness(lefts[a], rights[b])));
  // best[a][b]: what the lines from a and b on can come to.
  const best = Array.from({ length: height + 1 }, () => new Float64Array(width + 1));
  const bestAt = (a: number, b: number): number => best[a]?.[b] ?? 0;
  const scoreAt = (a: number, b: number): number => scores[a]?.[b] ?? 0;
  for (let a = height - 1; a >= 0; a--)
    for (let b = width - 1; b >= 0; b--)
      (best[a] as Float64Array)[b] = Math.max(bestAt(a + 1, b), bestAt(a, b + 1), bestAt(a + 1, b + 1) + scoreAt(a, b));
  const pairs: LinePair[] = [];
  let [a, b] = [0, 0];
  while (a < height || b < width) {
    const isPair = a < height && b < width && scoreAt(a, b) > 0 && bestAt(a, b) === bestAt(a + 1, b + 1) + scoreAt(a, b);
    const isRemoved = !isPair && a < height && (b >= width || bestAt(a, b) === bestAt(a + 1, b));
    pairs.push([isPair || isRemoved ? (removed[a] ?? null) : null, isRemoved ? null : (added[b] ?? null)]);
    if (isPair || isRemoved) a++;
    if (!isRemoved) b++;
  }
  return pairs;
};

const LONGEST = 400;

const wordsIn = ({ line: { text } }: ShownLine): ReadonlySet<string> =>
  new Set(text.slice(0, LONGEST).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu));

/** From 0 to 1: which share of them two lines have in common, by letters; nothing where it is too little to mean anything. */
const likeness = (left: ReadonlySet<string> = new Set(), right: ReadonlySet<string> = new Set()): number => {
  let common = 0;
  for (const word of left) if (right.has(word)) common += word.length;
  const share = common === 0 ? 0 : (2 * common) / (lengthOf(left) + lengthOf(right));
  return share < LEAST_ALIKE ? 0 : share;
};

const lengthOf = (words: ReadonlySet<string>): number => {
  let length = 0;
  for (const word of words) length += word.length;
  return length;
};
