import { describe, expect, test } from 'vitest';
import { countsOf, diffLines, splitLines, toHunks } from '../../src/diff/text/index.ts';

const hunksOf = (before: string, after: string, context?: number) => {
  const [a, b] = [splitLines(Buffer.from(before)), splitLines(Buffer.from(after))];
  return toHunks(diffLines(a, b), a, b, context);
};

const twentyLines = (gone: readonly number[] = []) =>
  Array.from({ length: 20 }, (_, at) => at + 1)
    .filter((number) => !gone.includes(number))
    .map((number) => `${number}\n`)
    .join('');

describe('toHunks', () => {
  test('[UI-1] changes share a hunk when their context meets', () => {
    const ranges = (gone: readonly number[], context?: number) =>
      hunksOf(twentyLines(), twentyLines(gone), context).map(
        (hunk) => `-${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines}`,
      );
    expect(ranges([5, 12])).toEqual(['-2,14 +2,12']);
    expect(ranges([5, 13])).toEqual(['-2,7 +2,6', '-10,7 +9,6']);
    expect(ranges([1, 20])).toEqual(['-1,4 +1,3', '-17,4 +16,3']);
    expect(ranges([5, 6], 0)).toEqual(['-5,2 +4,0']);
    expect(ranges([1], 0)).toEqual(['-1,1 +0,0']);
    expect(ranges([])).toEqual([]);
  });

  test('[UI-1] lines come as context, removals, additions, each with its newline', () => {
    expect(hunksOf('a\nb\nc', 'a\nx\nc').flatMap((hunk) => hunk.lines)).toEqual([
      { kind: 'context', text: 'a\n' },
      { kind: 'remove', text: 'b\n' },
      { kind: 'add', text: 'x\n' },
      { kind: 'context', text: 'c' },
    ]);
  });

  test('[UI-1] a hunk names the section it stands in, or the one above', () => {
    const text = `head\n${'  x\n'.repeat(10)}  one\n${'  y\n'.repeat(10)}  two\n`;
    expect(hunksOf(text, text.replace('one', '1').replace('two', '2')).map(({ section }) => section)).toEqual(['head', 'head']);
    expect(hunksOf('a\n', 'b\n').map(({ section }) => section)).toEqual(['']);
  });
});

test('[RST-1] +/- lines are the sums over the changes', () => {
  const [before, after] = [splitLines(Buffer.from(twentyLines())), splitLines(Buffer.from(`0\n${twentyLines([7, 8])}`))];
  expect(countsOf(diffLines(before, after))).toEqual({ insertions: 1, deletions: 2 });
});
