import type { Entry, RecordedTurn } from '../../index/index.ts';
import { type Checkpoint, isCheckpoint, type Recorded } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { SessionTurn } from './turn-list.ts';

/** A checkpoint as it stands in the log, without what takes reading. */
export interface CheckpointRecord extends Entry {
  readonly operation: Recorded<Checkpoint>;
}

/** What was recorded between the prompt of each turn and the next one, oldest first. */
export const recordsOfTurns = ({ index, isProtected }: Workspace, turns: readonly SessionTurn[]): CheckpointRecord[][] => {
  if (!isProtected) return turns.map(() => []);
  const byEnd = new Map(index.turns().flatMap((turn) => [turn.prompt, turn.last].map((end) => [end, turn] as const)));
  const asked = turns.map(({ checkpoint, last }) => (checkpoint ?? last) && byEnd.get(checkpoint ?? last));
  const found = asked.filter((turn) => turn != null);
  if (found.length === 0) return turns.map(() => []);
  const from = Math.min(...found.map(({ firstSequence }) => firstSequence));
  const through = Math.max(...found.map(({ lastSequence }) => lastSequence));
  const records = index.between(from - 1, through, -1).filter(isInsideTurn);
  const byTurn = Map.groupBy(records, ({ operation: { session, event } }) => nameOf({ session, turn: event?.turn ?? 0 }));
  return asked.map((turn) => (turn == null ? [] : (byTurn.get(nameOf(turn)) ?? [])));
};

const nameOf = ({ session, turn }: Pick<RecordedTurn, 'session' | 'turn'>): string => `${session} ${turn}`;

const isInsideTurn = (entry: Entry): entry is CheckpointRecord =>
  isCheckpoint(entry.operation) && entry.operation.event !== undefined && entry.operation.kind !== 'prompt';

/** The checkpoints of the log, newest first; those that rollbacks made for safety are not among them. */
export const listRecords = (
  { index, isProtected }: Workspace,
  { session }: { session?: Checkpoint['session'] | undefined } = {},
): CheckpointRecord[] => (isProtected ? index.list({ session }).filter(isRecord) : []);

const isRecord = (entry: Entry): entry is CheckpointRecord => isCheckpoint(entry.operation) && entry.operation.kind !== 'safety';
