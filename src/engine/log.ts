import type { ChangeCounts, Entry, Stretch } from '../index/index.ts';
import {
  isCheckpoint,
  lineOf,
  type Omission,
  type OperationId,
  type Recorded,
  type Rollback,
  type RollbackScope,
  type SessionId,
} from '../model/index.ts';

import { type Doer, type Fate, gitNews, type StepStanding } from '../timeline/index.ts';
import { undoChain } from './aim.ts';
import { type ChangedByWhom, type RecordOwners, readOwners } from './attribution/record-owners.ts';
import type { Conversations } from './conversation/branches.ts';
import { readTurnPlaces, type TurnPlace } from './conversation/turn-places.ts';
import { countsOf } from './record-changes.ts';
import { standings } from './recover/standing.ts';
import { readStepStates } from './recover/step-state.ts';
import { measured } from './timing/measured.ts';
import type { Workspace } from './workspace.ts';

/** An operation with what it changed. */
export interface LogEntry extends Entry {
  /** Null when what it takes to count is damaged. */
  readonly counts: ChangeCounts | null;
  /** Whose doing that is; null where nothing changed. */
  readonly by: ChangedByWhom | null;
  /** The steps that may have done it, where that is not simply the record itself. */
  readonly owners?: readonly StepOwner[];
  /** What of it was taken back since. */
  readonly rolledBack: RollbackScope | null;
  /** Of a step: whether it can be recovered. */
  readonly standing: StepStanding | null;
  /** Its place in the conversation, for what an agent did. */
  readonly place: TurnPlace | null;
  /** What git did since the record before. */
  readonly gitNews: readonly string[];
}

/** A step that may have changed something, with its turn as the log counts it. */
export interface StepOwner {
  readonly id: OperationId;
  readonly description: string;
  readonly agentId: string | null;
  readonly turn: number;
}

/** The log, newest first. */
export const readLog = (workspace: Workspace, options: { session?: SessionId | undefined; limit?: number | undefined } = {}): LogEntry[] =>
  workspace.isProtected ? measured(workspace, 'log', () => withDetails(workspace, workspace.index.list(options))) : [];

/** A part of the log, newest first. */
export interface LogPart<E extends LogEntry = LogEntry> {
  readonly entries: readonly E[];
  /** How many there are on the whole. */
  readonly total: number;
}

/** Checkpoints by words of their name, note or description; of many, those before a sequence number, and not more than wanted. */
export const searchLog = (workspace: Workspace, words: readonly string[], stretch: Stretch = {}): LogPart => {
  if (!workspace.isProtected) return { entries: [], total: 0 };
  return measured(workspace, 'search', () => {
    const { entries, total } = workspace.index.search(words, stretch);
    return { entries: withDetails(workspace, entries), total };
  });
};

/** Entries with what they changed, and whether that was taken back. */
export const withDetails = (workspace: Workspace, entries: readonly Entry[], conversations?: Conversations): LogEntry[] => {
  if (entries.length === 0) return [];
  const code = standings(workspace);
  const takenBack = readTakenBack(workspace, code);
  const standingIn = readStepStates(workspace, code);
  const placeOf = readTurnPlaces(workspace, conversations);
  const ownersOf = readOwners(workspace, Math.min(...entries.map(({ operation }) => operation.sequence)));
  const toldOwner = ({ id, description, agentId, turn }: Doer): StepOwner => {
    const record = workspace.index.get(id)?.operation;
    return { id, description, agentId, turn: (record && placeOf(record)?.number) ?? turn };
  };
  return entries.map((entry) => {
    const counts = countsOf(workspace, entry.operation);
    const { by, owners }: RecordOwners = counts === null || counts.changed === 0 ? { by: null } : ownersOf(entry.operation);
    return {
      ...entry,
      counts,
      by,
      ...(owners === undefined ? {} : { owners: owners.map(toldOwner) }),
      rolledBack: takenBack(entry.operation),
      standing: standingIn(entry.operation),
      place: placeOf(entry.operation),
      gitNews: newsOfGit(entry.operation),
    };
  });
};

const newsOfGit = (operation: Recorded): string[] =>
  (isCheckpoint(operation) || operation.kind === 'keep') && operation.git?.move !== undefined ? gitNews(operation.git.move) : [];

/** Tells of records what of them was taken back since. */
export const readTakenBack = (workspace: Workspace, codeIn = standings(workspace)): ((operation: Recorded) => RollbackScope | null) => {
  const conversationIn = standings(workspace, 'conversation');
  // What is on another branch is not taken back.
  const isBack = (fate: Fate): boolean => fate.is === 'left' && fate.by.kind !== 'switch';
  return (operation) => {
    if (!isCheckpoint(operation) || operation.kind === 'safety') return null;
    const [code, conversation] = [codeIn(lineOf(operation)), conversationIn(lineOf(operation))];
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
