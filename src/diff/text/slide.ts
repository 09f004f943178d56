import type { ByteString } from '../../model/index.ts';
import { add, isBetter, type Score, scoreOfGap } from './gap-score.ts';

/** One of two texts, and which of its lines are matched with lines of the other. */
export interface Side {
  readonly lines: readonly ByteString[];
  readonly matched: Int32Array;
}

/** Where a run that could be said in several places is put, when none of them is beside a change of the other text. */
export type Placing = 'by-indentation' | 'lowest';

/** Farther than this a run of changed lines is not moved for looks alone. */
const MOST_SLIDING = 100;

/** Moves per line of the text after which changes stay where they are: repetitive texts could take many. */
const MOVES_PER_LINE = 16;

/**
 * A run of changed lines that begins with the line that follows it can as well be said one line lower (and the other
 * way round): `}` + blank + `f() {` is the same insertion as blank + `f() {` + `}`. Picks the place as git does: beside
 * a change of the other text if there is one, else where the indentation suggests that a block begins and ends, or lowest.
 *
 * Works on the matched lines: run `k` is what lies between matched lines `k - 1` and `k`, in this text and the other
 * alike. A slide matches another, equal line of this text, so the matching stays valid at every moment.
 */
export const slide = ({ lines, matched }: Side, other: Side, placing: Placing): void => {
  const startOf = (run: number) => (run === 0 ? 0 : (matched[run - 1] as number) + 1);
  const endOf = (run: number) => matched[run] ?? lines.length;
  const sizeOf = (run: number) => endOf(run) - startOf(run);
  const otherChanged = (run: number) =>
    (other.matched[run] ?? other.lines.length) > (run === 0 ? 0 : (other.matched[run - 1] as number) + 1);
  let moves = lines.length * MOVES_PER_LINE;

  const canRise = (run: number) => run > 0 && lines[startOf(run) - 1] === lines[endOf(run) - 1];
  const canSink = (run: number) => run < matched.length && lines[startOf(run)] === lines[endOf(run)];
  const rise = (run: number): number => {
    matched[run - 1] = endOf(run) - 1;
    return run - 1;
  };
  const sink = (run: number): number => {
    matched[run] = startOf(run);
    return run + 1;
  };

  /** Up and down as far as it goes, again when that joined it to other runs; the ends of its way. */
  const explore = (from: number): { highest: number; lowest: number; beside: number | undefined } => {
    let run = from;
    for (;;) {
      const size = sizeOf(run);
      while (moves-- > 0 && canRise(run)) run = rise(run);
      const highest = run;
      let beside = otherChanged(run) ? run : undefined;
      while (moves-- > 0 && canSink(run)) {
        run = sink(run);
        if (otherChanged(run)) beside = run;
      }
      if (sizeOf(run) === size || moves <= 0) return { highest, lowest: run, beside };
    }
  };

  const bestLooking = (highest: number, lowest: number): number => {
    const end = endOf(lowest);
    const size = sizeOf(lowest);
    const ways = Math.min(lowest - highest, size + 1, MOST_SLIDING);
    let best: { run: number; score: Score } | undefined;
    for (let up = ways; up >= 0; up--) {
      const score = add(scoreOfGap(lines, end - up), scoreOfGap(lines, end - up - size));
      if (best === undefined || !isBetter(best.score, score)) best = { run: lowest - up, score };
    }
    return best?.run ?? lowest;
  };

  for (let run = 0; run <= matched.length && moves > 0; run++) {
    if (sizeOf(run) === 0) continue;
    const { highest, lowest, beside } = explore(run);
    run = lowest;
    if (lowest === highest) continue;
    const target = beside ?? (placing === 'lowest' ? lowest : bestLooking(highest, lowest));
    while (run > target && canRise(run)) run = rise(run);
  }
};
