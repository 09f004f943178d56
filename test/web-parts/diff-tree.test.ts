import { expect, test } from 'vitest';
import { isPicture, languageOf } from '../../src/web/diff/language.ts';
import { isIdentity, isWithPresent, questionOf } from '../../src/web/diff/subject.ts';
import { filterFiles, foldersAbove, keyOfFile, type TreeRow, treeOf, treeRows } from '../../src/web/diff/tree.ts';
import { fileAt } from './diff-made.ts';

const drawn = (rows: readonly TreeRow[]): string[] =>
  rows.map(
    (row) => `${'  '.repeat(row.level - 1)}${row.type === 'file' ? row.name : `${row.isFolded ? '+' : '-'} ${row.name} (${row.files})`}`,
  );

const FILES = ['README.md', 'src/web/diff/a.ts', 'src/web/diff/b/c.ts', 'src/web/diff/d.ts', 'test/only/deep/one.ts'].map((path) =>
  fileAt(path),
);

test('[UI-4] files are a tree in which folders with nothing else in them are one line', () => {
  const tree = treeOf(FILES);
  expect(drawn(treeRows(tree, new Set()))).toEqual([
    'README.md',
    '- src/web/diff (3)',
    '  a.ts',
    '  - b (1)',
    '    c.ts',
    '  d.ts',
    '- test/only/deep (1)',
    '  one.ts',
  ]);
  expect(drawn(treeRows(tree, new Set(['src/web/diff/'])))).toEqual([
    'README.md',
    '+ src/web/diff (3)',
    '- test/only/deep (1)',
    '  one.ts',
  ]);
  expect(foldersAbove(tree, 'src/web/diff/b/c.ts')).toEqual(['src/web/diff/', 'src/web/diff/b/']);
  expect(foldersAbove(tree, 'README.md')).toEqual([]);
});

test('[UI-4] names that mean something to programs are names', () => {
  const odd = ['<b>bold</b>', '__proto__/constructor', 'constructor', 'was/file', 'was'].map((path) => fileAt(path));
  expect(drawn(treeRows(treeOf(odd), new Set()))).toEqual([
    // There is a slash in it.
    '- <b>bold< (1)',
    '  b>',
    '- __proto__ (1)',
    '  constructor',
    'constructor',
    '- was (1)',
    '  file',
    'was',
  ]);
});

test('[UI-4] files that read alike are told apart by their bytes', () => {
  expect(keyOfFile(fileAt('n\ufffd', { pathBase64: 'bv8=' }))).not.toBe(keyOfFile(fileAt('n\ufffd', { pathBase64: 'bv4=' })));
  expect(keyOfFile(fileAt('bytes:x'))).not.toBe(keyOfFile(fileAt('x', { pathBase64: 'x' })));
});

test('[UI-4] the filter takes words in any order and case', () => {
  const paths = (words: string): string[] => filterFiles(FILES, words).map(({ path }) => path);
  expect(paths('')).toHaveLength(5);
  expect(paths('DIFF web .ts')).toEqual(['src/web/diff/a.ts', 'src/web/diff/b/c.ts', 'src/web/diff/d.ts']);
  expect(paths('nothing')).toEqual([]);
});

test('[UI-4] 5,000 files are a tree', () => {
  const many = Array.from({ length: 5000 }, (_, at) => fileAt(`many/${at % 70}/${at}.txt`));
  expect(treeRows(treeOf(many), new Set())).toHaveLength(5071);
});

test('[UI-4] what is compared is asked for by its route, and kept only where it can not change', () => {
  const session = 's';
  const [from, to] = ['a'.repeat(40), 'b'.repeat(40)];
  expect(questionOf({ of: 'checkpoints', session, from, to }).name).toBe('diffCheckpoints');
  expect(questionOf({ of: 'checkpoints', session, from })).toEqual({ name: 'diffWithPresent', params: { session, checkpoint: from } });
  expect(questionOf({ of: 'step', session, step: from })).toEqual({ name: 'diffStep', params: { commit: from } });
  expect(questionOf({ of: 'session', session })).toEqual({ name: 'diffSession', params: { session } });
  expect(isWithPresent({ of: 'session', session })).toBe(true);
  expect(isIdentity({ of: 'checkpoints', session, from, to })).toBe(true);
  expect(isIdentity({ of: 'checkpoints', session, from, to: 'before lunch' })).toBe(false);
  expect(isIdentity({ of: 'checkpoints', session, from })).toBe(false);
  expect(isIdentity({ of: 'step', session, step: 'abc' })).toBe(false);
});

test('[UI-4] what a file is goes by its name', () => {
  expect(['a/b.ts', 'x.TSX', 'Makefile', 'go', 'b.go', 'constructor', 'x.constructor', '.env', 'a.toml'].map(languageOf)).toEqual([
    'typescript',
    'typescript',
    'makefile',
    undefined,
    'go',
    undefined,
    undefined,
    'bash',
    'ini',
  ]);
  expect(['a.PNG', 'b.svg', 'png', 'c.txt'].map(isPicture)).toEqual([true, true, false, false]);
});
