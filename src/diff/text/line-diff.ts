import type { ByteString } from '../../model/index.ts';
import { type Matching, match } from './matching.ts';
import { type Placing, slide } from './slide.ts';

/** Lines `oldStart …` of the one text became lines `newStart …` of the other; both counted from 0, one count may be 0. */
export interface Change {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/**
 * What turns `before` into `after`, in order, with at least one common line between two changes. As few lines as
 * possible, but for huge texts that differ much; then more than needed, at a bounded cost.
 */
export const diffLines = (before: readonly ByteString[], after: readonly ByteString[], placing: Placing = 'by-indentation'): Change[] => {
  const matching = match(before, after);
  const old = { lines: before, matched: matching.old };
  const present = { lines: after, matched: matching.new };
  slide(old, present, placing);
  slide(present, old, placing);
  return changesBetween(matching, before.length, after.length);
};

const changesBetween = (matching: Matching, oldLength: number, newLength: number): Change[] => {
  const changes: Change[] = [];
  let oldStart = 0;
  let newStart = 0;
  for (let at = 0; at <= matching.old.length; at++) {
    const oldTo = matching.old[at] ?? oldLength;
    const newTo = matching.new[at] ?? newLength;
    if (oldTo > oldStart || newTo > newStart) {
      changes.push({ oldStart, oldCount: oldTo - oldStart, newStart, newCount: newTo - newStart });
    }
    oldStart = oldTo + 1;
    newStart = newTo + 1;
  }
  return changes;
};
