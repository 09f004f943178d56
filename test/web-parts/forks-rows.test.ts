import { describe, expect, test } from 'vitest';
import { areKin, countBranches, foldedAtFirst, kinTogether, type Row, rowsOf, wayTo } from '../../src/web/forks/branch-rows.ts';
import { conflictWords, divergenceWords } from '../../src/web/forks/compare-words.ts';
import type { Branch, Fork } from '../../src/web/forks/fork-tree.ts';
import { titleOf } from '../../src/web/forks/fork-tree.ts';
import { CARD, draw, fittingScale, nextScale } from '../../src/web/forks/geometry.ts';
import { walkDrawing, walkList } from '../../src/web/forks/walk.ts';
import fc from '../support/property.ts';

const branch = (title: string, children: readonly Branch[] = []): Branch => ({
  branch: `id-${title}`,
  sessionId: 'session',
  sessions: ['session'],
  title,
  from: null,
  depth: 0,
  current: false,
  turns: 1,
  checkpoints: 0,
  steps: 0,
  toolCalls: 0,
  insertions: null,
  deletions: null,
  begin: null,
  tip: null,
  startedAt: null,
  lastAt: null,
  files: null,
  checkpoint: null,
  children: [...children],
});

const fork = (at: string | null, ...children: string[]): Fork => ({
  id: null,
  at,
  children: children.map((title) => `id-${title}`),
  sessions: ['session'],
  checkpoint: null,
  reason: 'nobody knows',
});

/** Each new branch hangs below one of the last few, or begins a conversation. */
const forests = fc.array(fc.nat(9), { minLength: 1, maxLength: 40 }).map((choices) => {
  const roots: Branch[] = [];
  const all: Branch[] = [];
  for (const [at, choice] of choices.entries()) {
    const made = branch(String(at));
    (all[choice === 9 ? -1 : at - 1 - choice]?.children ?? roots).push(made);
    all.push(made);
  }
  return roots;
});

const OPEN = { isFolded: () => false, words: '' };
const TREE = [branch('begin', [branch('left', [branch('deep left')]), branch('right')])];

/** Indented titles; `+` where something is folded, in brackets what is on the way only. */
const told = (rows: readonly Row[]): string[] =>
  rows.map(
    ({ branch: { title }, level, isFolded, isOnTheWay }) =>
      `${'.'.repeat(level - 1)}${isOnTheWay ? `(${title})` : title}${isFolded ? '+' : ''}`,
  );

describe('the rows of the fork tree', () => {
  test('each before those below it, with its place among those beside it', () => {
    const rows = rowsOf(TREE, OPEN);
    expect(told(rows)).toEqual(['begin', '.left', '..deep left', '.right']);
    expect(rows.map(({ position, siblings, below }) => [position, siblings, below])).toEqual([
      [1, 1, 3],
      [1, 2, 1],
      [1, 1, 0],
      [2, 2, 0],
    ]);
    expect(countBranches(TREE)).toBe(4);
  });

  test('what is folded hides what is below it; a leaf is never folded', () => {
    expect(told(rowsOf(TREE, { ...OPEN, isFolded: (id) => id !== 'id-begin' }))).toEqual(['begin', '.left+', '.right']);
  });

  test('words leave those that have them and the way to them, folded or not', () => {
    expect(told(rowsOf(TREE, { isFolded: () => true, words: ' DEEP' }))).toEqual(['(begin)', '.(left)', '..deep left']);
    expect(rowsOf(TREE, { ...OPEN, words: 'nowhere' })).toEqual([]);
    expect(rowsOf(TREE, { ...OPEN, words: 'right' })[1]).toMatchObject({ position: 1, siblings: 1 });
  });

  test('a small tree is open at first; a large one shows the way to where one is, and no more than can be taken in', () => {
    expect(foldedAtFirst(TREE, undefined).size).toBe(0);
    fc.assert(
      fc.property(forests, fc.nat(), fc.integer({ min: 3, max: 12 }), (tree, chosen, most) => {
        const all = rowsOf(tree, OPEN);
        const here = all[chosen % all.length]?.branch.branch;
        const folded = foldedAtFirst(tree, here, most);
        const shown = rowsOf(tree, { ...OPEN, isFolded: (id) => folded.has(id) });
        expect(shown.some((row) => row.branch.branch === here)).toBe(true);
        const needed = new Set(wayTo(tree, here ?? '').slice(0, -1));
        const least = tree.length + [...needed].reduce((sum, { children }) => sum + children.length, 0);
        expect(shown.length).toBeLessThanOrEqual(Math.max(least, Math.min(all.length, most)));
      }),
    );
  });

  test('roots that were parted at the beginning stand together', () => {
    const tree = ['a', 'other', 'b'].map((title) => branch(title));
    expect(kinTogether(tree, [fork(null, 'a', 'b')]).map(({ title }) => title)).toEqual(['a', 'b', 'other']);
  });

  test('branches are of one conversation by their root, or by a fork at the very beginning', () => {
    const forks = [fork(null, 'a', 'b'), fork('message', 'left', 'right')];
    const data = { tree: [...TREE, ...['a', 'b', 'other'].map((title) => branch(title))], forks };
    expect(areKin(data, 'id-deep left', 'id-right')).toBe(true);
    expect(areKin(data, 'id-a', 'id-b')).toBe(true);
    expect(areKin(data, 'id-a', 'id-other')).toBe(false);
    expect(areKin(data, 'id-a', 'id-left')).toBe(false);
    expect(areKin(data, 'id-a', 'nowhere')).toBe(false);
  });

  test('a title is one line, and nothing in it is unseen; without one it is the id', () => {
    expect(titleOf({ title: 'a\u202eb\nc', branch: 'x' })).toBe('a\ufffdb⏎c');
    expect(titleOf({ title: '', branch: '0123456789' })).toBe('01234567');
  });
});

