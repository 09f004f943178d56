import { diffFiles, diffStates } from '../../diff/index.ts';
import { RetakeError, type SessionId, sameState, type WorkspaceState } from '../../model/index.ts';
import { stepsOf, workOf } from '../recover/session-work.ts';
import type { Workspace } from '../workspace.ts';
import { readSessions, type SessionSummary } from './sessions.ts';

/** A session with what its work comes to: what a person looks at to decide about it (GIT-4). */
export interface SessionReport {
  readonly session: SessionSummary;
  /** Of the work that is in the present. */
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
}

/** A session by its id or the first characters of it. */
export const reportSession = (workspace: Workspace, address: string): SessionReport => {
  const sessions = readSessions(workspace);
  const exact = sessions.filter(({ id }) => id === address);
  const found = exact.length > 0 ? exact : sessions.filter(({ id }) => id.startsWith(address));
  const [session] = found;
  if (session === undefined)
    throw new RetakeError('unknown-id', `There is no session ${JSON.stringify(address)} here`, { hint: 'retake sessions lists them.' });
  if (found.length > 1)
    throw new RetakeError('ambiguous-id', `${JSON.stringify(address)} fits several sessions: ${found.map(({ id }) => id).join(', ')}`, {
      hint: 'Give more of the id.',
    });
  return { session, ...countWork(workspace, session) };
};

const countWork = (workspace: Workspace, { id, state }: SessionSummary): Omit<SessionReport, 'session'> => {
  const files = (state === 'unrecorded' ? [] : stretches(workspace, id)).flatMap(({ before, after }) =>
    diffFiles(workspace.store.objects, diffStates(workspace.store.objects, before, after)),
  );
  return {
    files: new Set(files.map(({ path }) => path)).size,
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
};

/** Steps that follow each other are counted as one: what is written over and over is there once. */
const stretches = (workspace: Workspace, session: SessionId): { before: WorkspaceState; after: WorkspaceState }[] => {
  const joined: { before: WorkspaceState; after: WorkspaceState }[] = [];
  for (const { before, after } of stepsOf(workOf(workspace, session))) {
    const last = joined.at(-1);
    if (last !== undefined && sameState(last.after, before)) last.after = after;
    else joined.push({ before, after });
  }
  return joined;
};
