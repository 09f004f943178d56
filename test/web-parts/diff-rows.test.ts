import { expect, test } from 'vitest';
import type { DiffHunk } from '../../src/web/client/types.ts';
import { type Layout, type Row, rowsOf, type ShownLine } from '../../src/web/diff/rows.ts';
import fc from '../support/property.ts';
import { hunksOf } from './diff-made.ts';

const SIGNS = { context: ' ', add: '+', remove: '-' };

const shown = ({ kind, line, old, new: fresh }: ShownLine): string => `${old ?? '.'} ${fresh ?? '.'} ${SIGNS[kind]}${line.text}`;

const drawn = (row: Row): string => {
  if (row.type === 'hunk') return row.isHidden ? '@@ hidden' : '@@';
  if (row.type === 'line') return shown(row.line);
  const side = (line: ShownLine | null, name: 'old' | 'new'): string =>
    line === null ? '-' : `${line[name]} ${SIGNS[line.kind]}${line.line.text}`;
  return `${side(row.left, 'old')} | ${side(row.right, 'new')}`;
};

const draw = (hunks: readonly DiffHunk[], layout: Layout, hidesWhitespace = false): string[] =>
  rowsOf(hunks, { layout, hidesWhitespace }).rows.map(drawn);

const BEFORE = 'one\ntwo\nthree\nfour\nfive\n';
const AFTER = 'one\n2\nthree\nfour\nfive and\nsix\n';

test('[UI-4] unified: lines in their order, with the numbers of both sides', () => {
  expect(draw(hunksOf(BEFORE, AFTER), 'unified')).toEqual([
    '@@',
    '1 1  one',
    '2 . -two',
    '. 2 +2',
    '3 3  three',
    '4 4  four',
    '5 . -five',
    '. 5 +five and',
    '. 6 +six',
  ]);
});

test('[UI-4] side by side: what was removed beside what came in its place', () => {
  expect(draw(hunksOf(BEFORE, AFTER), 'split')).toEqual([
    '@@',
    '1  one | 1  one',
    '2 -two | 2 +2',
    '3  three | 3  three',
    '4  four | 4  four',
    '5 -five | 5 +five and',
    '- | 6 +six',
  ]);
});

test('[UI-4] where more lines came than went, those that are alike are beside each other', () => {
  const hunks = hunksOf('a\nconst total = sum(items);\nz\n', 'a\nimport x;\nimport y;\nconst total = sum(items) * 2;\nz\n');
  expect(draw(hunks, 'split')).toEqual([
    '@@',
    '1  a | 1  a',
    '- | 2 +import x;',
    '- | 3 +import y;',
    '2 -const total = sum(items); | 4 +const total = sum(items) * 2;',
    '3  z | 5  z',
  ]);
  const mates = rowsOf(hunks, { layout: 'unified', hidesWhitespace: false }).rows.flatMap((row) =>
    row.type === 'line' && row.line.mate !== null ? [`${row.line.line.text} ~ ${row.line.mate.line.text}`] : [],
  );
  expect(mates).toEqual([
    'const total = sum(items); ~ const total = sum(items) * 2;',
    'const total = sum(items) * 2; ~ const total = sum(items);',
  ]);
});

test('[UI-4] changes are counted where they begin, for going from one to the next', () => {
  const { rows, changes } = rowsOf(hunksOf(BEFORE, AFTER), { layout: 'unified', hidesWhitespace: false });
  expect(changes.map((at) => drawn(rows[at] as Row))).toEqual(['2 . -two', '5 . -five']);
});

test('[UI-4] changes of whitespace alone can be hidden, and are counted', () => {
  const hunks = hunksOf('if (a) {\nb();\nc();\n}\n', 'if (a) {\n  b();\n  d();\n  c();\n}\n');
  expect(draw(hunks, 'unified', true)).toEqual(['@@', '1 1  if (a) {', '2 2    b();', '. 3 +  d();', '3 4    c();', '4 5  }']);
  expect(draw(hunks, 'split', true)).toEqual([
    '@@',
    '1  if (a) { | 1  if (a) {',
    '2  b(); | 2    b();',
    '- | 3 +  d();',
    '3  c(); | 4    c();',
    '4  } | 5  }',
  ]);
  expect(rowsOf(hunks, { layout: 'unified', hidesWhitespace: true })).toMatchObject({ hidden: 2, changes: [3] });
  expect(rowsOf(hunks, { layout: 'unified', hidesWhitespace: false }).hidden).toBe(0);
});

test('[UI-4] a hunk of whitespace alone is a line, and the ends of lines are whitespace', () => {
  expect(draw(hunksOf('a\nb\n', 'a\r\nb\r\n'), 'unified', true)).toEqual(['@@ hidden']);
  expect(draw(hunksOf('a\nb', 'a\nb\n'), 'unified', true)).toEqual(['@@ hidden']);
  // Nothing but new lines: none of them has a mate.
  expect(draw(hunksOf('a\n', 'a\n\n'), 'unified', true)).toEqual(['@@', '1 1  a', '. 2 +']);
});

test('[UI-4] a hunk knows whether all of it is here', () => {
  const [hunk] = hunksOf(BEFORE, AFTER) as [DiffHunk];
  const wholes = (...hunks: DiffHunk[]): unknown[] =>
    rowsOf(hunks, { layout: 'unified', hidesWhitespace: false }).rows.flatMap((row) => (row.type === 'hunk' ? [row.isWhole] : []));
  expect(wholes(hunk, { ...hunk, lines: hunk.lines.slice(1) })).toEqual([true, false]);
});

const texts = fc
  .array(fc.constantFrom('a', ' a', 'a ', 'b', '', '  ', 'c d', 'c  d', 'e'), { maxLength: 25 })
  .map((lines) => lines.join('\n'));

test('[UI-4] whatever is hidden and however it is laid out, both sides are all there', () => {
  fc.assert(
    fc.property(texts, texts, fc.boolean(), (before, after, hidesWhitespace) => {
      const hunks = hunksOf(before, after);
      const numbers = (name: 'old' | 'new'): number[] =>
        hunks.flatMap(({ oldStart, oldLines, newStart, newLines }) => {
          const [start, lines] = name === 'old' ? [oldStart, oldLines] : [newStart, newLines];
          return Array.from({ length: lines }, (_, at) => start + at);
        });
      const { rows: unified, hidden } = rowsOf(hunks, { layout: 'unified', hidesWhitespace });
      const { rows: split, hidden: hiddenToo } = rowsOf(hunks, { layout: 'split', hidesWhitespace });
      expect(hiddenToo).toBe(hidden);
      if (unified.some((row) => row.type === 'hunk' && row.isHidden)) return;
      const inUnified = unified.flatMap((row) => (row.type === 'line' ? [row.line] : []));
      for (const name of ['old', 'new'] as const) {
        expect(inUnified.flatMap((line) => line[name] ?? [])).toEqual(numbers(name));
        expect(split.flatMap((row) => (row.type === 'pair' ? ((name === 'old' ? row.left : row.right)?.[name] ?? []) : []))).toEqual(
          numbers(name),
        );
      }
    }),
  );
});

test('[UI-4] a file of 200,000 changed lines is laid out', () => {
  const lines = (word: string): string => Array.from({ length: 200_000 }, (_, at) => `${word} ${at}`).join('\n');
  const hunks = hunksOf(lines('old'), lines('new'));
  expect(rowsOf(hunks, { layout: 'split', hidesWhitespace: true }).rows).toHaveLength(200_001);
  expect(rowsOf(hunks, { layout: 'unified', hidesWhitespace: false }).rows).toHaveLength(400_001);
});
