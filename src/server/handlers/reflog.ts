import { createHash } from 'node:crypto';
import { planReflogRestore, type ReflogView, readReflog, readReflogStats, restoreReflogs } from '../../engine/index.ts';
import { reflogRestoreJson } from '../../json/reflog.ts';
import type { SessionId } from '../../model/index.ts';
import { needsConfirmation } from '../confirmed.ts';
import type { HandlersOf } from '../handler.ts';
import { pageOf } from '../page.ts';

export const reflogHandlers: HandlersOf<'listReflog' | 'getReflogStats' | 'restoreReflog'> = {
  listReflog: async ({ workspace, query }) => {
    const { entries, garbage, unreadable } = await readReflog(workspace, {
      words: wordsOf(query.q),
      session: query.sessionId as SessionId | undefined,
    });
    const keys = keysOf(entries);
    const { items, total, next } = pageOf(entries, (entry) => keys.get(entry) ?? '', query);
    return { entries: items, total, next, garbage, unreadable };
  },
  getReflogStats: ({ workspace }) => readReflogStats(workspace),
  restoreReflog: async ({ workspace, body: { q, dryRun, expected } }) => {
    const plan = await planReflogRestore(workspace, wordsOf(q));
    if (dryRun) return reflogRestoreJson(plan);
    if (expected === undefined) throw needsConfirmation(reflogRestoreJson(plan));
    return { ...reflogRestoreJson(plan), count: await restoreReflogs(workspace, plan, expected) };
  },
};

const wordsOf = (text = ''): string[] => text.split(/\s+/).filter((word) => word !== '');

/** Selectors count from the newest, and so become others'. What happened twice in a second is told apart by how often it had before. */
const keysOf = (newestFirst: readonly ReflogView[]): ReadonlyMap<ReflogView, string> => {
  const times = new Map<string, number>();
  const keys = new Map<ReflogView, string>();
  for (const entry of newestFirst.toReversed()) {
    const { ref, at, from, commit } = entry;
    const what = createHash('sha1').update([ref, at, from, commit].join('\0')).digest('base64url');
    const time = (times.get(what) ?? 0) + 1;
    times.set(what, time);
    keys.set(entry, `${what} ${time}`);
  }
  return keys;
};
