import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { printable, relativeTime, showPath, table } from '../../src/cli/output.ts';
import { cutTo, widthOf } from '../../src/cli/width.ts';
import { OperationIndex } from '../../src/index/index.ts';
import { digitsToTellApart, fromText, type OperationId } from '../../src/model/index.ts';
import fc from '../support/property.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test.each([
  ['plain', 5],
  ['日本語', 6],
  ['한국어', 6],
  ['🎉', 2],
  ['👩‍👩‍👧', 2],
  ['🇨🇭', 2],
  ['e\u0301', 1],
  ['\u001b[33mred\u001b[39m', 3],
  ['ｆｕｌｌ', 8],
  ['a\u200bb', 2],
  ['…–“”', 4],
  ['a\ud800b', 3],
])('[UI-1] %j takes %i columns', (text, columns) => {
  expect(widthOf(text)).toBe(columns);
});

test('[UI-1] any text takes as many columns as a program of others counts', () => {
  const pieces = [
    'a',
    'é',
    'e\u0301',
    '日',
    'ｆ',
    'カ',
    'ﾞ',
    '한',
    '\u1112\u1161\u11ab',
    '🎉',
    '👩‍👩‍👧',
    '🇨🇭',
    '👍🏽',
    '1\ufe0f\u20e3',
    '#\u20e3',
    '☺',
    '\ufe0f',
  ];
  const signs = ['…', '→', '█', '⌚', '·', '\u00ad', '\u200b', '\u0338', 'क', 'ि', 'א', 'ก็', '\t', '\u001b[33m', '\u001b[39m'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces, ...signs)), (parts) => {
      expect(widthOf(parts.join(''))).toBe(stringWidth(parts.join('')));
    }),
    { numRuns: 2000 },
  );
});

test('[UI-1] what is cut takes at most as many columns as there are, and ends the colours it began', () => {
  const painted = '\u001b[33mlong yellow text\u001b[39m and more';
  expect(cutTo(painted, 8)).toBe('\u001b[33mlong ye…\u001b[39m');
  expect(cutTo('日本語', 4)).toBe('日…');
  expect(cutTo('日本語', 6)).toBe('日本語');
  for (let columns = 0; columns < 30; columns++) expect(widthOf(cutTo(painted, columns))).toBeLessThanOrEqual(columns);
});

test('[UI-1] columns stay aligned whatever they hold, and give way in the order that is wanted', () => {
  const rows = [
    ['日本', 'a description of some length', 'end'],
    ['x', 'short', 'the last one'],
  ];
  const starts = (text: string, ...words: string[]) =>
    text.split('\n').map((line, at) => widthOf(line.slice(0, line.indexOf(words[at] ?? ''))));
  expect(starts(table(rows, [], null), 'a description', 'short')).toEqual([6, 6]);
  const narrow = table(rows, [1], 40);
  expect(narrow.split('\n').every((line) => widthOf(line) <= 40)).toBe(true);
  expect(narrow).toContain('the last one');
  expect(narrow).toContain('…');
  for (const width of [1, 5, 10, 20])
    expect(
      table(rows, [1], width)
        .split('\n')
        .every((line) => widthOf(line) <= width),
    ).toBe(true);
});

test('[UI-1] times are told as people say them', () => {
  const now = new Date(2026, 2, 12, 15, 30);
  const told = (...then: [number, number, number, number, number]) => relativeTime(new Date(...then).toISOString(), now.getTime());
  expect(relativeTime(now.toISOString(), now.getTime())).toBe('0 s ago');
  expect(told(2026, 2, 12, 15, 27)).toBe('3 min ago');
  expect(told(2026, 2, 12, 9, 0)).toBe('6 h ago');
  expect(told(2026, 2, 11, 14, 2)).toBe('yesterday 14:02');
  expect(told(2026, 2, 10, 14, 2)).toBe('10 Mar 14:02');
  expect(told(2025, 11, 31, 23, 59)).toBe('2025-12-31');
  // Soon after midnight, the evening before is hours away and no more.
  expect(relativeTime(new Date(2026, 2, 11, 23, 0).toISOString(), new Date(2026, 2, 12, 1, 0).getTime())).toBe('2 h ago');
  expect(relativeTime(new Date(2026, 2, 12, 15, 31).toISOString(), now.getTime())).toBe('0 s ago');
  expect(relativeTime('no time', now.getTime())).toBe('at an unknown time');
});

test('[RST-1] no name looks like another: what nobody sees, and what turns text around, is shown by its number', () => {
  expect(showPath(fromText('photo-\u202egnp.exe'))).toBe('photo-\\u{202e}gnp.exe');
  expect(showPath(fromText('a\u200bb\ufeff'))).toBe('a\\u{200b}b\\u{feff}');
  expect(showPath(fromText('a\nb\tc d\u001b'))).toBe('a\\nb\\tc d\\x1b');
  expect(printable('\u001b[2Ja\tb\n\u{e0041}')).toBe('\\x1b[2Ja\tb\n\\u{e0041}');
  // What joins the signs of one picture stays.
  expect(printable('👩‍👩‍👧 日本語 é')).toBe('👩‍👩‍👧 日本語 é');
});

const forged = (digits: string): OperationId => digits.padEnd(40, '0') as OperationId;

test('[CKP-6] an id is shown as long as it takes to tell it from every other here', () => {
  const [one, two, three] = [forged('abcdef01234'), forged('abcdef012345'), forged('ffffffffff')];
  expect(digitsToTellApart(one, [one, two, three])).toBe(12);
  expect(digitsToTellApart(two, [one, two])).toBe(12);
  expect(digitsToTellApart(three, [one, two, three])).toBe(10);
  const index = OperationIndex.open(`${temporaryDirectory()}/index.db`, () => {});
  const recorded = [one, two, three].map((id, at) => ({
    id,
    kind: 'pin',
    session: 'local',
    sequence: at + 1,
    target: three,
    pinned: true,
    createdAt: '2026-03-12T10:00:00.000Z',
    description: 'Pinned',
    state: null,
  }));
  index.add(recorded as never, { last: three, sequence: 3 });
  expect(index.idsLike(one).sort()).toEqual([one, two]);
  expect(index.idsLike(three)).toEqual([three]);
  index.close();
});
