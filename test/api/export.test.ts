import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JobState } from '../../src/server/jobs.ts';
import { played, write } from '../recover/played.ts';
import { dataOf, put, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { HOSTILE, refused } from './asked.ts';
import { serve } from './served.ts';

/** A session whose content fills several pieces of a stream. */
const large = async () => {
  const scene = await played({ 'a.txt': 'a\n' });
  await scene.session.prompt('Make something large');
  await write(scene, 'large.txt', randomBytes(1_500_000).toString('base64'));
  await write(scene, 'page.html', '<script>alert(1)</script>\n');
  await scene.session.answer('done');
  return scene;
};

/** What is kept of a workspace, without what is there only while the database is open. */
const kept = (at: Scene): string[] => readdirSync(dataOf(at)).filter((name) => !name.startsWith('index.db-'));

/** Files that this process has open and nobody else can find any more. */
const openAndGone = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.endsWith(' (deleted)') && path.includes('tmp_obj_retake') ? [path] : [];
    } catch {
      return [];
    }
  });

describe('exports', () => {
  test('[STO-4] the file that import takes, with and without what was said; nothing is left of it here', async () => {
    const { at, session } = await large();
    const { signed, faults } = serve(at);
    const before = kept(at);
    const path = `/api/sessions/${session.id.slice(0, 8)}/export`;
    const response = await signed(path);
    expect(response.headers.get('content-type')).toBe('application/x-tar');
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${session.id}.retake.tar"`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    expect(bytes.includes('toolu_')).toBe(true);
    const file = join(temporaryDirectory(), 'session.tar');
    writeFileSync(file, bytes);
    const imported = at.retake.json(temporaryDirectory(), 'import', file);
    const { operations } = at.retake.json(at.workspace, 'log', '--session', session.id);
    expect(imported).toMatchObject({ session: session.id, operations: operations.length, conversation: { agent: 'claude-code' } });

    const silent = Buffer.from(await (await signed(`${path}?conversation=false`)).arrayBuffer());
    expect(silent.includes('toolu_')).toBe(false);
    expect([kept(at), openAndGone()]).toEqual([before, []]);
    expect(faults).toEqual([]);
  });

  test('[API] a client that hangs up midway, or takes nothing at all, leaves no file behind', async () => {
    const { at, session } = await large();
    const { signed, faults } = serve(at);
    const before = kept(at);
    const path = `/api/sessions/${session.id}/export`;
    const reader = (await signed(path)).body?.getReader();
    const first = await reader?.read();
    expect(first?.value?.length).toBeLessThan(1_000_000);
    expect(kept(at)).toEqual(before);
    expect(openAndGone()).toHaveLength(1);
    await reader?.cancel();
    await (await signed(path)).body?.cancel();
    expect(openAndGone()).toEqual([]);
    expect(kept(at)).toEqual(before);
    expect(faults).toEqual([]);
  });

  test('[API] it is a job until the first byte is sent: its progress is told, and it can be cancelled', async () => {
    const { at, session } = await large();
    const { signed, shared, faults } = serve(at);
    const before = kept(at);
    const { operations } = at.retake.json(at.workspace, 'log', '--session', session.id);
    const told: JobState[] = [];
    shared.jobs.listen((state) => told.push(state));
    const path = `/api/sessions/${session.id}/export?job=mine`;
    await (await signed(path)).body?.cancel();
    expect(told[0]).toMatchObject({ id: 'mine', kind: 'exportSession', state: 'running', progress: null });
    expect(told.at(-1)).toMatchObject({ state: 'done', progress: { done: operations.length, total: operations.length } });
    shared.jobs.listen(({ id }) => void shared.jobs.cancel(id));
    expect(await refused(signed(path))).toBe('409 interrupted');
    expect(told.at(-1)).toMatchObject({ state: 'cancelled' });
    expect([kept(at), openAndGone()]).toEqual([before, []]);
    expect(faults).toEqual([]);
  });

  test('[API] the name of the file is harmless, whatever the session is called; what there is none of is not found', async () => {
    const { at } = await played({ 'a.txt': 'a\n' });
    const odd = 'odd"; filename=evil.exe\\ é <x>';
    put(at.workspace, 'a.txt', 'b\n');
    at.retake.json(at.workspace, 'checkpoint', '--session', odd);
    const { signed, faults } = serve(at);
    const response = await signed(`/api/sessions/${encodeURIComponent(odd)}/export`);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w-]+\.retake\.tar"$/);
    await response.body?.cancel();
    for (const what of ['export', 'report'])
      for (const name of ['nobody', ...HOSTILE])
        expect(await refused(signed(`/api/sessions/${encodeURIComponent(name)}/${what}`)), `${what} ${name}`).toMatch(
          /^40[04] (unknown-id|bad-request)$/,
        );
    const bad = ['export?conversation=no', 'export?output=/tmp/x', 'report?format=pdf', 'report?format=__proto__', 'report?output=x'];
    for (const path of bad) expect(await refused(signed(`/api/sessions/${encodeURIComponent(odd)}/${path}`)), path).toBe('400 bad-request');
    expect(faults).toEqual([]);
  });
});

describe('reports', () => {
  test('[STO-4] the same document as the command line writes, to be saved and not shown', async () => {
    const { at, session } = await large();
    const { signed, ask, faults } = serve(at);
    const withoutTimes = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z| UTC)?/g, 'TIME');
    for (const [format, type, ending] of [
      ['markdown', 'text/markdown', 'md'],
      ['html', 'text/html', 'html'],
    ]) {
      const response = await signed(`/api/sessions/${session.id}/report?format=${format}`);
      expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
      expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${session.id}.${ending}"`);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      const { stdout } = at.retake.run(at.workspace, 'report', session.id, '--format', format ?? '');
      expect(withoutTimes(await response.text())).toBe(withoutTimes(stdout));
    }
    // More than are answered at once: each gives its workspace back.
    for (let time = 0; time < 40; time++) await (await signed(`/api/sessions/${session.id}/report`)).body?.cancel();
    expect((await ask('listSessions')).total).toBe(1);
    expect(faults).toEqual([]);
  });
});
