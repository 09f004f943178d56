import type { DiffHunk } from '../client/types.ts';
import { align } from './align.ts';
import { firstNumbers, isWhole, type NumberedLine } from './hunks.ts';
import { pairUp } from './pair-lines.ts';

/** How lines are laid out. */
export type Layout = 'unified' | 'split';

/** A line as it is shown. */
export interface ShownLine extends NumberedLine {
  /** `context` too where it differs in whitespace alone and that is not shown. */
  readonly kind: 'context' | 'add' | 'remove';
  readonly hunk: number;
  /** Its number among the lines of all hunks, from 1: what a range of them is asked for by. */
  readonly place: number;
  /** What it became, or was, where that can be told. */
  mate: ShownLine | null;
}

/** What is in one line of the screen. */
export type Row =
  | { readonly type: 'hunk'; readonly hunk: number; readonly isWhole: boolean; readonly isHidden: boolean }
  | { readonly type: 'line'; readonly line: ShownLine }
  | { readonly type: 'pair'; readonly left: ShownLine | null; readonly right: ShownLine | null };

export interface Rows {
  readonly rows: readonly Row[];
  /** Where in them each change begins. */
  readonly changes: readonly number[];
  /** Lines that differ in whitespace alone and are shown as if they did not. */
  readonly hidden: number;
}

interface RowOptions {
  readonly layout: Layout;
  readonly hidesWhitespace: boolean;
}

/** What the hunks of a file look like. */
export const rowsOf = (hunks: readonly DiffHunk[], { layout, hidesWhitespace }: RowOptions): Rows => {
  const rows: Row[] = [];
  const changes: number[] = [];
  let [hidden, place] = [0, 1];
  hunks.forEach((hunk, number) => {
    const blocks = blocksOf(hunk, number, place);
    place += hunk.lines.length;
    const kept = hidesWhitespace ? blocks.flatMap(withoutWhitespace) : blocks;
    const same = kept.reduce((sum, { pairs }) => sum + pairs.length, 0);
    hidden += same;
    // What is left of it says nothing.
    const isHidden = same > 0 && kept.every(({ removed, added }) => removed.length === 0 && added.length === 0);
    rows.push({ type: 'hunk', hunk: number, isWhole: isWhole(hunk), isHidden });
    if (isHidden) return;
    for (const block of kept) {
      const isChange = block.removed.length > 0 || block.added.length > 0;
      if (isChange) changes.push(rows.length + block.context.length + block.pairs.length);
      // Not spread: a block may be as long as a file.
      for (const row of layout === 'split' ? splitRows(block) : unifiedRows(block)) rows.push(row);
    }
  });
  return { rows, changes, hidden };
};

/** Lines that stay, or differ in nothing that is shown, and the change that follows. */
interface Block {
  readonly context: readonly ShownLine[];
  /** The same but for whitespace. */
  readonly pairs: readonly (readonly [old: ShownLine, fresh: ShownLine])[];
  readonly removed: readonly ShownLine[];
  readonly added: readonly ShownLine[];
}

const blocksOf = (whole: DiffHunk, hunk: number, first: number): Block[] => {
  const { lines } = whole;
  const blocks: Block[] = [];
  let [old, fresh] = firstNumbers(whole);
  let at = 0;
  const take = (kind: ShownLine['kind']): ShownLine[] => {
    const taken: ShownLine[] = [];
    for (let line = lines[at]; line?.kind === kind; line = lines[++at])
      taken.push({
        line,
        old: kind === 'add' ? null : old++,
        new: kind === 'remove' ? null : fresh++,
        kind,
        hunk,
        place: first + at,
        mate: null,
      });
    return taken;
  };
  while (at < lines.length) {
    const context = take('context');
    const removed = take('remove');
    blocks.push({ context, pairs: [], removed, added: take('add') });
  }
  return blocks;
};

const bare = ({ line: { text } }: ShownLine): string => text.replaceAll(/\s+/g, '');

/** Cuts a block where a removed and an added line are the same but for whitespace: these stay, as it were. */
const withoutWhitespace = (block: Block): Block[] => {
  const { context, removed, added } = block;
  if (removed.length === 0 || added.length === 0) return [block];
  const same = align(removed.map(bare), added.map(bare));
  if (same.length === 0) return [block];
  const blocks: Block[] = [];
  let [before, old, fresh] = [context, 0, 0];
  let pairs: (readonly [ShownLine, ShownLine])[] = [];
  const close = (oldEnd: number, freshEnd: number): void => {
    blocks.push({ context: before, pairs, removed: removed.slice(old, oldEnd), added: added.slice(fresh, freshEnd) });
    before = [];
    pairs = [];
  };
  for (const [left, right] of same) {
    if (left > old || right > fresh) close(left, right);
    pairs.push([removed[left] as ShownLine, added[right] as ShownLine]);
    [old, fresh] = [left + 1, right + 1];
  }
  close(removed.length, added.length);
  return blocks;
};

function* unifiedRows({ context, pairs, removed, added }: Block): Generator<Row> {
  pairUp(removed, added);
  for (const line of context) yield { type: 'line', line };
  for (const [{ old }, fresh] of pairs) yield { type: 'line', line: { ...fresh, old, kind: 'context' } };
  for (const line of removed) yield { type: 'line', line };
  for (const line of added) yield { type: 'line', line };
}

function* splitRows({ context, pairs, removed, added }: Block): Generator<Row> {
  for (const line of context) yield { type: 'pair', left: line, right: line };
  for (const [old, fresh] of pairs) yield { type: 'pair', left: { ...old, kind: 'context' }, right: { ...fresh, kind: 'context' } };
  for (const [left, right] of pairUp(removed, added)) yield { type: 'pair', left, right };
}
