import type { Row } from './branch-rows.ts';

export type Direction = 'up' | 'down' | 'left' | 'right';

/** What a key comes to: going to another row, by its index, or folding the one that one is at. */
export type Walk = { readonly to: number } | { readonly fold: boolean };

/** In a list: up and down through all rows; right unfolds and goes in, left folds and goes out. */
export const walkList = (rows: readonly Row[], at: number, direction: Direction): Walk => {
  const row = rows[at];
  if (row === undefined) return { to: 0 };
  const hasOwn = rows[at + 1]?.parent === row;
  switch (direction) {
    case 'up':
      return { to: Math.max(0, at - 1) };
    case 'down':
      return { to: Math.min(rows.length - 1, at + 1) };
    case 'right':
      if (row.isFolded) return { fold: false };
      return { to: hasOwn ? at + 1 : at };
    case 'left':
      if (hasOwn) return { fold: true };
      return { to: parentOf(rows, at) };
  }
};

/** In a drawing: as it looks. Up and down stay in the column. */
export const walkDrawing = (rows: readonly Row[], at: number, direction: Direction): Walk => {
  const row = rows[at];
  if (row === undefined) return { to: 0 };
  const isBeside = ({ level }: Row): boolean => level === row.level;
  const found = (index: number): Walk => ({ to: index < 0 ? at : index });
  switch (direction) {
    case 'up':
      return found(rows.slice(0, at).findLastIndex(isBeside));
    case 'down':
      return found(rows.findIndex((one, index) => index > at && isBeside(one)));
    case 'right':
      if (row.isFolded) return { fold: false };
      return { to: rows[at + 1]?.parent === row ? at + 1 : at };
    case 'left':
      return { to: parentOf(rows, at) };
  }
};

const parentOf = (rows: readonly Row[], at: number): number => {
  const parent = rows[at]?.parent;
  return parent === undefined ? at : rows.indexOf(parent);
};
