import type { Recorded } from '../../model/index.ts';
import { findLost, OPERATIONS, sequenceIn, surveyRefs } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** What was recorded and is not in the log any more, although nothing removed it. */
export interface LogLoss {
  readonly operations: number;
  /** Those of which the index still tells, newest first. */
  readonly known: readonly Recorded[];
}

/** Compares the refs with the numbers that were given, with the index, and where `last` is gone with the objects. Reads no operation. */
export const findLogLoss = (workspace: Workspace): LogLoss | null => {
  if (!workspace.isProtected || look(workspace) === null) return null;
  // What somebody removes at this moment is no loss: the index hears of it before we ask again.
  return look(workspace);
};

const look = (workspace: Workspace): LogLoss | null => {
  const { index, store } = workspace;
  const rows = index.numbers();
  const forgotten = index.countForgotten();
  // Before the refs: what is put in its place meanwhile is seen there.
  const waiting = [...store.log.waiting.keys()];
  const held = new Set([...waiting, ...store.refs.names(OPERATIONS)].map(sequenceIn));
  const { lastId } = store.log;
  const known = rows.filter(({ id, sequence }) => id !== lastId && !held.has(sequence)).flatMap((row) => operationAt(workspace, row));
  for (const { id, sequence } of rows) if (id === lastId) held.add(sequence);
  const highest = [...held].reduce((most, one) => Math.max(most, one), index.highest);
  const orphans = lastId === undefined ? findLost(store, surveyRefs(store)).length : 0;
  const operations = Math.max(known.length, highest - held.size - forgotten, orphans);
  return operations > 0 ? { operations, known: known.sort((a, b) => b.sequence - a.sequence) } : null;
};

/** Its row, unless that says something else of itself: then the index is damaged, and not the log. */
const operationAt = ({ index }: Workspace, { id, sequence }: Pick<Recorded, 'id' | 'sequence'>): Recorded[] => {
  const operation = index.get(id)?.operation;
  return operation?.id === id && operation.sequence === sequence ? [operation] : [];
};
