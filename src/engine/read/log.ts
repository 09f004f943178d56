import type { ChangeCounts, Entry, Stretch } from '../../index/index.ts';
import {
  isCheckpoint,
  lineOf,
  type Omission,
  type OperationId,
  type Recorded,
  type RollbackScope,
  type SessionId,
} from '../../model/index.ts';

import { type Actor, gitNews, type RecordStatus, type StepStatus } from '../../timeline/index.ts';
import { type ChangedByWhom, type RecordOwners, readOwners } from '../attribution/record-owners.ts';
import { type Conversations, readConversations } from '../conversation/branches.ts';
import { type ForkPointMark, readForkPoints } from '../conversation/fork-points.ts';
import { readTurnNumbers } from '../conversation/turn-numbers.ts';
import { readTurnPlaces, type TurnPlace } from '../conversation/turn-places.ts';
import type { Workspace } from '../core/workspace.ts';
import { reachabilityByLine } from '../recover/reachability.ts';
import { readStepStates } from '../recover/step-state.ts';
import { measured } from '../timing/measured.ts';
import { countsOf } from './record-changes.ts';
import { type Remaining, readRemaining } from './remaining.ts';

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
  /** What it did that is still there all the same; null where all of it went back, or nothing. */
  readonly remaining: Remaining | null;
  /** Of a step: whether it can be recovered. */
  readonly stepStatus: StepStatus | null;
  /** The number of its turn, for what an agent did; 0 before the first. */
  readonly turn: number | null;
  /** Its place in the conversation, for what an agent did. */
  readonly place: TurnPlace | null;
  /** The fork that is there: of the record of the code at it, and of the prompts where its ways part. */
  readonly forkPoint: ForkPointMark | null;
  /** What git did since the record before. */
  readonly gitNews: readonly string[];
}

/** A step that may have changed something, with its turn as the log counts it. */
export interface StepOwner {
  readonly id: OperationId;
  readonly description: string;
  readonly agentId: string | null;
  readonly turn: number | null;
}

export interface LogRequest {
  readonly session?: SessionId | undefined;
  readonly limit?: number | undefined;
  /** Only records at which a conversation was continued in several ways, and those that tell of it. */
  readonly forkPoints?: boolean | undefined;
}

/** The log, newest first. */
export const readLog = (workspace: Workspace, { forkPoints = false, ...options }: LogRequest = {}): LogEntry[] => {
  if (!workspace.isProtected) return [];
  return measured(workspace, 'log', () => {
    if (!forkPoints) return withDetails(workspace, workspace.index.list(options));
    const { byRecord } = readForkPoints(workspace);
    const found = workspace.index
      .list({ session: options.session })
      .filter(({ operation: { id, kind } }) => kind === 'fork-point' || byRecord.has(id));
    return withDetails(workspace, found.slice(0, options.limit));
  });
};

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
  const code = reachabilityByLine(workspace);
  const takenBack = readTakenBack(workspace, code);
  const remaining = readRemaining(workspace, code);
  const { byRecord: forkPoints } = readForkPoints(workspace, conversations);
  const stepStatusOf = readStepStates(workspace, code);
  const all = conversations ?? readConversations(workspace);
  const placeOf = readTurnPlaces(workspace, all);
  const numberOf = readTurnNumbers(workspace, all);
  const ownersOf = readOwners(workspace, Math.min(...entries.map(({ operation }) => operation.sequence)));
  const toldOwner = ({ id, description, agentId, turn }: Actor): StepOwner => {
    const record = workspace.index.get(id)?.operation;
    return { id, description, agentId, turn: record === undefined ? turn : numberOf(record) };
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
      remaining: remaining.of(entry.operation),
      stepStatus: stepStatusOf(entry.operation),
      turn: numberOf(entry.operation),
      place: placeOf(entry.operation),
      forkPoint: forkPoints.get(entry.operation.id) ?? null,
      gitNews: newsOfGit(entry.operation),
    };
  });
};

const newsOfGit = (operation: Recorded): string[] =>
  (isCheckpoint(operation) || operation.kind === 'keep') && operation.git?.move !== undefined ? gitNews(operation.git.move) : [];

/** Tells of records what of them was taken back since. */
export const readTakenBack = (
  workspace: Workspace,
  codeIn = reachabilityByLine(workspace),
): ((operation: Recorded) => RollbackScope | null) => {
  const conversationIn = reachabilityByLine(workspace, 'conversation');
  // What is on another branch is not taken back.
  const isBack = (status: RecordStatus): boolean => status.is === 'left' && status.by.kind !== 'switch';
  return (operation) => {
    if (!isCheckpoint(operation) || operation.kind === 'safety') return null;
    const [code, conversation] = [codeIn(lineOf(operation)), conversationIn(lineOf(operation))];
    // The state at a prompt stays where the prompt itself went back.
    const isSaidBack = operation.event !== undefined && isBack(conversation.statusOf(operation, operation.kind === 'prompt'));
    const isCodeBack = isBack(code.statusOf(operation));
    if (isSaidBack) return isCodeBack ? 'both' : 'conversation';
    return isCodeBack ? 'code' : null;
  };
};

/** What a checkpoint could not capture. */
export const readOmissions = ({ store }: Workspace, operation: Recorded): readonly Omission[] =>
  isCheckpoint(operation) ? store.log.manifest(operation.id).omissions : [];
