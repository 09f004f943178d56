import { expect, test } from 'vitest';
import { align } from '../../src/web/diff/align.ts';
import { segmentsOf } from '../../src/web/diff/segments.ts';
import { type Range, wordDiff } from '../../src/web/diff/word-diff.ts';
import fc from '../support/property.ts';

/** The length of the longest common subsequence, by the book. */
const longest = (a: readonly string[], b: readonly string[]): number => {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const one of a) {
    const next = [0];
    b.forEach((other, at) => {
      next.push(one === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    });
    row = next;
  }
  return row.at(-1) ?? 0;
};

const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });

test('[UI-4] lists are aligned in order, and by as much as they have in common', () => {
  fc.assert(
    fc.property(letters, letters, (a, b) => {
      const pairs = align(a, b);
      for (const [left, right] of pairs) expect(a[left]).toBe(b[right]);
      for (const [at, [left, right]] of pairs.entries())
        if (at > 0) expect(left > (pairs[at - 1]?.[0] ?? 0) && right > (pairs[at - 1]?.[1] ?? 0)).toBe(true);
      expect(pairs).toHaveLength(longest(a, b));
    }),
  );
});

test('[UI-4] lists that have nothing in common are given up on, but for their ends', () => {
  const [a, b] = ['a', 'b'].map((word) => ['same', ...Array.from({ length: 50_000 }, (_, at) => `${word}${at}`), 'end']) as [
    string[],
    string[],
  ];
  expect(align(a, b)).toEqual([
    [0, 0],
    [50_001, 50_001],
  ]);
});

const marked = (line: string, ranges: readonly Range[]): string[] => ranges.map(({ from, to }) => line.slice(from, to));

const changedWords = (before: string, after: string): [string[], string[]] | null => {
  const words = wordDiff(before, after);
  return words && [marked(before, words.before), marked(after, words.after)];
};

test('[UI-4] what changed in a line is told word by word', () => {
  expect(changedWords('const total = sum(items);', 'const total = sum(items) * RATE;')).toEqual([[], [' * RATE']]);
  expect(changedWords('return first + second;', 'return first - second;')).toEqual([['+'], ['-']]);
  expect(changedWords('let a = one two;', 'let a = three four;')).toEqual([['one two'], ['three four']]);
  expect(changedWords('  indent', '    indent')).toEqual([['  '], ['    ']]);
  expect(changedWords('line', 'line\r')).toEqual([[], ['\r']]);
  expect(changedWords('smile 😀 here', 'smile 😎 here')).toEqual([['😀'], ['😎']]);
});

test('[UI-4] lines that are two different ones, or the same, or very long, have no changed words', () => {
  expect(wordDiff('import { a } from "b";', 'while (true) continue;')).toBe(null);
  expect(wordDiff('same', 'same')).toBe(null);
  expect(wordDiff('', 'new')).toBe(null);
  expect(wordDiff('x '.repeat(4000), `${'x '.repeat(4000)}y`)).toBe(null);
});

test('[UI-4] what is left when changed words are taken out is the same on both sides', () => {
  const lines = fc
    .array(fc.constantFrom('one', 'two', ' ', '  ', '(', ')', '=', 'é', '😀'), { maxLength: 40 })
    .map((words) => words.join(''));
  const without = (line: string, ranges: readonly Range[]): string => {
    let [rest, at] = ['', 0];
    for (const { from, to } of ranges) {
      expect(from >= at && to > from && to <= line.length).toBe(true);
      rest += line.slice(at, from);
      at = to;
    }
    return (rest + line.slice(at)).replaceAll(/\s/g, '');
  };
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const words = wordDiff(before, after);
      if (words !== null) expect(without(before, words.before)).toBe(without(after, words.after));
    }),
  );
});

test('[UI-4] a line is cut where its look changes, and what can not be seen is named', () => {
  const segments = segmentsOf('if (a\u202e) \u001b[0m', [{ from: 0, to: 2, colour: 'keyword' }], [{ from: 1, to: 5 }]);
  expect(segments.map(({ text, colour, isChanged, isUnseen }) => [text, colour, isChanged, isUnseen])).toEqual([
    ['i', 'keyword', false, false],
    ['f', 'keyword', true, false],
    [' (a', null, true, false],
    ['U+202E', null, false, true],
    [') ', null, false, false],
    ['ESC', null, false, true],
    ['[0m', null, false, false],
  ]);
  // Letters that nobody sees, beyond the first plane.
  expect(segmentsOf('a\u{e0041}b', [], []).map(({ text }) => text)).toEqual(['a', 'U+E0041', 'b']);
  expect(segmentsOf('', [], [])).toEqual([]);
  expect(segmentsOf('\ttab', [], []).map(({ text }) => text)).toEqual(['\ttab']);
});

test('[UI-4] the segments of a line are the line', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });
  const ranges = fc.array(fc.nat(40), { maxLength: 8 }).map((places) => {
    const sorted = [...new Set(places)].sort((a, b) => a - b);
    return sorted.slice(1).flatMap((to, at) => (at % 2 === 0 ? [{ from: sorted[at] ?? 0, to }] : []));
  });
  fc.assert(
    fc.property(text, ranges, ranges, (line, tokens, changed) => {
      const colours = tokens.map((range) => ({ ...range, colour: 'string' as const }));
      const seen = segmentsOf(line, colours, changed).filter(({ isUnseen }) => !isUnseen);
      let at = 0;
      for (const { text } of seen) {
        at = line.indexOf(text, at);
        expect(at).toBeGreaterThanOrEqual(0);
        at += text.length;
      }
    }),
  );
});
