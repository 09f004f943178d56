import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { retakeIn } from '../support/cli.ts';
import { fsck } from '../support/private-store.ts';
import { put, type Scene } from '../support/scene.ts';
import { fillDisk, freeBytes, smallDisk, whyNoMount } from '../support/small-disk.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { Conversation, operationsOf } from './claude-code.ts';
import { expectExact, lookAt, prompts, untilWatched } from './exact.ts';
import { daemonScene, isAlive, PATIENT, promptPayload, spooled, startDaemon, tell, troubles, until } from './support.ts';

const mount = (...args: string[]): void => {
  const { status: code, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  if (code !== 0) throw new Error(`mount failed: ${stderr}`);
};

describe.skipIf(whyNoMount !== undefined)(`on file systems of their own ${whyNoMount ?? ''}`, () => {
  test('[REL-3] [AGT-1] a full disk: hooks are silent, the daemon lives, and what was kept is recorded once there is room', async () => {
    const disk = smallDisk(24 << 20);
    const at = daemonScene(PATIENT, disk);
    const { pid } = await startDaemon(at);
    await tell(at, promptPayload(at, 'before'));
    await until(async () => (await lookAt(at)).rehearsed);
    // Room for a few events, but not for what they tell of.
    const filler = fillDisk(disk, 200_000);
    put(at.workspace, 'large', randomBytes(2_000_000));
    for (const prompt of ['kept 1', 'kept 2']) await tell(at, promptPayload(at, prompt));
    expect(spooled(at)).toHaveLength(2);
    const { trouble, running } = at.retake.json(at.workspace, 'daemon', 'status');
    expect(running).toBe(true);
    expect(trouble.map((one: { problem: string }) => one.problem)).toEqual(
      expect.arrayContaining([expect.stringMatching(/kept for later.*disk is full/i)]),
    );
    // No room for anything.
    const rest = join(disk, 'rest');
    // It tries again now and then what it keeps, and would take or leave some room meanwhile.
    process.kill(pid, 'SIGSTOP');
    writeFileSync(rest, Buffer.alloc(freeBytes(disk)));
    process.kill(pid, 'SIGCONT');
    await tell(at, promptPayload(at, 'x'.repeat(5000)));
    expect(prompts(at)).toEqual(['before']);
    expect(isAlive(pid)).toBe(true);
    rmSync(rest);
    rmSync(filler);
    await tell(at, promptPayload(at, 'later'));
    expect(prompts(at)).toEqual(['before', 'kept 1', 'kept 2', 'later']);
    expect(operationsOf(at)[1]?.event?.place.agent).toBe('claude-code');
    expectExact(at);
    expect(spooled(at)).toEqual([]);
    expect(fsck(at.retake.store(at.workspace))).toEqual({ code: 0, alarms: [] });
    expect(isAlive(pid)).toBe(true);
  });

  test('[REL-3] what was kept is recorded without anybody asking', async () => {
    const disk = smallDisk(24 << 20);
    const at = daemonScene(PATIENT, disk);
    await startDaemon(at);
    await tell(at, promptPayload(at, 'before'));
    await until(async () => (await lookAt(at)).rehearsed);
    const filler = fillDisk(disk, 200_000);
    put(at.workspace, 'large', randomBytes(2_000_000));
    await tell(at, promptPayload(at, 'kept'));
    expect(spooled(at)).toHaveLength(1);
    rmSync(filler);
    await until(() => spooled(at).length === 0);
    expect(prompts(at)).toEqual(['before', 'kept']);
  });

  test('[CAP-1] a workspace that can only be read is recorded, and watched', async () => {
    const disk = smallDisk(1 << 20);
    const at: Scene = { ...daemonScene(PATIENT), workspace: disk };
    put(disk, 'src/deep/file', '1');
    mount('-o', 'remount,ro', disk);
    await tell(at, promptPayload(at, 'read only'));
    expectExact(at);
    await untilWatched(at);
    mount('-o', 'remount,rw', disk);
    put(disk, 'src/deep/file', '2');
    put(disk, 'src/new/file', 'new');
    mount('-o', 'remount,ro', disk);
    await tell(at, new Conversation('s', disk).after('t1', 'Edit'));
    expect(prompts(at)).toEqual(['read only', 'Edit']);
    expectExact(at);
    expect(troubles(at)).toEqual([]);
  });

  test('[REL-3] a store that can not be written holds up nobody else, and its events are kept', async () => {
    const at = daemonScene(PATIENT);
    const other: Scene = { ...at, workspace: temporaryDirectory() };
    await tell(at, promptPayload(at, 'first'));
    await tell(other, promptPayload(other, 'first'));
    const data = dirname(at.retake.store(at.workspace));
    mount('--bind', data, data);
    onTestFinished(() => void spawnSync('umount', ['-l', data]));
    mount('-o', 'remount,ro,bind', data);
    await tell(at, promptPayload(at, 'kept'));
    await tell(other, promptPayload(other, 'second'));
    expect(prompts(other)).toEqual(['first', 'second']);
    mount('-o', 'remount,rw,bind', data);
    await until(() => spooled(at).length === 0);
    expect(prompts(at)).toEqual(['first', 'kept']);
  });
});

test('[REL-3] trouble that can not be noted is no trouble for other events', async () => {
  const at = daemonScene(PATIENT);
  mkdirSync(join(at.retake.home, 'trouble.jsonl'));
  await tell(at, '{"hook_event_name":"Stop"}');
  await tell(at, promptPayload(at, 'all the same'));
  expect(prompts(at)).toEqual(['all the same']);
  expect(spooled(at)).toEqual([]);
});

test('[REL-2] a store that is removed while it is kept open: the next event begins a new one', async () => {
  const at = daemonScene(PATIENT);
  put(at.workspace, 'file', '1');
  await tell(at, promptPayload(at, 'first'));
  await untilWatched(at);
  rmSync(dirname(at.retake.store(at.workspace)), { recursive: true });
  put(at.workspace, 'file', '2');
  await tell(at, promptPayload(at, 'second'));
  await tell(at, promptPayload(at, 'third'));
  expect(prompts(at)).toEqual(['second', 'third']);
  expectExact(at);
  expect(fsck(at.retake.store(at.workspace))).toEqual({ code: 0, alarms: [] });
  await untilWatched(at);
});

test('[REL-2] a store that is removed and begun anew by another process: the next event goes there', async () => {
  const at = daemonScene(PATIENT);
  put(at.workspace, 'file', '1');
  await tell(at, promptPayload(at, 'first'));
  await untilWatched(at);
  rmSync(dirname(at.retake.store(at.workspace)), { recursive: true });
  const alone = retakeIn(dirname(at.retake.home));
  expect(alone.home).toBe(at.retake.home);
  alone.json(at.workspace, 'checkpoint', '--name', 'by another');
  for (const prompt of ['second', 'third']) {
    put(at.workspace, 'dir/file', prompt);
    await tell(at, promptPayload(at, prompt));
    expectExact(at);
  }
  expect(prompts(at)).toEqual(['by another', 'second', 'third']);
  expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(3);
  expect(fsck(at.retake.store(at.workspace))).toEqual({ code: 0, alarms: [] });
});
