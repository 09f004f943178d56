import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { daemonScene, until } from '../daemon/support.ts';
import { branchNamed, forked, text } from '../forks/forked.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { put } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.log('skipped: there is no curl on this machine');

// biome-ignore lint/suspicious/noExplicitAny: answers that are looked into
type Any = any;

test.skipIf(!hasCurl)(
  '[API] a whole story with curl: sign in, list, record, preview, go back, undo, compare forks, follow events',
  async () => {
    const at = daemonScene({
      RETAKE_HOOK_DEADLINE_MS: '60000',
      RETAKE_AGENT_TELL_REWINDS: 'false',
      RETAKE_SERVER_PORT: String(randomInt(20_000, 30_000)),
    });
    const { session } = await forked(at);
    const { url, link, tokenFile } = at.retake.json(at.workspace, 'serve');
    const told: string[] = [];
    const scratch = temporaryDirectory();
    const jar = join(scratch, 'jar');
    const curl = (path: string, ...args: string[]): Any => {
      const { stdout } = spawnSync('curl', ['-s', '-b', jar, '-c', jar, ...args, `${url}${path}`], {
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      });
      told.push(`$ curl ${args.map((arg) => (/[\s{]/.test(arg) ? `'${arg}'` : arg)).join(' ')} ${path}`, `  ${stdout.slice(0, 240)}`);
      return JSON.parse(stdout);
    };
    const post = (path: string, body: object): Any => curl(path, '-H', 'content-type: application/json', '-d', JSON.stringify(body));

    expect(curl('/api/sessions')).toMatchObject({ error: { code: 'signed-out' } });
    expect(post('/api/sign-in', { code: new URL(link).hash.slice(1) })).toMatchObject({ signedIn: true });

    // The token is as good as the cookie; events are followed with it, from a file that only we can read.
    const header = join(scratch, 'header');
    writeFileSync(header, `Authorization: Bearer ${readFileSync(tokenFile, 'utf8').trim()}`);
    chmodSync(header, 0o600);
    const events = spawn('curl', ['-sN', '-H', `@${header}`, `${url}/api/events`]);
    onTestFinished(() => void events.kill());
    let heard = '';
    events.stdout.on('data', (chunk) => {
      heard += chunk;
    });
    await until(() => heard.includes('event: hello'));

    const { sessions } = curl('/api/sessions');
    expect(sessions).toMatchObject([{ id: session.id, forks: 1, isCurrent: true }]);
    const at1 = `/api/sessions/${session.id}/checkpoints`;
    expect(curl(`${at1}?limit=3`)).toMatchObject({ checkpoints: { length: 3 } });

    const made = post(at1, { name: 'before the refactoring' });
    expect(made).toMatchObject({ status: 'complete', omissions: [] });
    const before = observeWorkspace(at.workspace);
    put(at.workspace, 'shared.txt', 'broken\n');
    put(at.workspace, 'stray.txt', 'stray\n');
    const after = observeWorkspace(at.workspace);
    expect(curl(`${at1}/${made.id}/diff?hunks=true`).files.map(({ path, status }: Any) => `${status} ${path}`)).toEqual([
      'modified shared.txt',
      'added stray.txt',
    ]);

    const plan = curl(`${at1}/${made.id}/rollback/preview`);
    expect(plan.operations.map(({ type, path }: Any) => `${type} ${path}`)).toEqual(['restore shared.txt', 'delete stray.txt']);
    expect(observeWorkspace(at.workspace), 'a preview changes nothing').toEqual(after);
    const done = post(`${at1}/${made.id}/rollback`, { scope: 'code', expectedTree: plan.expectedTree });
    expect(done).toMatchObject({ restored: 1, deleted: 1, rollbackId: expect.any(String), safetyCheckpoint: expect.any(String) });
    expect(observeWorkspace(at.workspace)).toEqual(before);
    const again = post(`${at1}/${made.id}/rollback`, { scope: 'code', expectedTree: plan.expectedTree });
    expect(again).toMatchObject({ error: { code: 'workspace-moved' } });

    const undone = post(`/api/rollback/${done.rollbackId}/undo`, {});
    expect(undone.rollbackId).not.toBe(done.rollbackId);
    expect(observeWorkspace(at.workspace)).toEqual(after);
    expect(curl('/api/rollbacks').rollbacks.slice(0, 2)).toMatchObject([
      { id: undone.rollbackId, undoes: done.rollbackId },
      { id: done.rollbackId, undoneBy: undone.rollbackId },
    ]);

    const { tree } = curl(`/api/sessions/${session.id}/fork-tree`);
    const [left, right] = ['left', 'right'].map((title) => branchNamed(tree, title).branch);
    const comparison = post('/api/forks/compare', { a: left, b: right });
    expect(comparison.both).toEqual([{ path: 'shared.txt', conflict: 'both-changed' }]);

    await until(() => heard.includes(undone.rollbackId));
    const kinds = [...heard.matchAll(/^event: operation\n(?:id: .*\n)?data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data).kind);
    // The fork is recorded by the background process whenever it has time.
    expect(kinds.filter((kind) => kind !== 'fork-point')).toEqual(['manual', 'safety', 'rollback', 'safety', 'undo']);
    expect(text(at, 'stray.txt')).toBe('stray\n');
    if (process.env.RETAKE_TELL !== undefined) console.log([...told, '$ curl -N /api/events', heard].join('\n'));
  },
);
