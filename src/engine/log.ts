import { diffFiles, diffStates } from '../diff/index.ts';
import type { ChangeCounts, Entry } from '../index/index.ts';
import { isCheckpoint, isRollback, type OperationId, type Recorded, type Rollback, type SessionId, type WorkspaceState } from '../model/index.ts';
import { undoChain } from './undo.ts';
import type { Workspace } from './workspace.ts';

/** An operation with what it changed. */
export interface LogEntry extends Entry {
  readonly counts: ChangeCounts;
}

const NONE: ChangeCounts = { changed: 0, insertions: 0, deletions: 0 };

/** The log, newest first. */
export const readLog = (workspace: Workspace, options: { session?: SessionId | undefined; limit?: number | undefined } = {}): LogEntry[] =>
  workspace.isProtected ? workspace.index.list(options).map((entry) => withCounts(workspace, entry)) : [];

export const searchLog = (workspace: Workspace, words: readonly string[]): LogEntry[] =>
  workspace.isProtected ? workspace.index.search(words).map((entry) => withCounts(workspace, entry)) : [];

export const withCounts = (workspace: Workspace, entry: Entry): LogEntry => ({ ...entry, counts: countsOf(workspace, entry.operation) });

/** Files and lines changed: since the checkpoint before, or by the rollback. The first checkpoint has none to differ from. */
const countsOf = (workspace: Workspace, operation: Recorded): ChangeCounts => {
  const before = predecessor(operation);
  if (before === null || operation.state === null) return NONE;
  const { index } = workspace;
  const known = index.counts(operation.id);
  if (known !== undefined) return known;
  const base = workspace.store.log.readIfIntact(before)?.state;
  if (!base) return NONE;
  const counts = count(workspace, base, operation.state);
  index.rememberCounts(operation.id, counts);
  return counts;
};

const predecessor = (operation: Recorded): OperationId | null => {
  if (isCheckpoint(operation)) return operation.previous;
  return isRollback(operation) ? operation.safety : null;
};

const count = ({ store }: Workspace, from: WorkspaceState, to: WorkspaceState): ChangeCounts => {
  const files = diffFiles(store.objects, diffStates(store.objects, from, to));
  return {
    changed: files.length,
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
};

export interface RollbackEntry {
  readonly rollback: Recorded<Rollback>;
  readonly undoneBy: Recorded<Rollback> | undefined;
  readonly counts: ChangeCounts;
}

/** Every rollback and undo, newest first. */
export const readRollbacks = (workspace: Workspace): RollbackEntry[] => {
  const chain = undoChain(workspace);
  const entries = workspace.isProtected ? workspace.index.rollbacks() : [];
  return entries.map(({ operation }) => {
    const rollback = operation as Recorded<Rollback>;
    return { rollback, undoneBy: chain.undoneBy(rollback.id), counts: countsOf(workspace, rollback) };
  });
};
