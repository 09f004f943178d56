/** An element of one list and the same one in the other, by their places. */
export type Pair = readonly [left: number, right: number];

/** Steps that a search may take altogether: a few milliseconds. */
const WORK = 2_000_000;
/** Differences beyond which two lists have little to do with each other; what the search remembers grows with the square of it. */
const MOST_DIFFERENCES = 600;

/**
 * Which elements of two lists are the same, in order: as many as there can be (Myers), or, where that would take long, those at both ends
 * alone. Its time is bounded by the lengths of the lists, however different they are.
 */
export const align = (left: readonly string[], right: readonly string[], work = WORK): Pair[] => {
  let start = 0;
  const shorter = Math.min(left.length, right.length);
  while (start < shorter && left[start] === right[start]) start++;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  const leftEnd = left.length - end;
  const rightEnd = right.length - end;
  return [
    ...pairs(start, (at) => [at, at]),
    ...middle(left.slice(start, leftEnd), right.slice(start, rightEnd), work).map(([a, b]): Pair => [a + start, b + start]),
    ...pairs(end, (at) => [leftEnd + at, rightEnd + at]),
  ];
};

const pairs = (length: number, pair: (at: number) => Pair): Pair[] => Array.from({ length }, (_, at) => pair(at));

/** Walks the grid of both lists along diagonals, with one more difference each round, and keeps how far it came in each. */
const middle = (left: readonly string[], right: readonly string[], work: number): Pair[] => {
  const [width, height] = [left.length, right.length];
  if (width === 0 || height === 0) return [];
  const most = Math.min(MOST_DIFFERENCES, width + height, Math.floor(work / (width + height)));
  const rounds: Int32Array[] = [];
  let before = new Int32Array(3);
  for (let differences = 0; differences <= most; differences++) {
    // Diagonal k is at k + differences + 1; those beside the outermost stand for nothing.
    const reached = new Int32Array(2 * differences + 3).fill(-1);
    rounds.push(reached);
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = differences === 0 ? 0 : stepTo(before, diagonal, differences).x;
      while (x < width && x - diagonal < height && left[x] === right[x - diagonal]) x++;
      reached[diagonal + differences + 1] = x;
      if (x >= width && x - diagonal >= height) return walkBack(rounds, width, height);
    }
    before = reached;
  }
  return [];
};

/** From the round before to a diagonal: down from the one above it, or right from the one below, whichever leads further. */
const stepTo = (before: Int32Array, diagonal: number, differences: number): { readonly x: number; readonly from: number } => {
  const at = diagonal + differences;
  const [fromBelow, fromAbove] = [before[at - 1] ?? -1, before[at + 1] ?? -1];
  const isDown = diagonal === -differences || (diagonal !== differences && fromBelow < fromAbove);
  return isDown ? { x: fromAbove, from: diagonal + 1 } : { x: fromBelow + 1, from: diagonal - 1 };
};

const walkBack = (rounds: readonly Int32Array[], width: number, height: number): Pair[] => {
  const found: Pair[] = [];
  let [x, diagonal] = [width, width - height];
  for (let differences = rounds.length - 1; differences >= 0; differences--) {
    const step = differences === 0 ? { x: 0, from: 0 } : stepTo(rounds[differences - 1] as Int32Array, diagonal, differences);
    for (; x > step.x; x--) found.push([x - 1, x - 1 - diagonal]);
    x = differences === 0 ? 0 : ((rounds[differences - 1] as Int32Array)[step.from + differences] as number);
    diagonal = step.from;
  }
  return found.reverse();
};
