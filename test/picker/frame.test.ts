import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { frameOf } from '../../src/cli/picker/frame.ts';
import { footerOf } from '../../src/cli/picker/layout.ts';
import { levelOf, orderOf, type State } from '../../src/cli/picker/state.ts';
import { cut, inert, padded, steady, wrapped } from '../../src/cli/picker/text.ts';
import { fromText, type RelativePath } from '../../src/model/index.ts';
import { answer, listing, prepared, pressed } from './made.ts';

const ODD = [
  'plain',
  '日本語のとても長いプロンプトがここにあります'.repeat(5),
  '👨‍👩‍👧‍👦👍🏽❤️🇩🇪'.repeat(20),
  `z${'\u0301'.repeat(500)}algo`,
  '\u001b[31mred\u0007\u202e\u200b\u{e0041}',
  '\ud800 half a character',
  ' ',
];

const UNSAID = { code: { reason: null }, conversation: { reason: null, before: 1, after: 1 } };

const now = Date.parse('2030-01-01');

const linesOf = (state: State): string[] => {
  const { header, columns, notice, footer } = frameOf(state, now);
  return [...header, ...columns.flatMap(({ lines }) => lines), ...notice, ...footer];
};

const SIZES = [
  { columns: 40, rows: 8 },
  { columns: 60, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 109, rows: 40 },
  { columns: 110, rows: 24 },
  { columns: 300, rows: 100 },
];

