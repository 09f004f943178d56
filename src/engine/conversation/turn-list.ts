import type { RecordedTurn } from '../../index/index.ts';
import type { MessageId, OperationId, SessionId } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { branchOf, type Conversations, type TurnOnBranch, wayTo } from './branches.ts';

/** A prompt with what was recorded of the work for it. */
export interface SessionTurn {
  /** Counted along the branch, from 1 (CKP-6). */
  readonly number: number;
  /** Null where the conversation is gone, or does not have it yet. */
  readonly message: MessageId | null;
  readonly branch: MessageId | null;
  /** The first line of the prompt. */
  readonly title: string;
  readonly at: string | null;
  /** The code when the prompt was sent, and as it was last in this turn; null where that was not recorded. */
  readonly checkpoint: OperationId | null;
  readonly last: OperationId | null;
  readonly checkpoints: number;
  /** Those that were recorded. */
  readonly steps: number;
  /** All calls that the conversation tells of; null where it does not have the turn. */
  readonly toolCalls: number | null;
}

/** The turns of a session up to its end, or on the way to the end of a branch that is named, oldest first. */
export const turnsOfSession = (
  workspace: Workspace,
  session: SessionId,
  conversations: Conversations,
  address?: string | undefined,
): SessionTurn[] => {
  const current = branchOf(conversations, session);
  const branch = address === undefined ? current : branchOf(conversations, session, address);
  const isCurrent = branch === current;
  const way = isCurrent ? wayOf(conversations, session) : branch === undefined ? [] : wayTo(conversations, branch);
  const ahead = isCurrent ? turnsAhead(workspace, session, conversations) : [];
  return [...turnsWritten(conversations, way), ...ahead.map((turn) => asTurn(workspace, turn))];
};

/** What leads to the end of a session: others may have gone on from there, on the same branch. */
const wayOf = (conversations: Conversations, session: SessionId): TurnOnBranch[] => {
  const { tree } = conversations;
  const branch = branchOf(conversations, session);
  const way = branch === undefined ? [] : wayTo(conversations, branch);
  const end = way.findIndex(({ turn }) => turn.id === tree.lastTurn(session));
  return end < 0 ? way : way.slice(0, end + 1);
};

const turnsWritten = (conversations: Conversations, way: readonly TurnOnBranch[]): SessionTurn[] =>
  way.map(({ turn, branch: on }, at) => {
    const { prompt = null, last = null, checkpoints = 0, steps = 0 } = conversations.recorded?.of(turn) ?? {};
    const { id: message, title, at: time, tools: toolCalls } = turn;
    return { number: at + 1, message, branch: on.id, title, at: time, checkpoint: prompt, last, checkpoints, steps, toolCalls };
  });

/** A turn that only the log knows of. */
export interface TurnAhead {
  readonly number: number;
  readonly recorded: RecordedTurn;
}

/**
 * Where the conversation is gone, all turns, with the numbers that they were recorded with. Else those after the last that it has: an agent
 * may write down a prompt later than it told us of it. One in between came to nothing.
 */
export const turnsAhead = (workspace: Workspace, session: SessionId, conversations: Conversations): TurnAhead[] => {
  // Looking leaves no trace where nothing is protected.
  if (!workspace.isProtected) return [];
  const { index } = workspace;
  const own = index.turns().filter((turn) => turn.session === session);
  const inOrder = own.toSorted((a, b) => a.firstSequence - b.firstSequence);
  if (branchOf(conversations, session) === undefined) return inOrder.map((recorded) => ({ number: recorded.turn, recorded }));
  const written = new Set(conversations.branches.flatMap(({ turns }) => turns).flatMap(({ promptIds }) => promptIds));
  const way = wayOf(conversations, session);
  const newest = Math.max(0, ...way.map(({ turn }) => beginOf(index, conversations.recorded?.of(turn))));
  return inOrder
    .filter(({ promptId, firstSequence }) => firstSequence > newest && (promptId === null || !written.has(promptId)))
    .map((recorded, at) => ({ number: way.length + at + 1, recorded }));
};

const beginOf = (index: Workspace['index'], recorded: RecordedTurn | undefined): number =>
  (recorded?.prompt == null ? undefined : index.get(recorded.prompt)?.operation.sequence) ?? 0;

const asTurn = ({ index }: Workspace, { number, recorded }: TurnAhead): SessionTurn => {
  const { prompt, last, checkpoints, steps } = recorded;
  const { description = '', createdAt = null } = (prompt === null ? undefined : index.get(prompt)?.operation) ?? {};
  return {
    number,
    message: null,
    branch: null,
    title: description,
    at: createdAt,
    checkpoint: prompt,
    last,
    checkpoints,
    steps,
    toolCalls: null,
  };
};
