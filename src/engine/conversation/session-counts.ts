import type { SessionId } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { Conversations } from './branches.ts';
import { turnsAhead } from './turn-list.ts';

/** How many turns each session has of its own, on whatever branch: copies of other sessions' turns are those sessions'. */
export const readOwnTurns = (workspace: Workspace, conversations: Conversations): ((session: SessionId) => number) => {
  const turns = conversations.branches.flatMap((branch) => branch.turns);
  const written = Map.groupBy(turns, ({ sessions: [first] }) => first);
  const promptIds = new Set(turns.flatMap((turn) => turn.promptIds));
  const recorded = workspace.isProtected ? workspace.index.turns() : [];
  const isWritten = (promptId: string | null): boolean => promptId !== null && promptIds.has(promptId);
  // To look for turns that only the log has takes long: of most sessions the conversation has all.
  const ahead = new Set(recorded.flatMap(({ session, promptId }) => (isWritten(promptId) ? [] : [session])));
  return (session) => (written.get(session)?.length ?? 0) + (ahead.has(session) ? turnsAhead(workspace, session, conversations).length : 0);
};
