import type { ByteString } from '../../model/index.ts';
import { mark, type Patience } from './myers.ts';

/** The lines two texts have in common, in order: line `old[i]` of the one is line `new[i]` of the other. */
export interface Matching {
  readonly old: Int32Array;
  readonly new: Int32Array;
  /** What finding it cost (see `Marks`). */
  readonly steps: number;
}

/** The longest matching; for huge texts that differ much only a long one. */
export const match = (before: readonly ByteString[], after: readonly ByteString[], patience?: Patience): Matching => {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before[before.length - tail - 1] === after[after.length - tail - 1]) tail++;

  const known = new Map<ByteString, number>();
  const a = numbered(before, head, before.length - tail, known);
  const b = numbered(after, head, after.length - tail, known);
  // A line that the other text lacks is in no matching: without those, even texts with nothing in common are cheap.
  const oldAt = whereAlsoIn(b, a, known.size);
  const newAt = whereAlsoIn(a, b, known.size);
  const { removed, added, steps } = mark(pick(a, oldAt), pick(b, newAt), patience);
  const oldKept = oldAt.filter((_, at) => removed[at] === 0);
  const newKept = newAt.filter((_, at) => added[at] === 0);
  return { old: whole(head, oldKept, tail, before.length), new: whole(head, newKept, tail, after.length), steps };
};

/** Equal lines, and only they, get equal numbers, counted from 0: comparing those is what makes the search fast. */
const numbered = (lines: readonly ByteString[], from: number, to: number, known: Map<ByteString, number>): Int32Array => {
  const numbers = new Int32Array(to - from);
  for (let at = from; at < to; at++) {
    const line = lines[at] as ByteString;
    let number = known.get(line);
    if (number === undefined) {
      number = known.size;
      known.set(line, number);
    }
    numbers[at - from] = number;
  }
  return numbers;
};

const whereAlsoIn = (other: Int32Array, numbers: Int32Array, different: number): Int32Array => {
  const present = new Uint8Array(different);
  for (const number of other) present[number] = 1;
  const found = new Int32Array(numbers.length);
  let count = 0;
  for (let at = 0; at < numbers.length; at++) if (present[numbers[at] as number] === 1) found[count++] = at;
  return found.slice(0, count);
};

const pick = (numbers: Int32Array, at: Int32Array): Int32Array => at.map((index) => numbers[index] as number);

const whole = (head: number, middle: Int32Array, tail: number, length: number): Int32Array => {
  const all = new Int32Array(head + middle.length + tail);
  for (let at = 0; at < head; at++) all[at] = at;
  for (let at = 0; at < middle.length; at++) all[head + at] = head + (middle[at] as number);
  for (let at = 0; at < tail; at++) all[head + middle.length + at] = length - tail + at;
  return all;
};
