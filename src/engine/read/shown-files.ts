import type { FileDiff, LeafChange } from '../../diff/index.ts';
import { type HunkWindow, type SeenHunks, seeHunks } from '../../diff/text/index.ts';
import { yieldEvery } from '../core/yield-every.ts';
import type { Difference } from './difference.ts';

/** A file that differs, and perhaps some of the lines that do. */
export interface ShownFile {
  readonly file: FileDiff;
  readonly seen: (SeenHunks & { readonly window: HunkWindow }) | null;
}

/** Shown of a file among others: its beginning. */
const OF_FILE: HunkWindow = { skip: 0, most: 2000, bytes: 2 ** 18, longest: 2000 };
/** When so much is shown, no further file is begun. */
const OF_ALL = { lines: 10_000, bytes: 2 ** 20 };
/** Shown of a file that is asked for by the numbers of its lines: as many as wanted, whole if possible. */
const OF_RANGE = { bytes: 2 ** 20, longest: 2 ** 20 };

/** Some of the files of a difference, without their lines. */
export const showFiles = (difference: Difference, changes: readonly LeafChange[]): Promise<ShownFile[]> =>
  show(difference, changes, (change) => ({ file: difference.file(change), seen: null }));

/** The same with their lines; the later ones are left out when there is no more room. */
export const showHunks = (difference: Difference, changes: readonly LeafChange[]): Promise<ShownFile[]> => {
  let [lines, bytes] = [0, 0];
  return show(difference, changes, (change) => {
    if (lines >= OF_ALL.lines || bytes >= OF_ALL.bytes) return null;
    const shown = withLines(difference, change, OF_FILE);
    lines += shown.seen.lines;
    bytes += shown.seen.bytes;
    return shown;
  });
};

/** Some lines of a few files. */
export const showRange = (
  difference: Difference,
  changes: readonly LeafChange[],
  { line, lines }: { readonly line: number; readonly lines: number },
): Promise<ShownFile[]> =>
  show(difference, changes, (change) => withLines(difference, change, { ...OF_RANGE, skip: line - 1, most: lines }));

const withLines = (difference: Difference, change: LeafChange, window: HunkWindow) => {
  // The hunks first: then the file needs not be compared once more to be counted.
  const seen = { ...seeHunks(difference.hunks(change), window), window };
  return { file: difference.file(change), seen };
};

const show = async (
  { signal }: Difference,
  changes: readonly LeafChange[],
  showOne: (change: LeafChange) => ShownFile | null,
): Promise<ShownFile[]> => {
  const breathe = yieldEvery(signal);
  const all: ShownFile[] = [];
  for (const change of changes) {
    const shown = showOne(change);
    if (shown === null) break;
    all.push(shown);
    await breathe();
  }
  return all;
};
