import { type SessionId, toText } from '../../model/index.ts';
import { commitTrailers, objectTypes, type ReflogEntry, ReflogExpiry, readReflogs, type UserRepository } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { retentionDays } from '../git/git-health.ts';
import { requireRepository } from '../git/user-repository.ts';
import { endOfEntry, isCommit, type ObjectTypes, unreachableEntries } from './reflog-ends.ts';
import { SessionTimes } from './reflog-sessions.ts';
import { matchesWords } from './reflog-words.ts';

export interface ReflogQuery {
  /** All of them are in the message, the action, the ref's name or the commit's id. */
  readonly words?: readonly string[];
  readonly session?: SessionId | undefined;
  readonly limit?: number | undefined;
}

/** One move of a ref of the user's, and what became of the commit. */
export interface ReflogView {
  readonly ref: string;
  readonly selector: string;
  readonly commit: string;
  readonly from: string;
  readonly action: string;
  readonly message: string;
  readonly who: string;
  readonly at: string;
  /** The session that made the commit, as the commit tells, or that was under way. */
  readonly session: SessionId | null;
  readonly sessionBy: 'trailer' | 'time' | null;
  /** All that were under way. */
  readonly sessions: readonly SessionId[];
  /** Whether the commit is still there; null in a partial clone, where asking might fetch it. */
  readonly recoverable: boolean | null;
  /** Whether its ref (HEAD: any ref) still leads to it; null where that can't be told. */
  readonly reachable: boolean | null;
  /** When git may clear the entry away; null for never. */
  readonly expiresAt: string | null;
}

export interface ReflogList {
  /** Newest first. */
  readonly entries: readonly ReflogView[];
  /** How many there are without the limit. */
  readonly total: number;
  /** Lines of log files that are no entries. */
  readonly garbage: number;
  readonly unreadable: readonly string[];
}

/** The reflogs as one list to search in (GIT-7). */
export const readReflog = async (workspace: Workspace, { words = [], session, limit }: ReflogQuery = {}): Promise<ReflogList> => {
  const repository = requireRepository(workspace);
  const { entries, garbage, unreadable } = await readReflogs(repository);
  const found = entries.filter((entry) => matchesWords(entry, words)).sort((a, b) => b.at - a.at);
  const times = SessionTimes.read(workspace);
  const matching = session === undefined ? found : await ofSession(repository, found, times, session);
  const shown = matching.slice(0, limit);
  const types = await objectTypes(
    repository,
    shown.flatMap(({ from, to }) => [from, to]),
  );
  const [expiry, unreachable, trailers] = await Promise.all([
    ReflogExpiry.read(repository),
    unreachableEntries(repository, shown, types),
    sessionTrailers(repository, shown, types),
  ]);
  const views = shown.map((entry): ReflogView => {
    const reachable = unreachable === undefined ? null : !unreachable.has(entry);
    const end = endOfEntry(expiry, entry, reachable === true);
    const told = trailers.get(entry.to);
    const sessions = times.at(entry.at);
    return {
      ref: toText(entry.ref),
      selector: toText(entry.selector),
      commit: entry.to,
      from: entry.from,
      action: entry.action,
      message: entry.message,
      who: entry.who,
      at: isoTime(entry.at),
      session: told ?? sessions[0] ?? null,
      sessionBy: told !== undefined ? 'trailer' : sessions.length > 0 ? 'time' : null,
      sessions,
      recoverable: types === undefined ? null : types.has(entry.to),
      reachable,
      expiresAt: end > LATEST ? null : isoTime(end),
    };
  });
  return { entries: views, total: matching.length, garbage, unreadable: unreadable.map(toText) };
};

export interface ReflogStats {
  /** Days that entries stay; null for ever. */
  readonly retention: { readonly reachable: number | null; readonly unreachable: number | null };
  readonly logs: number;
  readonly entries: number;
  /** Sessions that were under way at an entry, or that its commit names. */
  readonly sessions: number;
  /** Entries whose commits are there; null in a partial clone. */
  readonly recoverable: number | null;
  readonly oldest: string | null;
  /** On disk; null where logs are in tables. */
  readonly bytes: number | null;
  readonly garbage: number;
}

export const readReflogStats = async (workspace: Workspace): Promise<ReflogStats> => {
  const repository = requireRepository(workspace);
  const { entries, bytes, garbage } = await readReflogs(repository);
  const [types, expiry] = await Promise.all([
    objectTypes(
      repository,
      entries.map(({ to }) => to),
    ),
    ReflogExpiry.read(repository),
  ]);
  const times = SessionTimes.read(workspace);
  const trailers = await sessionTrailers(repository, entries, types);
  const sessions = new Set([...entries.flatMap(({ at }) => times.at(at)), ...trailers.values()]);
  const oldest = entries.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return {
    retention: retentionDays(expiry, entries),
    logs: new Set(entries.map(({ ref }) => ref)).size,
    entries: entries.length,
    sessions: sessions.size,
    recoverable: types === undefined ? null : entries.filter(({ to }) => types.has(to)).length,
    oldest: entries.length === 0 ? null : isoTime(oldest),
    bytes,
    garbage,
  };
};

/** The last second that a date can tell; what ends later does not end. */
const LATEST = 8_640_000_000_000;

const isoTime = (second: number): string => new Date(second * 1000).toISOString();

const ofSession = async (
  repository: UserRepository,
  entries: readonly ReflogEntry[],
  times: SessionTimes,
  session: SessionId,
): Promise<ReflogEntry[]> => {
  const types = await objectTypes(
    repository,
    entries.map(({ to }) => to),
  );
  const trailers = await sessionTrailers(repository, entries, types);
  return entries.filter(({ to, at }) => trailers.get(to) === session || times.at(at).includes(session));
};

const sessionTrailers = async (
  repository: UserRepository,
  entries: readonly ReflogEntry[],
  types: ObjectTypes,
): Promise<ReadonlyMap<string, SessionId>> => {
  const commits = new Set(entries.map(({ to }) => to).filter((id) => isCommit(types, id)));
  return (await commitTrailers(repository, [...commits], 'Session')) as Map<string, SessionId>;
};
