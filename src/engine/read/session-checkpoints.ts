import type { CheckpointPlace, Stretch } from '../../index/index.ts';
import { type Checkpoint, type CheckpointKind, type Recorded, RetakeError, type SessionId, shortId } from '../../model/index.ts';
import type { Branch } from '../../timeline/index.ts';
import { branchOf, type Conversations, readConversations, turnsTo } from '../conversation/branches.ts';
import { readForkPoints } from '../conversation/fork-points.ts';
import { knownSession } from '../conversation/session-named.ts';
import { readTurnPrompts, type TurnPrompt } from '../conversation/turn-prompts.ts';
import type { Workspace } from '../core/workspace.ts';
import { measured } from '../timing/measured.ts';
import { type LogEntry, type LogPart, withDetails } from './log.ts';

/** A checkpoint with the prompt that it was made for. */
export interface CheckpointEntry extends LogEntry {
  readonly operation: Recorded<Checkpoint>;
  readonly prompt: TurnPrompt | null;
}

export interface CheckpointsRequest extends Stretch {
  /** By its id or the first characters of it. */
  readonly session: string;
  /** The branch of the conversation that the session is on, unless given. */
  readonly branch?: string | undefined;
  readonly kind?: CheckpointKind | undefined;
  readonly tool?: string | undefined;
  /** A subagent by its id, or an agent by its name for what it did itself. */
  readonly agentId?: string | undefined;
  /** Only those at which the conversation was continued in several ways. */
  readonly forkPoints?: boolean | undefined;
}

/**
 * The checkpoints of a session on the way from its beginning to the end of a branch, newest first; what belongs to no branch, such as those
 * that people made, is among them on every one.
 */
export const listCheckpoints = (workspace: Workspace, request: CheckpointsRequest): LogPart<CheckpointEntry> => {
  const session = knownSession(workspace, request.session);
  const conversations = readConversations(workspace);
  const withoutTurns = turnsElsewhere(workspace, session, conversations, branchOf(conversations, session, request.branch));
  if (!workspace.isProtected) return { entries: [], total: 0 };
  return measured(workspace, 'log', () => {
    const { kind, tool, agentId, before, limit, forkPoints } = request;
    const among = forkPoints ? [...readForkPoints(workspace, conversations).byRecord.keys()] : undefined;
    // What is told of each takes long: only of those that are asked for.
    const { entries, total } = workspace.index.checkpointsOf(session, { kind, tool, agentId, before, limit, withoutTurns, among });
    return { entries: withPrompts(workspace, withDetails(workspace, entries, conversations)), total };
  });
};

export const describeCheckpoint = (workspace: Workspace, { id }: Pick<Recorded<Checkpoint>, 'id'>): CheckpointEntry => {
  const entry = workspace.index.get(id);
  const [described] = entry === undefined ? [] : withPrompts(workspace, withDetails(workspace, [entry]));
  if (described !== undefined) return described;
  throw new RetakeError('unknown-id', `Checkpoint ${shortId(id)} was deleted this moment`, { hint: 'retake log lists what there is.' });
};

/**
 * Where a checkpoint is among those of its own session: on the way to the end of the branch that is named, or else of the one that the session
 * is on; where it is on neither, on the way to the end of its own.
 */
export const checkpointPlace = (workspace: Workspace, { operation, place }: CheckpointEntry, named?: string): CheckpointPlace => {
  const { session, sequence } = operation;
  const conversations = readConversations(workspace);
  const isOnWayTo = (branch: Branch): boolean => place === null || turnsTo(conversations, branch).has(place.prompt);
  const own = place === null ? undefined : conversations.tree.branch(place.branch);
  const ways = [branchOf(conversations, session, named), branchOf(conversations, session)];
  const branch = ways.find((way) => way !== undefined && isOnWayTo(way)) ?? own;
  return workspace.index.placeOf(session, sequence, { withoutTurns: turnsElsewhere(workspace, session, conversations, branch) });
};

const withPrompts = (workspace: Workspace, entries: readonly LogEntry[]): CheckpointEntry[] => {
  const promptOf = readTurnPrompts(workspace);
  return entries.map((entry) => ({ ...entry, operation: entry.operation as Recorded<Checkpoint>, prompt: promptOf(entry) }));
};

/** Turns of a session, as they were recorded, that another way was taken in than the one to the end of a branch. */
const turnsElsewhere = (
  workspace: Workspace,
  session: SessionId,
  conversations: Conversations,
  branch: Branch | undefined,
): readonly number[] => {
  if (branch === undefined || !workspace.isProtected) return [];
  const here = turnsTo(conversations, branch);
  const turns = conversations.branches.flatMap((one) => one.turns);
  const elsewhere = new Set(turns.filter(({ id }) => !here.has(id)).flatMap(({ promptIds }) => promptIds));
  if (elsewhere.size === 0) return [];
  return workspace.index
    .turns()
    .filter((turn) => turn.session === session && turn.promptId !== null && elsewhere.has(turn.promptId))
    .map(({ turn }) => turn);
};
