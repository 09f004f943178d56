import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { spoolEvent } from '../../src/daemon/spool.ts';
import { canBecomeOther, own } from '../support/other-user.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import {
  ask,
  copyProgram,
  daemonFile,
  daemonScene,
  isAlive,
  PATIENT,
  promptPayload,
  readAddress,
  readLog,
  recorded,
  replaceProgram,
  runHook,
  SILENT,
  spooled,
  startDaemon,
  startProcess,
  status,
  until,
} from './support.ts';

describe('one daemon', () => {
  test('[issue 3] of eight that start at once exactly one lives, and the others end well', async () => {
    const at = daemonScene();
    const started = Array.from({ length: 8 }, () => startProcess(at));
    await until(() => readAddress(at) !== undefined);
    const { pid } = await status(at);
    const others = started.filter((one) => one.pid !== pid);
    expect(others).toHaveLength(7);
    expect(await Promise.all(others.map(({ ended }) => ended))).toEqual(Array(7).fill(0));
    expect((await status(at)).pid).toBe(pid);
  });

  test('[REL-2] killed -9, it leaves socket and address behind, and the next one starts all the same', async () => {
    const at = daemonScene();
    const first = await startDaemon(at);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(existsSync(daemonFile(at, 'socket'))).toBe(true);
    expect(readAddress(at).pid).toBe(first.pid);
    const second = await startDaemon(at);
    expect(second.pid).not.toBe(first.pid);
  });

  test('[issue 3] the daemon killed between two hooks: both are recorded', async () => {
    const at = daemonScene({ RETAKE_HOOK_DEADLINE_MS: '60000' });
    expect(await runHook(at, promptPayload(at, 'first'))).toEqual(SILENT);
    const { pid } = readAddress(at);
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
    expect(await runHook(at, promptPayload(at, 'second'))).toEqual(SILENT);
    expect(recorded(at)).toEqual(['first', 'second']);
    expect(readAddress(at).pid).not.toBe(pid);
  });

  test('[REL-2] an event that is spooled while it runs is recorded without anybody asking', async () => {
    const at = daemonScene();
    await startDaemon(at);
    for (const name of ['HOME', 'XDG_CONFIG_HOME', 'RETAKE_HOME']) vi.stubEnv(name, at.retake.env[name]);
    onTestFinished(() => void vi.unstubAllEnvs());
    spoolEvent({ agent: 'claude-code', payload: promptPayload(at, 'left there'), at: new Date().toISOString() });
    await until(() => spooled(at).length === 0);
    expect(recorded(at)).toEqual(['left there']);
  });

  test('[SEC] socket and address are for the user alone, and so is the directory', async () => {
    const at = daemonScene();
    await startDaemon(at);
    const mode = (path: string): number => statSync(path).mode & 0o777;
    expect(mode(daemonFile(at, ''))).toBe(0o700);
    for (const name of ['socket', 'address.json', 'log']) expect([name, mode(daemonFile(at, name))]).toEqual([name, 0o600]);
  });

  test('[SEC] a directory that others could enter is closed to them', async () => {
    const at = daemonScene();
    mkdirSync(daemonFile(at, ''), { recursive: true, mode: 0o755 });
    await startDaemon(at);
    expect(statSync(daemonFile(at, '')).mode & 0o777).toBe(0o700);
  });

  test('[issue 3] a data directory with a path longer than sockets allow', async () => {
    const at = daemonScene(PATIENT, join(temporaryDirectory(), 'a'.repeat(100), 'b'.repeat(100)));
    const { pid } = at.retake.json(at.workspace, 'daemon', 'start');
    expect(at.retake.json(at.workspace, 'daemon', 'status')).toMatchObject({ running: true, pid });
    expect(statSync(daemonFile(at, 'socket')).isSocket()).toBe(true);
    expect(await runHook(at, promptPayload(at, 'far down'))).toEqual(SILENT);
    expect(recorded(at)).toEqual(['far down']);
    expect(at.retake.json(at.workspace, 'daemon', 'stop')).toEqual({ stopped: true, pid });
    expect(existsSync(daemonFile(at, 'socket'))).toBe(false);
  });

  test.skipIf(!canBecomeOther)('[REL-3] not allowed to write its directory: it ends with 1, and touches nothing', async () => {
    const at = daemonScene();
    mkdirSync(daemonFile(at, ''), { mode: 0o700 });
    const nobody = 65534;
    own(join(at.retake.home, '..'), nobody);
    own(daemonFile(at, ''), 0);
    expect(await startProcess(at, { user: nobody }).ended).toBe(1);
    expect(readdirSync(daemonFile(at, ''))).toEqual([]);
  });
});

