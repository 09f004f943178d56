import type { Checkpoint } from '../client/types.ts';

/** What the timeline is made of: checkpoints, and a heading where another turn begins. */
export type TimelineRow =
  | { readonly is: 'turn'; readonly turn: number; readonly title: string; readonly key: string }
  | { readonly is: 'checkpoint'; readonly checkpoint: Checkpoint; readonly key: string };

/** Checkpoints, newest first, under the turns that they belong to. */
export const rowsOf = (checkpoints: readonly Checkpoint[]): TimelineRow[] => {
  const rows: TimelineRow[] = [];
  let current: number | null = null;
  for (const checkpoint of checkpoints) {
    const { id, turn, messagePreview } = checkpoint;
    // What a person recorded in between belongs to no turn, and ends none.
    if (turn !== null && turn !== 0 && turn !== current) {
      rows.push({ is: 'turn', turn, title: messagePreview ?? '', key: `turn ${turn} ${id}` });
      current = turn;
    }
    rows.push({ is: 'checkpoint', checkpoint, key: id });
  }
  return rows;
};

/** Where a turn begins in it; -1 where it is not there yet. */
export const rowOfTurn = (rows: readonly TimelineRow[], turn: number): number =>
  rows.findIndex((row) => row.is === 'turn' && row.turn === turn);

export const rowOfCheckpoint = (rows: readonly TimelineRow[], id: string): number => rows.findIndex(({ key }) => key === id);
