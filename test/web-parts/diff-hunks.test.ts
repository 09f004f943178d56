import { expect, test } from 'vitest';
import { hunksBetween, signedLine } from '../../src/diff/text/index.ts';
import { toText } from '../../src/model/index.ts';
import type { DiffHunk, HunkChoice } from '../../src/web/client/types.ts';
import { hunksOfPlan, hunkText, joinHunks, numberLines } from '../../src/web/diff/hunks.ts';
import { restoring } from '../../src/web/diff/restored-hunks.ts';
import fc from '../support/property.ts';
import { hunksOf, pagesOf } from './diff-made.ts';

const lines = (count: number, changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, at) => `${changed[at + 1] ?? `line ${at + 1}`}\n`).join('');

const FAR_TEXTS = [lines(60), lines(60, { 10: 'ten', 50: 'fifty' })] as const;
const FAR = hunksOf(...FAR_TEXTS);

test('[UI-4] ranges of a difference put together are the difference', () => {
  expect(FAR).toHaveLength(2);
  for (const size of [1, 2, 3, 7, 8, 9, 100]) expect(joinHunks(pagesOf(...FAR_TEXTS, size))).toEqual(FAR);
  expect(joinHunks([])).toEqual([]);
});

test('[UI-4] lines of a part have the numbers that they have in the file', () => {
  const [, page] = pagesOf(...FAR_TEXTS, 4);
  const [part] = page as [DiffHunk];
  expect(numberLines(part).map(({ old, new: fresh }) => [old, fresh])).toEqual([
    [null, 10],
    [11, 11],
    [12, 12],
    [13, 13],
  ]);
  const [added] = hunksOf('', 'a\nb\n') as [DiffHunk];
  expect(numberLines(added).map(({ old, new: fresh }) => [old, fresh])).toEqual([
    [null, 1],
    [null, 2],
  ]);
  const [removed] = hunksOf('a\nb\n', '') as [DiffHunk];
  expect(numberLines(removed).map(({ old, new: fresh }) => [old, fresh])).toEqual([
    [1, null],
    [2, null],
  ]);
});

test('[UI-4] a change is copied as it stands in a patch', () => {
  const [hunk] = hunksOf('a\nb', 'a\nc\n') as [DiffHunk];
  expect(hunkText({ ...hunk, section: 'function f() {' })).toBe(
    '@@ -1,2 +1,2 @@ function f() {\n a\n-b\n\\ No newline at end of file\n+c\n',
  );
  const [one] = hunksOf('', 'x\n') as [DiffHunk];
  expect(hunkText(one)).toBe('@@ -0,0 +1 @@\n+x\n');
});

/** The plan of a rollback from one text to another, as the program makes it; digests stand for the number of the hunk. */
const planOf = (present: string, target: string) =>
  hunksBetween(Buffer.from(present), Buffer.from(target)).map(({ section: _, lines: own, ...places }, at) => ({
    number: at + 1,
    ...places,
    digest: String(at + 1).padStart(16, '0'),
    lines: own.map((line) => toText(signedLine(line))),
  }));

const numbersOf = (choices: readonly HunkChoice[]): number[] => choices.map(({ digest }) => Number(digest));

test('[UI-4] the hunks of a plan read like those of a difference', () => {
  expect(hunksOfPlan(planOf('a\nb\n', 'a\nc'))).toEqual(hunksOf('a\nb\n', 'a\nc'));
});

test('[RST-8] a hunk from the checkpoint to the present is its mirror in the plan', () => {
  const [checkpoint, present] = FAR_TEXTS;
  const plan = planOf(present, checkpoint);
  expect(FAR.map((hunk) => numbersOf(restoring('f', hunk, plan)))).toEqual([[1], [2]]);
  const { oldStart, oldLines, newStart, newLines } = plan[0] as (typeof plan)[number];
  expect(restoring('f', FAR[0] as DiffHunk, plan)).toEqual([
    { path: 'f', oldStart, oldLines, newStart, newLines, digest: '0000000000000001' },
  ]);
});

test('[RST-8] what has no exact mirror is found by the lines that it is about, and nothing is made up', () => {
  const [hunk] = FAR as [DiffHunk];
  const moved = planOf(lines(61, { 11: 'ten', 51: 'fifty' }), lines(61));
  expect(numbersOf(restoring('f', hunk, moved))).toEqual([1]);
  const cutOtherwise = planOf(lines(60, { 9: 'nine', 10: 'ten', 50: 'fifty' }), lines(60));
  expect(numbersOf(restoring('f', hunk, cutOtherwise))).toEqual([1]);
  expect(restoring('f', hunk, planOf(lines(60, { 40: 'forty' }), lines(60)))).toEqual([]);
  expect(restoring('f', hunk, [])).toEqual([]);
});

test('[RST-8] every hunk of any difference finds its part of the plan, and all of them together find all of it', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd', '', '}'), { maxLength: 60 })
    .map((all) => all.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(text, text, (checkpoint, present) => {
      const plan = planOf(present, checkpoint);
      const found = hunksOf(checkpoint, present).map((hunk) => numbersOf(restoring('f', hunk, plan)));
      for (const numbers of found) expect(numbers.length).toBeGreaterThan(0);
      if (found.length === plan.length) expect([...new Set(found.flat())].sort((a, b) => a - b)).toEqual(plan.map(({ number }) => number));
    }),
    { numRuns: 500 },
  );
});
