import { describe, expect, test } from 'vitest';
import { addToLog, lineText, resetScene, secondsAgo, startSession } from '../reflog/support.ts';
import { gitState, scene } from '../support/scene.ts';
import { refused } from './asked.ts';
import { type Served, serve } from './served.ts';

const selectors = async ({ ask }: Served, query: { q?: string; sessionId?: string }): Promise<string[]> =>
  (await ask('listReflog', { query })).entries.map(({ selector }) => selector);

/** All of it, page by page. */
const paged = async ({ ask }: Served, limit: number): Promise<string[]> => {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { entries, next } = await ask('listReflog', { query: { limit, ...(cursor === undefined ? {} : { cursor }) } });
    found.push(...entries.map(({ selector }) => selector));
    cursor = next ?? undefined;
  } while (cursor !== undefined && found.length < 100);
  return found;
};

describe('the reflog', () => {
  test('[GIT-7] the same list as the command line has, searched and page by page; nothing of git changes', async () => {
    const at = resetScene();
    await startSession(at, 'working');
    const { one, two } = at;
    // The same move twice in one second is still two.
    const line = { from: two, to: one, at: secondsAgo(-5), note: 'reset: moving to HEAD~1' };
    addToLog(at.workspace, 'HEAD', `${lineText(line)}${lineText({ ...line, from: one, to: two })}`.repeat(3));
    const served = serve(at);
    const before = gitState(`${at.workspace}/.git`);
    const { entries, total, next, garbage } = await served.ask('listReflog');
    const listed = at.retake.json(at.workspace, 'reflog');
    expect({ entries, total, garbage }).toEqual({ entries: listed.entries, total: listed.total, garbage: 0 });
    expect(next).toBe(null);
    expect(await paged(served, 1)).toEqual(entries.map(({ selector }) => selector));
    expect(await paged(served, 4)).toEqual(entries.map(({ selector }) => selector));
    expect(await selectors(served, { q: '  reset   MAIN ' })).toEqual(['main@{0}']);
    expect(await selectors(served, { q: 'commit three' })).toEqual(['HEAD@{7}', 'main@{1}']);
    expect(await selectors(served, { sessionId: 'working' })).toEqual(
      at.retake.json(at.workspace, 'reflog', '--session', 'working').entries.map(({ selector }: { selector: string }) => selector),
    );
    expect(await selectors(served, { sessionId: 'nobody' })).toEqual([]);
    for (const q of ['--output=x', '__proto__', '$(touch x)', '.*']) expect(await selectors(served, { q }), q).toEqual([]);
    for (const query of ['limit=0', 'limit=501', 'limit=x', 'cursor=x', 'q=a&q=b', `q=${'x'.repeat(501)}`, 'words=x', 'sessionId='])
      expect(await refused(served.signed(`/api/reflog?${query}`)), query).toBe('400 bad-request');
    expect(await served.ask('getReflogStats')).toEqual(at.retake.json(at.workspace, 'reflog', '--stats'));
    expect(await refused(served.signed('/api/reflog/stats?q=x'))).toBe('400 bad-request');
    expect(gitState(`${at.workspace}/.git`)).toEqual(before);
    expect(served.faults).toEqual([]);
  });

  test('[API] where there is no repository, that is said', async () => {
    const { signed, faults } = serve(scene());
    for (const path of ['/api/reflog', '/api/reflog/stats']) expect(await refused(signed(path))).toBe('422 no-repository');
    expect(faults).toEqual([]);
  });
});
