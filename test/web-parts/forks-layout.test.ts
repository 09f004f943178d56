import { describe, expect, test } from 'vitest';
import { layOut, type Place } from '../../src/web/forks/layout.ts';
import fc from '../support/property.ts';

/** Parents of a forest of any shape, parents first: each new node hangs below one of the last few, or is a root. */
const forests = fc
  .array(fc.nat(12), { minLength: 1, maxLength: 60 })
  .map((choices) => choices.map((choice, at): number | null => (at === 0 || choice === 12 ? null : Math.max(0, at - 1 - choice))))
  .map(inPreorder);

/** The rows of a tree stand in this order. */
function inPreorder(parents: readonly (number | null)[]): (number | null)[] {
  const ordered: (number | null)[] = [];
  const add = (node: number | null, to: number | null): void => {
    for (const [child, parent] of parents.entries()) {
      if (parent !== node) continue;
      ordered.push(to);
      add(child, ordered.length - 1);
    }
  };
  add(null, null);
  return ordered;
}

const leavesOf = (parents: readonly (number | null)[]): number => parents.filter((_, node) => !parents.includes(node)).length;

const columnsOf = (places: readonly Place[]): Place[][] => [...Map.groupBy(places, ({ column }) => column).values()];

describe('the layout of the fork tree', () => {
  test('a chain is a line, and children stand around their parent', () => {
    expect(layOut([null, 0, 1])).toEqual([
      { column: 0, row: 0 },
      { column: 1, row: 0 },
      { column: 2, row: 0 },
    ]);
    expect(layOut([null, 0, 0])).toEqual([
      { column: 0, row: 0.5 },
      { column: 1, row: 0 },
      { column: 1, row: 1 },
    ]);
    expect(layOut([])).toEqual([]);
  });

  test('[FRK-4] nothing overlaps, whatever the tree: one row at least is between two in a column, in the order of the tree', () => {
    fc.assert(
      fc.property(forests, (parents) => {
        for (const column of columnsOf(layOut(parents)))
          for (const [at, { row }] of column.entries()) {
            if (at > 0) expect(row - (column[at - 1]?.row ?? 0)).toBeGreaterThanOrEqual(1);
          }
      }),
    );
  });

  test('each is a column right of its parent, which is in the middle of its children', () => {
    fc.assert(
      fc.property(forests, (parents) => {
        const places = layOut(parents);
        for (const [node, place] of places.entries()) {
          const own = places.filter((_, child) => parents[child] === node);
          expect(own.every(({ column }) => column === place.column + 1)).toBe(true);
          if (own.length > 0) expect(place.row).toBe(((own[0]?.row ?? 0) + (own.at(-1)?.row ?? 0)) / 2);
        }
      }),
    );
  });

  test('it is compact: from row 0 on, no more rows than leaves', () => {
    fc.assert(
      fc.property(forests, (parents) => {
        const rows = layOut(parents).map(({ row }) => row);
        expect(Math.min(...rows)).toBe(0);
        expect(Math.max(...rows)).toBeLessThanOrEqual(leavesOf(parents) - 1);
      }),
    );
  });

  test('a short way tucks itself in beside a deep one', () => {
    // One way with two ways deep inside it, between two short ones.
    const places = layOut([null, 0, 0, 2, 3, 3, 0]);
    expect(places.filter(({ column }) => column === 1).map(({ row }) => row)).toEqual([0, 1, 2]);
  });

  test('many at one place, and many below each other', () => {
    const wide = layOut([null, ...Array.from({ length: 500 }, () => 0)]);
    expect(wide.at(-1)).toEqual({ column: 1, row: 499 });
    const deep = layOut(Array.from({ length: 2000 }, (_, at) => (at === 0 ? null : at - 1)));
    expect(deep.at(-1)).toEqual({ column: 1999, row: 0 });
  });
});
