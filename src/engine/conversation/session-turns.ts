import type { ChangeCounts } from '../../index/index.ts';
import type { RollbackScope } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { countBetween } from '../read/counts-between.ts';
import { readTakenBack } from '../read/log.ts';
import { type Remaining, readRemaining } from '../read/remaining.ts';
import { measured } from '../timing/measured.ts';
import { readConversations } from './branches.ts';
import { type ForkPointMark, type ForkPoints, readForkPoints } from './fork-points.ts';
import { knownSession } from './session-named.ts';
import { type SessionTurn, turnsOfSession } from './turn-list.ts';

/** A turn with what takes reading. */
export interface DescribedTurn extends SessionTurn {
  /** From the prompt to the end of the turn, whoever did it; null where that can not be told. */
  readonly counts: ChangeCounts | null;
  /** The fork that it is one way from. */
  readonly forkPoint: ForkPointMark | null;
  /** What of it was taken back since. */
  readonly rolledBack: RollbackScope | null;
  /** What its steps did that is still there all the same. */
  readonly remaining: Remaining | null;
}

export interface TurnsRequest {
  /** By its id or the first characters of it. */
  readonly session: string;
  /** The branch of the conversation that the session is on, unless given. */
  readonly branch?: string | undefined;
  /** Only those that are one of several ways to go on. */
  readonly forkPoints?: boolean | undefined;
}

/** The turns of a session on the way to the end of a branch, oldest first. */
export const listTurns = (workspace: Workspace, { session, branch, forkPoints = false }: TurnsRequest): SessionTurn[] =>
  measured(workspace, 'log', () => {
    const conversations = readConversations(workspace);
    const turns = turnsOfSession(workspace, knownSession(workspace, session), conversations, branch);
    if (!forkPoints) return turns;
    const markOf = marksOf(readForkPoints(workspace, conversations));
    return turns.filter((turn) => markOf(turn) !== null);
  });

/** Tells of turns at which fork they are. */
const marksOf =
  ({ byPrompt, byRecord }: ForkPoints) =>
  ({ message, checkpoint }: SessionTurn): ForkPointMark | null =>
    (message === null ? undefined : byPrompt.get(message)) ?? (checkpoint === null ? undefined : byRecord.get(checkpoint)) ?? null;

/** What is told of some turns. */
export const describeTurns = (workspace: Workspace, turns: readonly SessionTurn[]): DescribedTurn[] => {
  // Looking leaves no trace where nothing is protected.
  if (!workspace.isProtected) return turns.map((turn) => ({ ...turn, counts: null, forkPoint: null, rolledBack: null, remaining: null }));
  const { index } = workspace;
  const takenBack = readTakenBack(workspace);
  const remaining = readRemaining(workspace);
  const markOf = marksOf(readForkPoints(workspace));
  return turns.map((turn) => {
    const { checkpoint, last } = turn;
    const [first, end] = [checkpoint, last].map((id) => (id === null ? undefined : index.get(id)?.operation));
    const [said, done] = [first, end].map((record) => (record === undefined ? null : takenBack(record)));
    return {
      ...turn,
      counts: checkpoint === null || last === null ? null : countBetween(workspace, checkpoint, last),
      forkPoint: markOf(turn),
      // The state at the prompt stays where the work for it goes back.
      remaining: first === undefined || end === undefined ? null : remaining.between(first, end),
      rolledBack: joined(said === 'conversation' || said === 'both', done === 'code' || done === 'both'),
    };
  });
};

const joined = (isSaidBack: boolean, isCodeBack: boolean): RollbackScope | null => {
  if (isSaidBack) return isCodeBack ? 'both' : 'conversation';
  return isCodeBack ? 'code' : null;
};
