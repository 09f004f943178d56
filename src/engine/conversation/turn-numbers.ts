import { isCheckpoint, type Recorded, type RecordedEvent, type SessionId } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { branchOf, type Conversations, readConversations } from './branches.ts';
import { turnsAhead } from './turn-list.ts';
import { readTurnPlaces } from './turn-places.ts';

/**
 * Tells the number of the turn that a record belongs to, as `t3` means it: counted along the branch of its conversation (CKP-6). 0 before the first
 * prompt; null for what is no agent's, and for words that began no turn. Every face takes it from here.
 */
export const readTurnNumbers = (
  workspace: Workspace,
  conversations: Conversations = readConversations(workspace),
): ((operation: Recorded) => number | null) => {
  const placeOf = readTurnPlaces(workspace, conversations);
  const isApart = readApart(workspace);
  const counted = new Map<SessionId, Counted>();
  const countedIn = (session: SessionId): Counted => {
    const known = counted.get(session) ?? countIn(workspace, session, conversations);
    counted.set(session, known);
    return known;
  };
  return (operation) => {
    const event = isCheckpoint(operation) ? operation.event : undefined;
    if (event === undefined || isApart(operation.session, event)) return null;
    return placeOf(operation)?.number ?? (event.turn === 0 ? 0 : countedIn(operation.session)(event.turn));
  };
};

/** What a turn is counted as that was recorded with a certain number. */
type Counted = (recorded: number) => number | null;

const countIn = (workspace: Workspace, session: SessionId, conversations: Conversations): Counted => {
  // What is deleted or pruned has no turn in the log, and stays what it was.
  if (branchOf(conversations, session) === undefined) return (recorded) => recorded;
  const ahead = new Map(turnsAhead(workspace, session, conversations).map(({ recorded, number }) => [recorded.turn, number]));
  return (recorded) => ahead.get(recorded) ?? null;
};

/** A command of the client is part of no turn, nor are words that were typed during one and began another. */
const readApart = (workspace: Workspace): ((session: SessionId, event: RecordedEvent) => boolean) => {
  const turns = workspace.isProtected ? workspace.index.turns() : [];
  const promptIds = new Map(turns.map(({ session, turn, promptId }) => [`${session} ${turn}`, promptId]));
  const begun = new Set(turns.flatMap(({ session, queued }) => (queued === null ? [] : [`${session} ${queued}`])));
  return (session, { added, key, turn, place: { promptId = null } }) =>
    added === true && (begun.has(`${session} ${key}`) || (promptIds.get(`${session} ${turn}`) ?? null) !== promptId);
};
