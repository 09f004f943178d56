import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { retakeIn } from '../support/cli.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { put, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { copyProgram, daemonScene, isAlive, readAddress, readLog, replaceProgram, startDaemon, until } from './support.ts';

/** A port by chance, so that tests do not meet. */
const freely = (env: Record<string, string> = {}): Scene => daemonScene({ RETAKE_SERVER_PORT: String(randomInt(20_000, 30_000)), ...env });

const tokenIn = (file: string): string => readFileSync(file, 'utf8').trim();

const get = (url: string, token: string): Promise<Response> => fetch(url, { headers: { authorization: `Bearer ${token}` } });

const signIn = (link: string): Promise<Response> =>
  fetch(new URL('/api/sign-in', link), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: new URL(link).hash.slice(1) }),
  });

test('[CLI] serve: starts the daemon, prints a link that signs in once, and a token for programs', async () => {
  const at = freely();
  put(at.workspace, 'a.txt', 'a\n');
  at.retake.json(at.workspace, 'checkpoint', '--name', 'one');
  const { url, link, tokenFile, pid, workspace, opened } = at.retake.json(at.workspace, 'serve');
  expect(link).toMatch(new RegExp(`^${url}/sign-in#[\\w-]{32}$`));
  expect({ pid, opened }).toEqual({ pid: readAddress(at).pid, opened: false });
  const signed = await signIn(link);
  expect(signed.status).toBe(200);
  expect((await signIn(link)).status).toBe(401);
  const cookie = (signed.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const listed = await fetch(`${url}/api/workspaces`, { headers: { cookie } });
  expect(await listed.json()).toMatchObject({
    total: 1,
    workspaces: [{ id: workspace, root: at.workspace, checkpoints: 1, isDefault: true }],
  });
  expect((await get(`${url}/api/sessions`, tokenIn(tokenFile))).status).toBe(200);
  expect(at.retake.json(at.workspace, 'daemon', 'status')).toMatchObject({ url });
  expect(at.retake.run(at.workspace, 'daemon', 'status').stdout).toContain(url);
  const shown = at.retake.run(at.workspace, 'serve');
  expect(shown.stdout).toContain(`${url}/sign-in#`);
  expect(shown.stdout).not.toContain(link);
  expect(shown.stderr).toContain(tokenFile);
});

test('[SEC] [UI-4] the web page and each of its files are for who is signed in; others are told how to sign in', async () => {
  const at = freely();
  const { url, link } = at.retake.json(at.workspace, 'serve');
  const cookie = ((await signIn(link)).headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const page = await fetch(url, { headers: { cookie } });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const html = await page.text();
  const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path as string);
  expect(files.length).toBeGreaterThan(1);
  for (const path of ['/', '/w/any/settings', ...files]) {
    const served = await fetch(new URL(path, url), { headers: { cookie } });
    expect([served.status, (await served.arrayBuffer()).byteLength > 0], path).toEqual([200, true]);
    const told = await fetch(new URL(path, url));
    expect([told.status, await told.json()], path).toMatchObject([401, { error: { code: 'signed-out' } }]);
    const shown = await fetch(new URL(path, url), { headers: { accept: 'text/html' } });
    expect([shown.status, await shown.text()], path).toEqual([401, expect.stringContaining('/sign-in.js')]);
  }
});

test('[SEC] neither the token nor a code is in a log or a list of processes', async () => {
  const at = freely();
  const { link, tokenFile } = at.retake.json(at.workspace, 'serve');
  const secrets = [tokenIn(tokenFile), new URL(link).hash.slice(1)];
  await signIn(link);
  const commands = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandOf);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20);
    expect(readLog(at)).not.toContain(secret);
    expect(commands.filter((words) => words.includes(secret))).toEqual([]);
  }
});

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

test('[issue 9] asked again, and by several at once, there is one server; another workspace becomes what is meant', async () => {
  const at = freely();
  const other = daemonScene().workspace;
  const answers = await Promise.all([at.workspace, at.workspace, other].map((where) => at.retake.start(where, 'serve', '--json')));
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
  const [first, second] = answers.map(({ json }) => json);
  expect(new Set(answers.map(({ json }) => json.url)).size).toBe(1);
  expect(first.link).not.toBe(second.link);
  const { workspace, url, tokenFile } = at.retake.json(other, 'serve');
  const { workspaces } = (await (await get(`${url}/api/workspaces`, tokenIn(tokenFile))).json()) as { workspaces: object[] };
  expect(workspaces).toMatchObject([{ id: workspace, isDefault: true, isProtected: false }]);
});