describe('its end', () => {
  test('[CLI] stop: it answers, is gone, and leaves neither socket nor address', async () => {
    const at = daemonScene();
    const { pid, ended } = await startDaemon(at);
    expect(await ask(at, { verb: 'stop' })).toEqual({ result: { pid } });
    expect(await ended).toBe(0);
    expect(readdirSync(daemonFile(at, '')).filter((name) => !name.startsWith('lock'))).toEqual(['log']);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('[issue 3] %s ends it like stop', async (signal) => {
    const at = daemonScene();
    const { child, ended } = await startDaemon(at);
    child.kill(signal);
    expect(await ended).toBe(0);
    expect(readAddress(at)).toBeUndefined();
    expect(existsSync(daemonFile(at, 'socket'))).toBe(false);
  });

  test('[issue 3] without anything to do it ends after its idle time', async () => {
    const at = daemonScene();
    // On a slow machine it may be over before anybody could ask whether it is there.
    const { ended } = startProcess(at, { env: { RETAKE_DAEMON_IDLE_MINUTES: '0.01' } });
    expect(await ended).toBe(0);
    expect(readLog(at)).toContain('nothing to do');
    expect(readAddress(at)).toBeUndefined();
  });

  test('[issue 3] the data directory is removed: it ends and does not make it again', async () => {
    const at = daemonScene();
    const { ended } = await startDaemon(at);
    // While it rehearses it makes files, and nobody can remove a folder in which files appear.
    await until(() => at.retake.json(at.workspace, 'daemon', 'status').rehearsed);
    rmSync(at.retake.home, { recursive: true });
    expect(await ended).toBe(0);
    expect(existsSync(at.retake.home)).toBe(false);
  });

  test('[issue 3] its address belongs to another: it ends and leaves that one alone', async () => {
    const at = daemonScene();
    const { ended } = await startDaemon(at);
    const other = JSON.stringify({ ...readAddress(at), token: 'other' });
    writeFileSync(daemonFile(at, 'address.json'), other);
    expect(await ended).toBe(0);
    expect(readFileSync(daemonFile(at, 'address.json'), 'utf8')).toBe(other);
  });
});

describe('an update', () => {
  test('[issue 3] the program was replaced: a successor answers', async () => {
    const at = daemonScene();
    const script = copyProgram();
    const { pid, ended } = await startDaemon(at, { script });
    replaceProgram(script);
    expect(await ended).toBe(0);
    await until(() => readAddress(at) !== undefined);
    const successor = await status(at);
    expect(successor.pid).not.toBe(pid);
    expect((await status(at)).pid).toBe(successor.pid);
  });

  test('[REL-2] an event that comes right after the replacement is recorded', async () => {
    const at = daemonScene({ RETAKE_HOOK_DEADLINE_MS: '60000' });
    const script = copyProgram();
    const { ended } = await startDaemon(at, { script });
    replaceProgram(script);
    expect(await runHook(at, promptPayload(at, 'meanwhile'))).toEqual(SILENT);
    expect(await ended).toBe(0);
    expect(recorded(at)).toEqual(['meanwhile']);
  });

  test('[issue 3] the program was removed for good: it ends', async () => {
    const at = daemonScene();
    const script = copyProgram();
    const { ended } = await startDaemon(at, { script });
    rmSync(script);
    expect(await ended).toBe(0);
    expect(readAddress(at)).toBeUndefined();
  });
});

test('[issue 3] the log is moved aside when it is full', async () => {
  const at = daemonScene();
  mkdirSync(daemonFile(at, ''), { mode: 0o700 });
  const full = 'x'.repeat(1_000_000);
  writeFileSync(daemonFile(at, 'log'), full, { mode: 0o600 });
  await startDaemon(at);
  expect(readFileSync(daemonFile(at, 'log.1'), 'utf8')).toBe(full);
  await until(() => readLog(at).includes('started'));
  expect(readLog(at)).not.toContain('xxx');
});
