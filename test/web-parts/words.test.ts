import { describe, expect, test } from 'vitest';
import { amountWords, daysOf, duration, phasesOf, reasonWords } from '../../src/web/git/health-words.ts';
import { excerpt, holds, marked, wordsOf } from '../../src/web/search/marked.ts';
import fc from '../support/property.ts';

const shown = (text: string, query: string): string =>
  marked(text, wordsOf(query))
    .map(({ text: piece, isHit }) => (isHit ? `[${piece}]` : piece))
    .join('');

describe('words that were searched for', () => {
  test('are marked wherever they are, also where they overlap', () => {
    expect(shown('Add the tax, and TAXES', 'tax')).toBe('Add the [tax], and [TAX]ES');
    expect(shown('abcdef', 'bcd cde')).toBe('a[bcde]f');
    expect(shown('aaaa', 'aa')).toBe('[aaaa]');
    expect(shown('a.c abc', 'a.c')).toBe('[a.c] abc');
    expect(shown('nothing', 'else')).toBe('nothing');
    expect(shown('', 'else')).toBe('');
    // As the search has it: letters beyond A to Z are as they are written, and none gets longer.
    expect(shown('İstanbul ÄRGER', 'istanbul ärger')).toBe('İstanbul ÄRGER');
    expect(shown('İx tax', 'tax')).toBe('İx [tax]');
    expect(holds('A TAX', ['tax'])).toBe(true);
  });

  test('leave the text as it is, whatever it is and whatever is searched for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string()), (text, words) => {
        expect(
          marked(text, words)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  test('are in the part that is shown of a long text, and no character is cut in two', () => {
    const long = `${'x '.repeat(300)}the tax${' y'.repeat(300)}`;
    expect(excerpt(long, ['tax'], 100)).toMatch(/^….*the tax.*…$/);
    expect(excerpt('short', ['tax'], 100)).toBe('short');
    expect(excerpt(long, ['nothing'], 10)).toBe('x x x x x …');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-composite', minLength: 20 }), fc.integer({ min: 2, max: 15 }), (text, most) => {
        expect(excerpt(text, [text.slice(10, 12)], most).isWellFormed()).toBe(text.isWellFormed());
      }),
    );
  });
});

describe('health in words', () => {
  test('times, days and reasons', () => {
    expect([0, 0.44, 9.96, 12.4, 999, 1000, 1234, 59_000, 61_000, 7_200_000].map(duration)).toEqual([
      '0 ms',
      '0.4 ms',
      '10 ms',
      '12 ms',
      '999 ms',
      '1 s',
      '1.2 s',
      '59 s',
      '1 min',
      '120 min',
    ]);
    expect([daysOf(null), daysOf(1), daysOf(90)]).toEqual(['for ever', 'for 1 day', 'for 90 days']);
    expect(reasonWords('git')).toBe('git had to be asked');
    expect(reasonWords('something new')).toBe('something new');
    expect(amountWords({ files: 3, bytes: 1500, gits: 1 })).toBe('3 files in the workspace, 1.5 kB written, git asked 1 time');
    expect(amountWords({})).toBe('');
    expect(phasesOf({ ms: 100, phases: { looking: 20, git: 80, other: 0 } })).toEqual([
      { phase: 'git', ms: 80, share: 0.8 },
      { phase: 'looking', ms: 20, share: 0.2 },
    ]);
  });
});