describe('the drawing', () => {
  test('cards do not touch, lines run between columns, and each fork has one mark', () => {
    const forks = [fork('message', 'left', 'right')];
    const { cards, lines, marks, width, height } = draw(rowsOf(TREE, OPEN), forks, new Set(['id-begin', 'id-right']));
    for (const [at, card] of cards.entries())
      for (const other of cards.slice(at + 1))
        expect(Math.abs(card.x - other.x) >= CARD.width || Math.abs(card.y - other.y) >= CARD.height).toBe(true);
    expect(lines.map(({ to, isWay }) => [to, isWay])).toEqual([
      ['id-left', false],
      ['id-right', true],
      ['id-deep left', false],
    ]);
    expect(marks.map((mark) => mark.fork)).toEqual(forks);
    expect(cards.every(({ x, y }) => x + CARD.width <= width && y + CARD.height <= height)).toBe(true);
  });

  test('ways that part at the beginning come from a mark before them', () => {
    const { cards, marks, lines } = draw(rowsOf([branch('a'), branch('b')], OPEN), [fork(null, 'a', 'b')], new Set());
    expect(marks).toHaveLength(1);
    expect(marks[0]?.x).toBeLessThan(Math.min(...cards.map(({ x }) => x)));
    expect(lines).toHaveLength(2);
  });

  test('it is made to fit and never larger than it is, nor so small that nothing can be read', () => {
    expect(fittingScale({ width: 100, height: 100 }, { width: 200, height: 50 })).toBe(0.5);
    expect(fittingScale({ width: 100, height: 100 }, { width: 20, height: 50 })).toBe(1);
    expect(fittingScale({ width: 100, height: 100 }, { width: 20, height: 50_000 })).toBe(0.3);
    expect([nextScale(1, 1), nextScale(1, -1), nextScale(0.57, 1), nextScale(2, 1), nextScale(0.3, -1)]).toEqual([1.25, 0.8, 0.65, 2, 0.3]);
  });
});

describe('walking by arrows', () => {
  const rows = rowsOf(TREE, OPEN);
  test('in the list as in every tree', () => {
    expect(walkList(rows, 1, 'down')).toEqual({ to: 2 });
    expect(walkList(rows, 3, 'down')).toEqual({ to: 3 });
    expect(walkList(rows, 0, 'up')).toEqual({ to: 0 });
    expect(walkList(rows, 0, 'right')).toEqual({ to: 1 });
    expect(walkList(rows, 3, 'right')).toEqual({ to: 3 });
    expect(walkList(rows, 1, 'left')).toEqual({ fold: true });
    expect(walkList(rows, 2, 'left')).toEqual({ to: 1 });
    expect(walkList(rows, -1, 'down')).toEqual({ to: 0 });
    const folded = rowsOf(TREE, { ...OPEN, isFolded: (id) => id === 'id-left' });
    expect(walkList(folded, 1, 'right')).toEqual({ fold: false });
    expect(walkList(folded, 1, 'left')).toEqual({ to: 0 });
  });

  test('in the drawing as it looks', () => {
    expect(walkDrawing(rows, 1, 'down')).toEqual({ to: 3 });
    expect(walkDrawing(rows, 3, 'up')).toEqual({ to: 1 });
    expect(walkDrawing(rows, 3, 'down')).toEqual({ to: 3 });
    expect(walkDrawing(rows, 1, 'right')).toEqual({ to: 2 });
    expect(walkDrawing(rows, 2, 'left')).toEqual({ to: 1 });
    expect(walkDrawing(rows, 0, 'left')).toEqual({ to: 0 });
  });
});

test('divergence and conflicts in words', () => {
  expect([0, 0.05, 0.3, 0.5, 0.67, 0.95, 1].map((score) => divergenceWords(score, { a: 1, b: 1 }))).toEqual([
    'the same',
    'nearly the same',
    'mostly alike',
    'about half in common',
    'mostly different',
    'hardly anything in common',
    'nothing in common',
  ]);
  expect([divergenceWords(0, { a: 0, b: 3 }), divergenceWords(0, { a: 3, b: 0 }), divergenceWords(0, { a: 0, b: 0 })]).toEqual([
    'only the right changed the code since',
    'only the left changed the code since',
    'the same',
  ]);
  expect(conflictWords('both-changed')).toBe('both changed the same lines');
  expect(conflictWords('constructor')).toBe('constructor');
});
