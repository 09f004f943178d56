import { isCheckpoint, type SessionId } from '../../model/index.ts';
import { isStep } from '../../timeline/index.ts';
import { branchOf, readConversations, turnsTo } from '../conversation/branches.ts';
import { agentSession } from '../conversation/session-named.ts';
import type { Workspace } from '../core/workspace.ts';
import { type LogEntry, readLog } from './log.ts';

export interface StepsQuery {
  /** A subagent by its id, or an agent by its name for what it did itself. */
  readonly agentId?: string | undefined;
  /** Counted along the branch. */
  readonly turn?: number | undefined;
  /** Those that lead to its end, in place of the branch that the session is on. */
  readonly branch?: string | undefined;
  /** On whatever branch. */
  readonly all?: boolean | undefined;
}

/** The steps of a session, newest first. */
export const readSessionSteps = (workspace: Workspace, address: string, query: StepsQuery = {}): LogEntry[] => {
  const id = agentSession(workspace, address);
  const isOn = onBranch(workspace, id, query);
  return readLog(workspace, { session: id }).filter((entry) => {
    const { operation, turn } = entry;
    if (!isCheckpoint(operation) || !isStep(operation) || !isOn(entry)) return false;
    const { event } = operation;
    const agent = event?.place.agentId ?? event?.place.agent;
    return (query.turn ?? turn) === turn && (query.agentId ?? agent) === agent;
  });
};

/** What the conversation does not tell the place of is on every branch. */
const onBranch = (workspace: Workspace, session: SessionId, { branch, all = false }: StepsQuery): ((entry: LogEntry) => boolean) => {
  const conversations = readConversations(workspace);
  const meant = branchOf(conversations, session, branch);
  if (meant === undefined || all) return () => true;
  const turns = turnsTo(conversations, meant);
  return ({ place }) => place === null || turns.has(place.prompt);
};
