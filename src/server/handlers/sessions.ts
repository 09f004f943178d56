import { readSessionPlaces, readSessions, reportSession, type SessionPlace, type SessionSummary } from '../../engine/index.ts';
import type { HandlersOf } from '../handler.ts';
import { pageOf } from '../page.ts';

export const sessionHandlers: HandlersOf<'listSessions' | 'getSession'> = {
  listSessions: ({ workspace, query }) => {
    const placeOf = readSessionPlaces(workspace);
    const sessions = readSessions(workspace).filter(({ status }) => query.status === undefined || status === query.status);
    const { items, total, next } = pageOf(sessions, ({ id }) => id, query);
    return { sessions: items.map((session) => sessionJson(session, placeOf(session.id))), total, next };
  },
  getSession: async ({ workspace, params }) => {
    const { session, ...work } = await reportSession(workspace, params.session);
    return { ...sessionJson(session, readSessionPlaces(workspace)(session.id)), ...work };
  },
};

const sessionJson = ({ work, ...session }: SessionSummary, { branch, forks, checkpoint }: SessionPlace) => ({
  ...session,
  work: { ...work },
  branch,
  forks,
  currentCheckpoint: checkpoint,
});
