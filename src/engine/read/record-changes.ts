import { diffFiles, diffStates, type StateChange, totalOf } from '../../diff/index.ts';
import type { ChangeCounts } from '../../index/index.ts';
import { isCheckpoint, isRollback, lineOf, type Recorded, RetakeError } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';

const NONE: ChangeCounts = { changed: 0, insertions: 0, deletions: 0 };

/** Files and lines changed: since the record before, or by the rollback. The first checkpoint has none to differ from. */
export const countsOf = (workspace: Workspace, operation: Recorded): ChangeCounts | null =>
  unlessDamaged<ChangeCounts | null>(() => count(workspace, operation), null);

const count = (workspace: Workspace, operation: Recorded): ChangeCounts => {
  const known = workspace.index.counts(operation.id);
  if (known !== undefined) return known;
  const changes = changesOf(workspace, operation);
  if (changes === undefined) return NONE;
  const counts = totalOf(diffFiles(workspace.store.objects, changes));
  workspace.index.rememberCounts(operation.id, counts);
  return counts;
};

/** Undefined where there is nothing to differ from. */
export const changesOf = (workspace: Workspace, operation: Recorded): readonly StateChange[] | undefined => {
  const { store } = workspace;
  if (isRollback(operation)) return operation.outcome === 'taken-back' ? [] : store.log.plan(operation.id);
  const before = recordBefore(workspace, operation)?.state;
  return before ? diffStates(store.objects, before, operation.state) : undefined;
};

/** The record that an operation's changes are counted from. */
export const recordBefore = ({ index }: Workspace, operation: Recorded): Recorded | undefined => {
  if (isRollback(operation)) return index.get(operation.safety)?.operation;
  if (!isCheckpoint(operation) || operation.previous === null) return undefined;
  // Where the record before it is gone, the one before that is what it differs from.
  return index.get(operation.previous)?.operation ?? index.newestContent({ upTo: operation.sequence - 1, line: lineOf(operation) });
};

export const unlessDamaged = <T>(work: () => T, otherwise: T): T => {
  try {
    return work();
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return otherwise;
    throw error;
  }
};
