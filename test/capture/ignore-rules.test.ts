import { expect, test } from 'vitest';
import { IgnoreRules, ignoresWithin } from '../../src/capture/ignore/rules.ts';
import { foldCase, Wildmatch } from '../../src/capture/ignore/wildmatch.ts';
import type { ByteString, RelativePath } from '../../src/model/index.ts';

const path = (text: string): RelativePath => text as RelativePath;
const file = (base: string, ...lines: string[]) => ({ base: path(base), text: lines.join('\n') as ByteString });
const heeding = { ignoreCase: false };

/** How many bytes of a text a match looks at. */
const looks = (pattern: string, text: string): number => {
  let count = 0;
  const watched = {
    length: text.length,
    charCodeAt: (index: number) => {
      count++;
      return text.charCodeAt(index);
    },
    indexOf: (wanted: string, from: number) => {
      const found = text.indexOf(wanted, from);
      count += (found < 0 ? text.length : found) - from + 1;
      return found;
    },
  };
  Wildmatch.compile(pattern, heeding)?.matches(watched as unknown as string);
  return count;
};

test.each([
  ['*a*a*a*a*a*a*a*a*a*a*b', (size: number) => 'a'.repeat(size)],
  ['*?*?*?*?*?*?*?*?*?*?[b]', (size: number) => 'a'.repeat(size)],
  ['**/*a*a*a*a*a*a*a*a*b', (size: number) => 'aaaaaaaaaaaaaaaa/'.repeat(size / 16)],
  ['**/a/**/a/**/a/**/a/**/a/**/a/**/b', (size: number) => 'a/'.repeat(size / 2)],
  ['a/**\\/a/**\\/a/**\\/a/**\\/*a*a*b', (size: number) => 'a/'.repeat(size / 2)],
  ['**/*a*/*a*/*a*/*a*/*a*/*b', (size: number) => 'aaaaaaaa/'.repeat(size / 8)],
])('[CAP-2] a hostile pattern costs its length times that of the path: %s', (pattern, text) => {
  for (const size of [64, 256, 1024]) expect(looks(pattern, text(size))).toBeLessThan(2 * pattern.length * text(size).length);
});

test('[CAP-2] only the letters A to Z fold', () => {
  expect(foldCase('AZ[@\xc9\xde' as ByteString)).toBe('az[@\xc9\xde');
});

test('[CAP-2] a file that holds no patterns adds nothing', () => {
  const rules = IgnoreRules.of([file('', 'a')], heeding);
  expect(rules.with(file('b', '', '# only a comment', '\r', '/'))).toBe(rules);
});

test('[CAP-2] rules made with a stronger file leave the weaker ones as they were', () => {
  const weaker = IgnoreRules.of([file('', '*.log', 'c')], heeding);
  const stronger = weaker.with(file('d', '!keep.log'));
  expect(stronger.ignores(path('d/keep.log'), false)).toBe(false);
  expect(weaker.ignores(path('d/keep.log'), false)).toBe(true);
  expect(stronger.ignores(path('d/c'), false)).toBe(true);
});

test('[CAP-2] inside an ignored directory nothing is asked and nothing comes back', () => {
  const top = IgnoreRules.of([file('', '/a/b/')], heeding);
  const asked: string[] = [];
  const rulesIn = (directory: RelativePath): IgnoreRules => {
    asked.push(directory);
    return directory.startsWith('a/b') ? top.with(file('a/b', '!*')) : top;
  };
  expect(ignoresWithin(rulesIn, path('a/b/c/d'), false)).toBe(true);
  expect(asked).toEqual(['', 'a']);
  expect(ignoresWithin(rulesIn, path('a/b'), true)).toBe(true);
  expect(ignoresWithin(rulesIn, path('a/b'), false)).toBe(false);
});
