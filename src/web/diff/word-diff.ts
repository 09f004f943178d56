import { align } from './align.ts';

/** A part of a line: from one place in it up to another. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What differs between two lines that are one line, changed. */
export interface WordDiff {
  readonly before: readonly Range[];
  readonly after: readonly Range[];
}

/** Longer lines are not looked into. */
const LONGEST = 5000;
/** Steps of the search for one pair of lines. */
const WORK = 200_000;
/** Of both lines so much at least is the same, or they are two lines and not one that was changed. */
const LEAST_ALIKE = 0.3;

const WORD = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
const BLANK = /^\s*$/;

/** The words that differ; null where hardly anything is the same. */
export const wordDiff = (before: string, after: string): WordDiff | null => {
  if (before === after || before.length > LONGEST || after.length > LONGEST) return null;
  const [left, right] = [wordsOf(before), wordsOf(after)];
  const pairs = align(left, right, WORK);
  if (
    alike(
      left,
      pairs.map(([at]) => at),
    ) *
      2 <
    LEAST_ALIKE * (size(left) + size(right))
  )
    return null;
  return {
    before: changed(left, new Set(pairs.map(([at]) => at))),
    after: changed(right, new Set(pairs.map(([, at]) => at))),
  };
};

const wordsOf = (line: string): string[] => line.match(WORD) ?? [];

/** Blanks say nothing about whether lines are alike. */
const size = (words: readonly string[]): number => words.reduce((sum, word) => sum + (BLANK.test(word) ? 0 : word.length), 0);

const alike = (words: readonly string[], places: readonly number[]): number => size(places.map((at) => words[at] as string));

/** The words that have no mate, those next to each other as one; a blank between two of them belongs to both. */
const changed = (words: readonly string[], same: ReadonlySet<number>): Range[] => {
  const ranges: { from: number; to: number }[] = [];
  let [from, isOpen, blanks] = [0, false, 0];
  words.forEach((word, at) => {
    const last = ranges.at(-1);
    if (!same.has(at)) {
      if (isOpen && last !== undefined) last.to = from + word.length;
      else ranges.push({ from, to: from + word.length });
      isOpen = true;
      blanks = 0;
    } else if (!BLANK.test(word) || blanks > 0) isOpen = false;
    else blanks++;
    from += word.length;
  });
  return ranges;
};
