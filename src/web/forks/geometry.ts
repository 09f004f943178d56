import type { Row } from './branch-rows.ts';
import { type Fork, forkOf } from './fork-tree.ts';
import { layOut } from './layout.ts';

/** How large a branch is drawn, and what is between two of them. */
export const CARD = { width: 256, height: 96 } as const;
const BETWEEN = { columns: 72, rows: 20 } as const;
const MARGIN = 24;

/** How far behind a branch the mark of its fork is, and marks from each other. */
const TO_MARK = 30;
const MARKS_APART = 14;

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Line {
  readonly to: string;
  /** As SVG has it. */
  readonly path: string;
  /** It leads to where one is. */
  readonly isWay: boolean;
}

interface Mark extends Point {
  readonly fork: Fork;
}

export interface Drawing {
  /** The upper left corner of each row's card. */
  readonly cards: readonly Point[];
  readonly lines: readonly Line[];
  /** Where ways part. */
  readonly marks: readonly Mark[];
  readonly width: number;
  readonly height: number;
}

/** Where everything is drawn. `way` leads to where one is. */
export const draw = (rows: readonly Row[], forks: readonly Fork[], way: ReadonlySet<string>): Drawing => {
  const indexes = new Map(rows.map((row, at) => [row, at]));
  const parents = rows.map(({ parent }) => (parent === undefined ? null : (indexes.get(parent) ?? null)));
  const places = layOut(parents);
  const starts = rows.map(({ branch }) => forkOf(forks, branch.branch));
  // Ways that part at the very beginning come from a mark before the first column.
  const isPartedAtFirst = rows.some(({ parent }, at) => parent === undefined && starts[at] !== undefined);
  const left = MARGIN + (isPartedAtFirst ? BETWEEN.columns : 0);
  const cards = places.map(({ column, row }) => ({
    x: left + column * (CARD.width + BETWEEN.columns),
    y: MARGIN + row * (CARD.height + BETWEEN.rows),
  }));
  const middle = (at: number): number => (cards[at]?.y ?? 0) + CARD.height / 2;
  const lines: Line[] = [];
  const marks: Mark[] = [];
  for (const [parent, own] of Map.groupBy(rows.keys(), (at) => parents[at] ?? null)) {
    const families = [...Map.groupBy(own, (at) => starts[at])];
    for (const [order, [fork, ways]] of families.entries()) {
      // At the beginning, what no fork parted has nothing before it.
      if (parent === null && fork === undefined) continue;
      const [first = 0, last = first] = [ways[0], ways.at(-1)];
      const from: Point =
        parent === null
          ? { x: MARGIN / 2, y: (middle(first) + middle(last)) / 2 }
          : { x: (cards[parent]?.x ?? 0) + CARD.width, y: middle(parent) };
      const mark = { x: from.x + (parent === null ? 0 : TO_MARK - order * MARKS_APART), y: from.y };
      if (fork !== undefined) marks.push({ ...mark, fork });
      for (const at of ways) {
        const to = { x: cards[at]?.x ?? 0, y: middle(at) };
        const id = rows[at]?.branch.branch ?? '';
        lines.push({ to: id, path: curve(from, mark, to), isWay: way.has(id) });
      }
    }
  }
  const right = Math.max(0, ...cards.map(({ x }) => x + CARD.width));
  const bottom = Math.max(0, ...cards.map(({ y }) => y + CARD.height));
  return { cards, lines, marks, width: right + MARGIN + BETWEEN.columns / 2, height: bottom + MARGIN };
};

const curve = (from: Point, mark: Point, to: Point): string => {
  const half = (mark.x + to.x) / 2;
  return `M${from.x} ${from.y}H${mark.x}C${half} ${mark.y} ${half} ${to.y} ${to.x} ${to.y}`;
};

const SCALES = [0.3, 0.4, 0.5, 0.65, 0.8, 1, 1.25, 1.5, 2] as const;
const [SMALLEST] = SCALES;

/** Below it only titles can be read. */
export const FAR = 0.65;

/** The next larger or smaller one. */
export const nextScale = (scale: number, by: 1 | -1): number =>
  by === 1 ? (SCALES.find((one) => one > scale + 0.01) ?? scale) : (SCALES.findLast((one) => one < scale - 0.01) ?? scale);

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** All of it in the box, as far as it can be read then; never enlarged. */
export const fittingScale = (box: Size, drawing: Size): number =>
  Math.max(SMALLEST, Math.min(1, box.width / drawing.width, box.height / drawing.height));
