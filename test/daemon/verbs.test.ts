import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canBecomeOther, handOver, own, runAsOther } from '../support/other-user.ts';
import { expectJsonRefusal } from '../support/refusal.ts';
import { daemonFile, daemonScene, isAlive, promptPayload, readAddress, runHook, until } from './support.ts';

test('[CLI] daemon start, status, stop: for programs', async () => {
  const at = daemonScene();
  const { retake, workspace } = at;
  expect(retake.json(workspace, 'daemon', 'status')).toMatchObject({ running: false, pid: null, spooled: 0, workspaces: [], trouble: [] });
  const { pid, wasRunning } = retake.json(workspace, 'daemon', 'start');
  expect(wasRunning).toBe(false);
  expect(isAlive(pid)).toBe(true);
  expect(retake.json(workspace, 'daemon', 'start')).toEqual({ pid, wasRunning: true });
  expect(retake.json(workspace, 'daemon', 'status')).toEqual({
    running: true,
    rehearsed: expect.any(Boolean),
    pid,
    startedAt: expect.any(String),
    memory: expect.any(Number),
    spooled: 0,
    url: null,
    workspaces: [],
    trouble: [],
    log: daemonFile(at, 'log'),
  });
  expect(retake.json(workspace, 'daemon', 'stop')).toEqual({ stopped: true, pid });
  await until(() => !isAlive(pid));
  expect(retake.json(workspace, 'daemon', 'stop')).toEqual({ stopped: false, pid: null });
});

test('[CLI] daemon start, status, stop: for people', async () => {
  const at = daemonScene({ RETAKE_HOOK_DEADLINE_MS: '60000' });
  const run = (verb: string) => at.retake.run(at.workspace, 'daemon', verb);
  expect(run('status').stderr).toContain('does not run');
  expect(run('start').stdout).toMatch(/was started \(pid \d+\)/);
  expect(run('start').stdout).toContain('runs already');
  await runHook(at, promptPayload(at));
  await runHook(at, 'nonsense');
  const { stdout } = run('status');
  expect(stdout).toMatch(/Running +pid \d+/);
  expect(stdout).toContain(at.workspace);
  expect(stdout).toContain('1 problem of hooks');
  expect(run('stop').stdout).toContain('was stopped');
  expect(run('stop')).toMatchObject({ code: 0, stderr: expect.stringContaining('does not run') });
});

test('[UI-1] daemon without a verb, or with one that there is not: wrong usage', () => {
  const { retake, workspace } = daemonScene();
  for (const args of [[], ['restart']]) {
    const { code, stderr } = retake.run(workspace, 'daemon', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain('start, stop or status');
  }
});

test('[issue 3] two that start it at once get the same one', async () => {
  const { retake, workspace } = daemonScene();
  const started = await Promise.all([1, 2, 3].map(() => retake.start(workspace, 'daemon', 'start', '--json')));
  expect(started.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(new Set(started.map(({ json }) => json.pid)).size).toBe(1);
});

test('[issue 3] one that was killed is started again, whatever it left behind', async () => {
  const at = daemonScene();
  const { pid } = at.retake.json(at.workspace, 'daemon', 'start');
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid));
  expect(at.retake.json(at.workspace, 'daemon', 'status')).toMatchObject({ running: false });
  expect(at.retake.json(at.workspace, 'daemon', 'stop')).toMatchObject({ stopped: false });
  expect(at.retake.json(at.workspace, 'daemon', 'start').pid).not.toBe(pid);
});

test('[REL-6] an address file full of nonsense is no address', () => {
  const at = daemonScene();
  mkdirSync(daemonFile(at, ''), { mode: 0o700 });
  for (const content of ['', '{', 'null', '{"token":1}', '[]']) {
    writeFileSync(daemonFile(at, 'address.json'), content);
    expect(at.retake.json(at.workspace, 'daemon', 'status')).toMatchObject({ running: false });
  }
  const { pid } = at.retake.json(at.workspace, 'daemon', 'start');
  expect(readAddress(at).pid).toBe(pid);
});

test.skipIf(!canBecomeOther)('[REL-3] not allowed to write the data directory: one line that says so', () => {
  const at = daemonScene();
  handOver(at);
  own(at.retake.home, 0);
  chmodSync(at.retake.home, 0o755);
  const refused = runAsOther(at, 'daemon', 'start', '--json');
  expectJsonRefusal(refused, 'permission', 1);
  expect(refused.json.error.message).toContain(join(at.retake.home, 'daemon'));
});