describe('[UI-2] texts', () => {
  test.each(ODD)('%j takes no more cells than it is given, and has no power', (text) => {
    for (const room of [0, 1, 2, 5, 20]) {
      expect(stringWidth(cut(inert(text), room))).toBeLessThanOrEqual(room);
      expect(stringWidth(padded(inert(text), room))).toBe(room);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
      expect(inert(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u200b]|\u200d|\ufe0f/);
    }
  });

  test('short texts stay whole, long ones end in a sign for it', () => {
    expect(cut('abc', 3)).toBe('abc');
    expect(cut('abcd', 3)).toBe('ab…');
    expect(cut('日本語', 5)).toBe('日本…');
    expect(cut('日本語', 4)).toBe('日…');
  });

  test('colours of ours stay, what hides does not', () => {
    expect(steady('\u001b[32m+1\u001b[39m \u202eok')).toBe('\u001b[32m+1\u001b[39m \\u{202e}ok');
  });

  test('long lines are broken between words, words that are too long anywhere', () => {
    expect(wrapped('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapped('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrapped('日本語日本語', 4)).toEqual(['日本', '語日', '本語']);
    for (const text of ODD) for (const line of wrapped(inert(text), 10)) expect(stringWidth(line)).toBeLessThanOrEqual(10);
  });
});

describe.each(SIZES)('[UI-2] at $columns×$rows', (size) => {
  const list = (): State => pressed(listing([...ODD, ...ODD, ...ODD, ...ODD], size), 'down');
  const menu = (): State =>
    answer(pressed(list(), 'enter'), 'weigh', {
      code: { reason: null },
      conversation: { reason: 'a reason that is rather long, so that it does not fit on narrow screens', before: 0, after: 0 },
    });
  const planned = (): State => {
    const state = menu();
    const level = levelOf(state);
    const order = level?.is === 'menu' ? orderOf(level) : null;
    if (order === null) throw new Error('nothing to plan');
    return answer(state, 'plan', prepared(order, { lines: ODD.map((text) => inert(text)), hasMine: true, keepsMine: true, conflicts: 2 }));
  };
  const confirm = (): State => pressed(planned(), 'enter');
  const result = (): State => answer(pressed(confirm(), 'enter'), 'work', { lines: ['a '.repeat(200)], onward: [], rollback: null });

  test.each([
    ['list', list],
    ['menu', menu],
    ['menu with its plan', planned],
    ['plan', confirm],
    ['result', result],
  ])('the %s fits, and its keys are on it', (_, make) => {
    const state = make();
    const { header, columns, notice, footer } = frameOf(state, now);
    for (const line of linesOf(state)) expect(stringWidth(line)).toBeLessThanOrEqual(size.columns);
    const body = Math.max(...columns.map(({ lines }) => lines.length));
    expect(columns.reduce((sum, { width }) => sum + width, 0)).toBeLessThanOrEqual(size.columns);
    expect(header.length + body + notice.length + footer.length).toBeLessThanOrEqual(size.rows);
    expect(footer.join(' ')).toMatch(/quit/);
    expect(footerOf(state)).toEqual(footer);
  });
});

test.each(SIZES)('[UI-2] at $columns×$rows the choice under the cursor is in sight, and some of its plan', (size) => {
  const menu = answer(pressed(listing(['one'], size), 'down', 'enter'), 'weigh', {
    code: { reason: null },
    conversation: { reason: null, before: 1, after: 1 },
  });
  for (const [at, title] of [
    'Code and',
    'Conversation',
    'Code',
    'Fork',
    'Summarize from',
    'Summarize up',
    'Only these',
    'Cancel',
  ].entries()) {
    const state = pressed(menu, ...Array.from({ length: at }, () => 'down' as const));
    const lines = linesOf(state).join('\n');
    expect(lines).toContain(`❯ ${title}`);
    if (title !== 'Cancel') expect(lines).toContain('Working out the plan');
  }
});

test('[UI-2] times are told whole: with the hour where there is room for it', () => {
  // A day after the turn, wherever on earth.
  const aDayLater = 60_000 + 24 * 3_600_000;
  const rows = (columns: number): string => frameOf(listing(['one'], { columns, rows: 24 }), aDayLater).columns[0]?.lines.join('\n') ?? '';
  expect(rows(80)).toMatch(/ yesterday {2}/);
  expect(rows(230)).toMatch(/ yesterday \d\d:\d\d {2}/);
});

test('[UI-2] at 80×24 reasons and notices are told to their end', () => {
  const why = `The agent of session ${'1'.repeat(36)} did not tell where it keeps the conversation`;
  const menu = answer(pressed(listing(['one']), 'down', 'enter'), 'weigh', {
    code: { reason: null },
    conversation: { reason: why, before: 1, after: 1 },
  });
  const told = linesOf(menu).map(stripVTControlCharacters).join(' ').replaceAll(/\s+/g, ' ');
  expect(told.split(`(not possible: ${why})`)).toHaveLength(6);
  expect(told).toContain('❯ Code');
  const notice = linesOf({ ...menu, notice: why }).join(' ');
  expect(notice).toContain(`! ${why.slice(0, 40)}`);
  expect(notice).toContain('keeps the conversation');
});

test.each([
  { columns: 80, rows: 24 },
  { columns: 110, rows: 24 },
  { columns: 120, rows: 40 },
])('[UI-2] at $columns×$rows a row says that it was rolled back, whatever else there is to say of it', (size) => {
  const marks = ['rolled back (code)', `with ${'many others '.repeat(20)}`];
  const details = new Map([['turn 1', { counts: { changed: 12, insertions: 1234, deletions: 1234 }, marks }]]);
  const listed = answer(listing(['a prompt of many words, more than have room'], size), 'details', details);
  const lines = linesOf(listed).map(stripVTControlCharacters).join('\n');
  expect(lines).toMatch(/t1 .*a prom.*… {2}rolled back \(code\)/);
});

test.each(SIZES)('[RST-8] at $columns×$rows files of one folder are told apart where some are chosen', (size) => {
  const menu = answer(pressed(listing(['one'], size), 'down', 'enter'), 'weigh', UNSAID);
  const at = pressed(menu, 'down', 'down', 'down', 'down', 'down', 'down');
  const level = levelOf(at);
  const order = level?.is === 'menu' ? orderOf(level) : null;
  if (order === null) throw new Error('nothing to plan');
  const files = ['first.ts', 'second.ts', `${'日本語'.repeat(40)}/third.ts`].map((name) => ({
    path: fromText(`${'packages/application/components/'.repeat(3)}${name}`) as RelativePath,
    type: 'restore' as const,
    lines: { insertions: 1, deletions: 20 },
  }));
  const { columns } = frameOf(pressed(answer(at, 'plan', prepared(order, { files })), 'enter'), now);
  const lines = columns.flatMap(({ lines }) => lines);
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(size.columns);
  expect(lines.map((line) => /pac.*(first|second|third)\.ts {2}\+1 -20$/.exec(stripVTControlCharacters(line))?.[1])).toEqual([
    'first',
    'second',
    'third',
  ]);
});

test('[UI-2] a terminal that is too small says how large it would have to be', () => {
  expect(linesOf(listing(['one'], { columns: 39, rows: 24 })).join('\n')).toContain('40×8 needed');
});

test('[UI-2] of ten thousand turns only those in sight are drawn', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => `turn ${at + 1}`);
  const state = pressed(listing(many), 'end');
  expect(linesOf(state).length).toBeLessThanOrEqual(24);
  expect(linesOf(state).join('\n')).toContain('❯ ▸ t1 ');
});
