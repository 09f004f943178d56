import { diffFiles, diffStates, type StateChange } from '../diff/index.ts';
import type { ChangeCounts, Entry } from '../index/index.ts';
import { isCheckpoint, isRollback, type Omission, type Recorded, RetakeError, type Rollback, type SessionId } from '../model/index.ts';
import { undoChain } from './aim.ts';
import type { Workspace } from './workspace.ts';

/** An operation with what it changed. */
export interface LogEntry extends Entry {
  /** Null when what it takes to count is damaged. */
  readonly counts: ChangeCounts | null;
}

const NONE: ChangeCounts = { changed: 0, insertions: 0, deletions: 0 };

/** The log, newest first. */
export const readLog = (workspace: Workspace, options: { session?: SessionId | undefined; limit?: number | undefined } = {}): LogEntry[] =>
  workspace.isProtected ? workspace.index.list(options).map((entry) => withCounts(workspace, entry)) : [];

export const searchLog = (workspace: Workspace, words: readonly string[]): LogEntry[] =>
  workspace.isProtected ? workspace.index.search(words).map((entry) => withCounts(workspace, entry)) : [];

export const withCounts = (workspace: Workspace, entry: Entry): LogEntry => ({ ...entry, counts: countsOf(workspace, entry.operation) });

/** What a checkpoint could not capture. */
export const readOmissions = ({ store }: Workspace, operation: Recorded): readonly Omission[] =>
  isCheckpoint(operation) ? store.log.manifest(operation.id).omissions : [];

/** Files and lines changed: since the record before, or by the rollback. The first checkpoint has none to differ from. */
const countsOf = (workspace: Workspace, operation: Recorded): ChangeCounts | null => {
  try {
    return count(workspace, operation);
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return null;
    throw error;
  }
};

const count = (workspace: Workspace, operation: Recorded): ChangeCounts => {
  const known = workspace.index.counts(operation.id);
  if (known !== undefined) return known;
  const changes = changesOf(workspace, operation);
  if (changes === undefined) return NONE;
  const files = diffFiles(workspace.store.objects, changes);
  const counts = {
    changed: files.length,
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
  workspace.index.rememberCounts(operation.id, counts);
  return counts;
};

const changesOf = ({ store }: Workspace, operation: Recorded): readonly StateChange[] | undefined => {
  if (isRollback(operation)) return operation.outcome === 'taken-back' ? [] : store.log.plan(operation.id);
  if (!isCheckpoint(operation) || operation.previous === null) return undefined;
  const before = store.log.readIfIntact(operation.previous)?.state;
  return before ? diffStates(store.objects, before, operation.state) : undefined;
};

export interface RollbackEntry {
  readonly rollback: Recorded<Rollback>;
  readonly undoneBy: Recorded<Rollback> | undefined;
  readonly counts: ChangeCounts | null;
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
