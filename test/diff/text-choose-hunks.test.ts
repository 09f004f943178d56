import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Hunk, hunksBetween, withHunks } from '../../src/diff/text/index.ts';
import { gitIn } from '../support/git.ts';
import fc from '../support/property.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { oddEnd, oddLine } from './odd-lines.ts';

const lines = (most: number) => fc.array(oddLine, { maxLength: most, size: 'max' });

/** Two texts with places that differ, near to each other and far apart, and a choice for each hunk that may come of it. */
const choice = fc
  .tuple(
    fc.array(fc.tuple(lines(14), lines(3), lines(3)), { maxLength: 8, size: 'max' }),
    fc.tuple(oddEnd, oddEnd),
    fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
  )
  .map(([places, ends, picks]) => {
    const [before, after] = ([0, 1] as const).map((side) =>
      Buffer.from(places.map(([common, ...own]) => [...common, ...own[side]].join('')).join('') + ends[side], 'latin1'),
    ) as [Buffer, Buffer];
    const hunks = hunksBetween(before, after);
    const isPicked = (_: Hunk, at: number): boolean => picks[at % picks.length] ?? false;
    return { before, after, hunks, chosen: hunks.filter(isPicked), rest: hunks.filter((hunk, at) => !isPicked(hunk, at)) };
  });

/** How far lines behind the given hunks are moved by them. */
const growth = (hunks: readonly Hunk[]): number => hunks.reduce((sum, { oldLines, newLines }) => sum + newLines - oldLines, 0);

/** Where a hunk of a text is once others of it have been taken. */
const moved = (hunk: Hunk, taken: readonly Hunk[]): Hunk => ({
  ...hunk,
  oldStart: hunk.oldStart + growth(taken.filter(({ oldStart }) => oldStart < hunk.oldStart)),
});

describe('withHunks', () => {
  test('[RST-8] all hunks give the one text, none the other, some and then the rest the one again', () => {
    fc.assert(
      fc.property(choice, ({ before, after, hunks, chosen, rest }) => {
        expect(withHunks(before, hunks)).toEqual(after);
        expect(withHunks(before, [])).toEqual(before);
        const half = withHunks(before, chosen);
        expect(half.equals(before)).toBe(chosen.length === 0);
        expect(
          withHunks(
            half,
            rest.map((hunk) => moved(hunk, chosen)),
          ),
        ).toEqual(after);
      }),
      { numRuns: 400 },
    );
  });

  test('[RST-8] git apply makes the same bytes of the same hunks', () => {
    const directory = temporaryDirectory();
    let several = 0;
    fc.assert(
      fc.property(fc.array(choice, { minLength: 60, maxLength: 60, size: 'max' }), (all) => {
        const root = mkdtempSync(join(directory, 'texts-'));
        const cases = all.filter(({ chosen }) => chosen.length > 0);
        several += cases.filter(({ rest, chosen }) => rest.length > 0 && chosen.length > 1).length;
        for (const [at, { before }] of cases.entries()) writeFileSync(join(root, `${at}`), before);
        const patch = cases.map(({ chosen }, at) => patchOf(`${at}`, chosen)).join('');
        writeFileSync(join(root, 'patch'), patch, 'latin1');
        gitIn(root, 'apply', '--whitespace=nowarn', 'patch');
        for (const [at, { before, chosen }] of cases.entries())
          expect(readFileSync(join(root, `${at}`))).toEqual(withHunks(before, chosen));
      }),
      { numRuns: 5, endOnFailure: true },
    );
    expect(several).toBeGreaterThan(20);
  });

  test('[RST-8] the last line of one side without a newline comes and goes with its hunk alone', () => {
    const middle = Array.from({ length: 20 }, (_, at) => `${at}\r\n`).join('');
    const before = Buffer.from(`a\r\n${middle}end`);
    const after = Buffer.from(`b\r\n${middle}end\r\n`);
    const [first, last] = hunksBetween(before, after) as [Hunk, Hunk];
    expect(withHunks(before, [first]).toString()).toBe(`b\r\n${middle}end`);
    expect(withHunks(before, [last]).toString()).toBe(`a\r\n${middle}end\r\n`);
  });
});

test('[RST-8] binary content has no hunks', () => {
  expect(hunksBetween(Buffer.from('a\0'), Buffer.from('a'))).toEqual([]);
  expect(hunksBetween(Buffer.from('a'), Buffer.from('a\0'))).toEqual([]);
});

const SIGNS = { context: ' ', add: '+', remove: '-' };

/** What git takes for these hunks alone: it looks for a hunk where it will be, not where it was. */
const patchOf = (name: string, hunks: readonly Hunk[]): string => {
  const texts = hunks.map((hunk, at) => {
    const before = hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart;
    const from = before + growth(hunks.slice(0, at));
    const body = hunk.lines.map(({ kind, text }) => SIGNS[kind] + (text.endsWith('\n') ? text : `${text}\n\\ No newline at end of file\n`));
    return `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newLines === 0 ? from - 1 : from},${hunk.newLines} @@\n${body.join('')}`;
  });
  return `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n${texts.join('')}`;
};