test('[issue 9] a port that is asked for is the one, or it is refused; one that is only wanted may be another', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await until(() => taken.listening);
  const { port } = taken.address() as AddressInfo;
  const at = freely({ RETAKE_SERVER_PORT: String(port) });
  const refused = at.retake.run(at.workspace, 'serve', '--port', String(port), '--json');
  expect(refused).toMatchObject({ code: 2, json: { error: { code: 'usage', message: expect.stringContaining(`Port ${port}`) } } });
  const { url } = at.retake.json(at.workspace, 'serve');
  expect(url).not.toContain(`:${port}`);
  const moved = at.retake.run(at.workspace, 'serve', '--port', String(port), '--json');
  expect(moved).toMatchObject({ code: 2, json: { error: { message: expect.stringContaining('already') } } });
  for (const bad of ['0', '65536', 'x', '-1', '1.5']) expect(at.retake.run(at.workspace, 'serve', '--port', bad).code, bad).toBe(2);
});

test('[issue 9] it ends with the daemon, and stays as long as somebody uses it', async () => {
  const at = freely({ RETAKE_DAEMON_IDLE_MINUTES: '0.2' });
  const { url, tokenFile, pid } = at.retake.json(at.workspace, 'serve');
  const token = tokenIn(tokenFile);
  const limit = 0.2 * 60_000;
  for (
    const until = performance.now() + 1.5 * limit;
    performance.now() < until;
    await new Promise((resolve) => setTimeout(resolve, limit / 40))
  ) {
    expect((await get(`${url}/api/sessions`, token)).status).toBe(200);
  }
  expect(isAlive(pid)).toBe(true);
  await until(() => !isAlive(pid));
  await expect(get(`${url}/api/sessions`, token)).rejects.toThrow();
});

test('[issue 9] with `daemon stop` it is gone at once, and the token still good for the next', async () => {
  const at = freely();
  const first = at.retake.json(at.workspace, 'serve');
  const token = tokenIn(first.tokenFile);
  at.retake.json(at.workspace, 'daemon', 'stop');
  await expect(get(`${first.url}/api/sessions`, token)).rejects.toThrow();
  const second = at.retake.json(at.workspace, 'serve');
  expect((await get(`${second.url}/api/sessions`, token)).status).toBe(200);
  expect((await signIn(first.link.replace(first.url, second.url))).status).toBe(401);
});

test('[issue 9] the program was updated: the successor serves at the same place, for the same token and cookies', async () => {
  const at = freely();
  const script = copyProgram();
  const { ended, pid } = await startDaemon(at, { script });
  const { url, tokenFile, link } = at.retake.json(at.workspace, 'serve');
  const cookie = ((await signIn(link)).headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  replaceProgram(script);
  expect(await ended).toBe(0);
  await until(async () => (await get(`${url}/api/sessions`, tokenIn(tokenFile)).catch(() => undefined))?.status === 200);
  expect((await fetch(`${url}/api/sessions`, { headers: { cookie } })).status).toBe(200);
  expect(readAddress(at).pid).not.toBe(pid);
});

test('[SEC] serve --open hands the browser a file that only its owner can read, and not the code', () => {
  const bin = temporaryDirectory();
  const said = join(bin, 'said');
  put(bin, 'xdg-open', `#!/bin/sh\nprintf %s "$*" > ${said}\n`, 0o755);
  const at = freely();
  const retake = retakeIn(join(at.retake.home, '..'), { ...at.retake.env, PATH: `${bin}:${at.retake.env.PATH}` });
  const { link, opened } = retake.json(at.workspace, 'serve', '--open');
  expect(opened).toBe(true);
  return until(() => existsSync(said) && readFileSync(said, 'utf8') !== '').then(() => {
    const path = readFileSync(said, 'utf8');
    expect(path).toBe(join(at.retake.home, 'daemon', 'sign-in.html'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toContain(link);
  });
});

test('[REL-2] stopped in the middle of a rollback: it is done or taken back, and who asked for it hears which', async () => {
  const at = freely();
  const write = (text: string): void => {
    for (let number = 0; number < 3000; number++) put(at.workspace, `${number % 20}/file-${number}.txt`, `${text} ${number}\n`);
  };
  write('before');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  const before = observeWorkspace(at.workspace);
  write('after');
  const after = observeWorkspace(at.workspace);
  const { url, tokenFile } = at.retake.json(at.workspace, 'serve');
  const token = tokenIn(tokenFile);
  const here = `${url}/api/sessions/local/checkpoints/${id}/rollback`;
  const { expectedTree } = (await (await get(`${here}/preview`, token)).json()) as { expectedTree: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const asked = fetch(here, { method: 'POST', headers, body: JSON.stringify({ expectedTree, job: 'big' }) });
  let isAnswered = false;
  void asked.then(() => {
    isAnswered = true;
  });
  await until(async () => isAnswered || ((await (await get(`${url}/api/jobs`, token)).json()) as { total: number }).total === 1);
  const stopped = at.retake.start(at.workspace, 'daemon', 'stop', '--json');
  const answer = await asked;
  expect((await stopped).code).toBe(0);
  expect([200, 409]).toContain(answer.status);
  expect(observeWorkspace(at.workspace)).toEqual(answer.status === 200 ? before : after);
});
