import { describe, expect, test } from 'vitest';
import { beginningOf, type Hunk, hunksBetween, seeHunks } from '../../src/diff/text/index.ts';
import { fromText, isUtf8 } from '../../src/model/index.ts';
import fc from '../support/property.ts';

const text = fc.array(fc.constantFrom('a\n', 'b\n', 'a long line\n', '\n'), { maxLength: 60 }).map((lines) => Buffer.from(lines.join('')));

/** Numbers of a hunk's lines on both sides, counted from its head. */
const numbered = ({ oldStart, oldLines, newStart, newLines, lines }: Hunk): [number, number][] => {
  let [old, now] = [oldLines === 0 ? oldStart + 1 : oldStart, newLines === 0 ? newStart + 1 : newStart];
  return lines.map(({ kind }) => {
    const here: [number, number] = [old, now];
    if (kind !== 'add') old++;
    if (kind !== 'remove') now++;
    return here;
  });
};

describe('seeHunks', () => {
  test('[API] windows one after the other hold every line once, with its numbers', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 40 }), (before, after, most, bytes) => {
        const hunks = hunksBetween(before, after);
        const all = hunks.flatMap(({ lines }) => lines);
        const numbers = hunks.flatMap(numbered);
        const seen: unknown[] = [];
        while (seen.length < all.length) {
          const window = seeHunks(hunks, { skip: seen.length, most, bytes });
          expect(window.total).toBe(all.length);
          expect(window.lines).toBeGreaterThan(0);
          expect(window.lines).toBeLessThanOrEqual(most);
          expect(window.lines === 1 || window.bytes <= bytes).toBe(true);
          const [first] = window.hunks;
          expect([first?.oldLine, first?.newLine]).toEqual(numbers[seen.length]);
          seen.push(...window.hunks.flatMap(({ lines }) => lines));
        }
        expect(seen).toEqual(all);
        expect(seeHunks(hunks, { skip: all.length, most })).toMatchObject({ hunks: [], lines: 0 });
      }),
    );
  });
});

describe('beginningOf', () => {
  test('[API] what is cut of UTF-8 is UTF-8, and hardly shorter than allowed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), fc.nat(30), (string, most) => {
        const whole = fromText(string.toWellFormed());
        const cut = beginningOf(whole, most);
        expect(whole.startsWith(cut)).toBe(true);
        expect(isUtf8(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(most);
        expect(cut.length).toBeGreaterThan(Math.min(whole.length, most) - 4);
      }),
    );
  });

  test('[API] bytes that are no text are cut where it is said', () => {
    const bytes = '\x80'.repeat(20) as ReturnType<typeof fromText>;
    expect(beginningOf(bytes, 10)).toHaveLength(10);
  });
});
