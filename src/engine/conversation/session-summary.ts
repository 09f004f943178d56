import { changesIn, diffFiles, joinSteps } from '../../diff/index.ts';
import { LOCAL_SESSION, type SessionId } from '../../model/index.ts';
import { stepsOf, workOf } from '../recover/session-work.ts';
import type { Workspace } from '../workspace.ts';
import { sessionNamed } from './session-named.ts';
import { readSessions, type SessionSummary } from './sessions.ts';

/** A session with what its work comes to: what a person looks at to decide about it (GIT-4). */
export interface SessionReport {
  readonly session: SessionSummary;
  /** Of the work that is in the present. */
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
  /** What its steps can be told apart by. */
  readonly tools: readonly string[];
  readonly agents: readonly string[];
}

export const reportSession = (workspace: Workspace, address: string): SessionReport => {
  const session = findSession(workspace, address);
  const doers = workspace.isProtected ? workspace.index.doersOf(session.id) : { tools: [], agents: [] };
  return { session, ...countWork(workspace, session), ...doers };
};

/** A session by its id or the first characters of it. */
export const findSession = (workspace: Workspace, address: string): SessionSummary => {
  const sessions = readSessions(workspace);
  const named = sessionNamed(
    sessions.map(({ id }) => id),
    address,
  );
  return sessions.find(({ id }) => id === named) as SessionSummary;
};

/** Whose turns are meant where a session is named: nobody's by the name under which people record by themselves. */
export const turnsMeantBy = (workspace: Workspace, address: string): SessionId | undefined =>
  address === LOCAL_SESSION ? undefined : findSession(workspace, address).id;

const countWork = (workspace: Workspace, { id, state }: SessionSummary): Pick<SessionReport, 'files' | 'insertions' | 'deletions'> => {
  const { objects } = workspace.store;
  const steps = state === 'unrecorded' ? [] : stepsOf(workOf(workspace, id));
  const files = joinSteps(steps).flatMap((step) => diffFiles(objects, changesIn(objects, step)));
  return {
    files: new Set(files.map(({ path }) => path)).size,
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
};
