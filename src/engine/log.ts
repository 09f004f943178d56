import { diffFiles, diffStates, type StateChange, totalOf } from '../diff/index.ts';
import type { ChangeCounts, Entry } from '../index/index.ts';
import {
  isCheckpoint,
  isRollback,
  type Omission,
  type Recorded,
  RetakeError,
  type Rollback,
  type RollbackScope,
  type SessionId,
} from '../model/index.ts';

import { type Fate, gitNews, type Standing, type StepStanding } from '../timeline/index.ts';
import { undoChain } from './aim.ts';
import { readTurnPlaces, type TurnPlace } from './conversation/turn-places.ts';
import { standingOf } from './recover/standing.ts';
import { readStepStates } from './recover/step-state.ts';
import type { Workspace } from './workspace.ts';

/** An operation with what it changed. */
export interface LogEntry extends Entry {
  /** Null when what it takes to count is damaged. */
  readonly counts: ChangeCounts | null;
  /** What of it was taken back since. */
  readonly rolledBack: RollbackScope | null;
  /** Of a step: whether it can be recovered. */
  readonly standing: StepStanding | null;
  /** Its place in the conversation, for what an agent did. */
  readonly place: TurnPlace | null;
  /** What git did since the record before. */
  readonly gitNews: readonly string[];
}

const NONE: ChangeCounts = { changed: 0, insertions: 0, deletions: 0 };

/** The log, newest first. */
export const readLog = (workspace: Workspace, options: { session?: SessionId | undefined; limit?: number | undefined } = {}): LogEntry[] =>
  workspace.isProtected ? withDetails(workspace, workspace.index.list(options)) : [];

export const searchLog = (workspace: Workspace, words: readonly string[]): LogEntry[] =>
  workspace.isProtected ? withDetails(workspace, workspace.index.search(words)) : [];

/** Entries with what they changed, and whether that was taken back. */
export const withDetails = (workspace: Workspace, entries: readonly Entry[]): LogEntry[] => {
  const code = standingOf(workspace);
  const isTakenBack = takenBack(code, standingOf(workspace, 'conversation'));
  const standingIn = readStepStates(workspace, code);
  const placeOf = readTurnPlaces(workspace);
  return entries.map((entry) => ({
    ...entry,
    counts: countsOf(workspace, entry.operation),
    rolledBack: isTakenBack(entry.operation),
    standing: standingIn(entry.operation),
    place: placeOf(entry.operation),
    gitNews: newsOfGit(entry.operation),
  }));
};

const newsOfGit = (operation: Recorded): string[] =>
  (isCheckpoint(operation) || operation.kind === 'keep') && operation.git?.move !== undefined ? gitNews(operation.git.move) : [];

const takenBack = (code: Standing, conversation: Standing): ((operation: Recorded) => RollbackScope | null) => {
  // What is on another branch is not taken back.
  const isBack = (fate: Fate): boolean => fate.is === 'left' && fate.by.kind !== 'switch';
  return (operation) => {
    if (!isCheckpoint(operation) || operation.kind === 'safety') return null;
    // The state at a prompt stays where the prompt itself went back.
    const isSaidBack = operation.event !== undefined && isBack(conversation.fateOf(operation, operation.kind === 'prompt'));
    const isCodeBack = isBack(code.fateOf(operation));
    if (isSaidBack) return isCodeBack ? 'both' : 'conversation';
    return isCodeBack ? 'code' : null;
  };
};

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
  const counts = totalOf(diffFiles(workspace.store.objects, changes));
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
