import type { ChangeCounts } from '../../index/index.ts';
import type { MessageId, OperationId, RollbackScope, SessionId } from '../../model/index.ts';
import { countBetween } from '../counts-between.ts';
import { readTakenBack } from '../log.ts';
import { measured } from '../timing/measured.ts';
import type { Workspace } from '../workspace.ts';
import { branchOf, type Conversations, readConversations, wayTo } from './branches.ts';
import { knownSession } from './session-named.ts';

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
  readonly steps: number;
}

/** The same with what takes reading. */
export interface DescribedTurn extends SessionTurn {
  /** From the prompt to the end of the turn, whoever did it; null where that can not be told. */
  readonly counts: ChangeCounts | null;
  /** What of it was taken back since. */
  readonly rolledBack: RollbackScope | null;
}

export interface TurnsRequest {
  /** By its id or the first characters of it. */
  readonly session: string;
  /** The branch of the conversation that the session is on, unless given. */
  readonly branch?: string | undefined;
}

/** The turns of a session on the way to the end of a branch, oldest first. */
export const listTurns = (workspace: Workspace, request: TurnsRequest): SessionTurn[] =>
  measured(workspace, 'log', () => {
    const session = knownSession(workspace, request.session);
    const conversations = readConversations(workspace);
    const branch = branchOf(conversations, session, request.branch);
    if (branch === undefined) return workspace.isProtected ? recordedTurns(workspace, session, new Set(), []) : [];
    const told = wayTo(conversations, branch).map(({ turn, branch: on }, at): SessionTurn => {
      const { prompt = null, last = null, checkpoints = 0, steps = turn.tools } = conversations.recorded?.of(turn) ?? {};
      return {
        number: at + 1,
        message: turn.id,
        branch: on.id,
        title: turn.title,
        at: turn.at,
        checkpoint: prompt,
        last,
        checkpoints,
        steps,
      };
    });
    // The agent may write down a prompt later than it told us of it.
    const ahead =
      workspace.isProtected && branch === branchOf(conversations, session)
        ? recordedTurns(workspace, session, writtenPrompts(conversations), told).map((turn, at) => ({
            ...turn,
            number: told.length + at + 1,
          }))
        : [];
    return [...told, ...ahead];
  });

const writtenPrompts = ({ branches }: Conversations): ReadonlySet<string> =>
  new Set(branches.flatMap(({ turns }) => turns).flatMap(({ promptIds }) => promptIds));

/** Turns that only the log knows of, after those that are told. */
const recordedTurns = (
  { index }: Workspace,
  session: SessionId,
  written: ReadonlySet<string>,
  told: readonly SessionTurn[],
): SessionTurn[] => {
  const unwritten = index.turns().filter(({ session: own, promptId }) => own === session && (promptId === null || !written.has(promptId)));
  if (unwritten.length === 0) return [];
  const prompts = told.flatMap(({ checkpoint }) => (checkpoint === null ? [] : (index.get(checkpoint)?.operation.sequence ?? 0)));
  const newest = Math.max(0, ...prompts);
  return unwritten
    .filter(({ firstSequence }) => firstSequence > newest)
    .toSorted((a, b) => a.firstSequence - b.firstSequence)
    .map(({ turn, prompt, last, checkpoints, steps }) => {
      const { description = '', createdAt = null } = (prompt === null ? undefined : index.get(prompt)?.operation) ?? {};
      return { number: turn, message: null, branch: null, title: description, at: createdAt, checkpoint: prompt, last, checkpoints, steps };
    });
};

/** What is told of some turns. */
export const describeTurns = (workspace: Workspace, turns: readonly SessionTurn[]): DescribedTurn[] => {
  // Looking leaves no trace where nothing is protected.
  if (!workspace.isProtected) return turns.map((turn) => ({ ...turn, counts: null, rolledBack: null }));
  const { index } = workspace;
  const takenBack = readTakenBack(workspace);
  return turns.map((turn) => {
    const { checkpoint, last } = turn;
    const [said, done] = [checkpoint, last].map((id) => {
      const record = id === null ? undefined : index.get(id);
      return record === undefined ? null : takenBack(record.operation);
    });
    return {
      ...turn,
      counts: checkpoint === null || last === null ? null : countBetween(workspace, checkpoint, last),
      // The state at the prompt stays where the work for it goes back.
      rolledBack: joined(said === 'conversation' || said === 'both', done === 'code' || done === 'both'),
    };
  });
};

const joined = (isSaidBack: boolean, isCodeBack: boolean): RollbackScope | null => {
  if (isSaidBack) return isCodeBack ? 'both' : 'conversation';
  return isCodeBack ? 'code' : null;
};
