import { LOCAL_SESSION, type SessionId } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { countWork, type SessionExtent } from './session-extent.ts';
import { agentSession } from './session-named.ts';
import { listTurns } from './session-turns.ts';
import { readSessions, type SessionSummary } from './sessions.ts';

/** A session with what its work comes to: what a person looks at to decide about it (GIT-4). */
export interface SessionReport extends SessionExtent {
  readonly session: SessionSummary;
  /** On the branch that it is on, with what came from other sessions: what `t1`, `t2` … name. */
  readonly onBranch: { readonly turns: number; readonly steps: number };
  /** What its steps can be told apart by. */
  readonly tools: readonly string[];
  readonly agents: readonly string[];
}

export const reportSession = async (workspace: Workspace, address: string): Promise<SessionReport> => {
  const session = findSession(workspace, address);
  const way = listTurns(workspace, { session: session.id });
  const onBranch = { turns: way.length, steps: way.reduce((sum, { steps }) => sum + steps, 0) };
  if (session.state === 'unrecorded') return { session, onBranch, ...NOTHING, tools: [], agents: [] };
  return { session, onBranch, ...(await countWork(workspace, session.id)), ...workspace.index.actorsOf(session.id) };
};

const NOTHING: SessionExtent = { files: 0, insertions: 0, deletions: 0 };

/** A session by its id or the first characters of it. */
export const findSession = (workspace: Workspace, address: string): SessionSummary => {
  const named = agentSession(workspace, address);
  return readSessions(workspace).find(({ id }) => id === named) as SessionSummary;
};

/** Whose turns are meant where a session is named: nobody's by the name under which people record by themselves. */
export const turnsMeantBy = (workspace: Workspace, address: string): SessionId | undefined =>
  address === LOCAL_SESSION ? undefined : agentSession(workspace, address);
