import { spawn, spawnSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WarmWorkspace } from '../../src/daemon/warm-workspace.ts';
import { createCheckpoint, Workspace } from '../../src/engine/index.ts';
import { put, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { Conversation } from './claude-code.ts';
import { expectExact, lookAt, prompts, untilWatched, watched } from './exact.ts';
import { ask, DIST, daemonScene, PATIENT, promptPayload, readAddress, startDaemon, tell, troubles, until } from './support.ts';

const MOST_WATCHES = 40;
const MOST_KEPT = 16;

test('[PRF-8] 200 workspaces: all are recorded, and what is kept of them stays within its limits', async () => {
  const at = daemonScene({ ...PATIENT, RETAKE_DAEMON_MAX_WATCHES: String(MOST_WATCHES) });
  const all = await protectMany(at, 200);
  await startDaemon(at);
  const record = async (scene: Scene, id: string): Promise<void> => {
    put(scene.workspace, 'a/b/file', id);
    const payload = new Conversation('s', scene.workspace).after(id, `Step-${id}`);
    const event = { agent: 'claude-code', payload, at: new Date().toISOString() };
    expect(await ask(at, { verb: 'event', event })).toEqual({ result: { output: '' } });
  };
  const most = { kept: 0, watches: 0 };
  const look = async (): Promise<void> => {
    const { workspaces } = await lookAt(at);
    most.kept = Math.max(most.kept, workspaces.length);
    most.watches = Math.max(
      most.watches,
      workspaces.reduce((sum, { watches }) => sum + watches, 0),
    );
  };
  for (const [number, scene] of all.entries()) {
    await record(scene, `${number}`);
    if (number % 10 === 0) await look();
  }
  await until(async () => (await watched(at, all.at(-1)?.workspace))?.tier === 'journal');
  await look();
  expect(most.kept).toBe(MOST_KEPT);
  expect(most.watches).toBeLessThanOrEqual(MOST_WATCHES);
  expect(most.watches).toBeGreaterThan(MOST_WATCHES / 2);
  // The last ones are watched; those before them gave their watches back; the first are not even open.
  const { workspaces } = await lookAt(at);
  expect(workspaces.map(({ root }) => root).sort()).toEqual(
    all
      .slice(-MOST_KEPT)
      .map(({ workspace }) => workspace)
      .sort(),
  );
  expect((await watched(at, all.at(-MOST_KEPT)?.workspace))?.watches).toBe(0);
  // Used again, each is recorded as exactly as ever.
  const again = [all[0], all.at(-MOST_KEPT), all.at(-MOST_KEPT + 1), all.at(-1)] as Scene[];
  for (const scene of again) {
    put(scene.workspace, 'a/new/file', 'new');
    rmSync(join(scene.workspace, 'top'));
    await record(scene, 'again');
    expect(
      prompts(scene)
        .slice(1)
        .map((step) => step.replace(/\d+/, 'N')),
    ).toEqual(['Step-N', 'Step-again']);
    expectExact(scene);
  }
  for (const scene of all.slice(1, 180).filter((_, number) => number % 20 === 0)) expect(prompts(scene)).toHaveLength(2);
  expect(troubles(at)).toEqual([]);
});

/** Workspaces of three directories each, recorded once. */
const protectMany = async (at: Scene, count: number): Promise<Scene[]> => {
  const top = temporaryDirectory();
  for (const name of ['HOME', 'XDG_CONFIG_HOME', 'RETAKE_HOME']) vi.stubEnv(name, at.retake.env[name]);
  try {
    const scenes = Array.from({ length: count }, (_, number) => ({ ...at, workspace: join(top, `w${number}`) }));
    for (const { workspace: directory } of scenes) {
      put(directory, 'a/b/file', 'first');
      put(directory, 'top', 'top');
      const workspace = await Workspace.open({ directory });
      await createCheckpoint(workspace, { name: 'first' });
      workspace.close();
    }
    return scenes;
  } finally {
    vi.unstubAllEnvs();
  }
};

test('[PRF-8] a workspace with more directories than may be watched is scanned, says so, and is recorded exactly', async () => {
  const at = daemonScene({ ...PATIENT, RETAKE_DAEMON_MAX_WATCHES: '20' });
  for (let number = 0; number < 60; number++) put(at.workspace, `d${number}/file`, '1');
  await startDaemon(at);
  await tell(at, promptPayload(at, 'first'));
  await until(async () => (await watched(at))?.problem);
  expect(await watched(at)).toMatchObject({ tier: 'scan', watches: 0, problem: expect.stringContaining('maxWatches') });
  put(at.workspace, 'd59/file', '2');
  await tell(at, promptPayload(at, 'second'));
  expectExact(at);
  expect((await watched(at))?.watches).toBe(0);
});

/** Starts the daemon where the system gives it only so many watches; undefined with the reason where that can't be done. */
const startLimited = async (at: Scene, watches: number): Promise<string | undefined> => {
  const limit = '/proc/sys/user/max_inotify_watches';
  const probe = spawnSync('unshare', ['--user', '--map-root-user', 'sh', '-c', `echo ${watches} > ${limit}`], { encoding: 'utf8' });
  if (probe.status !== 0) return probe.error?.message ?? probe.stderr;
  const script = `echo ${watches} > ${limit}; exec "$0" "$@"`;
  const args = ['--user', '--map-root-user', 'sh', '-c', script, process.execPath, join(DIST, 'daemon.js')];
  const child = spawn('unshare', args, { env: at.retake.env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await until(() => readAddress(at)?.pid === child.pid);
  return undefined;
};

test('[PRF-8] [CAP-1] the system gives no more watches: the workspace is scanned, says so, and is recorded exactly', async (context) => {
  const at = daemonScene(PATIENT);
  const why = await startLimited(at, 30);
  if (why !== undefined) context.skip(`the limit of watches can not be lowered: ${why}`);
  await until(async () => (await lookAt(at)).rehearsed);
  for (let number = 0; number < 60; number++) put(at.workspace, `d${number}/file`, '1');
  await tell(at, promptPayload(at, 'first'));
  await until(async () => (await watched(at))?.problem);
  expect(await watched(at)).toMatchObject({ tier: 'scan', problem: expect.stringContaining('max_user_watches') });
  expect(at.retake.json(at.workspace, 'daemon', 'status').workspaces[0].problem).toContain('max_user_watches');
  for (let number = 0; number < 5; number++) {
    put(at.workspace, `d${number * 12}/file`, 'changed');
    put(at.workspace, `new${number}/file`, 'new');
    rmSync(join(at.workspace, `d${number * 12 + 1}`), { recursive: true });
    await tell(at, new Conversation('s', at.workspace).after(`t${number}`, 'Edit'));
    expectExact(at);
  }
  // A small one finds room all the same.
  const small: Scene = { ...at, workspace: temporaryDirectory() };
  put(small.workspace, 'dir/file', '1');
  await tell(small, promptPayload(small, 'small'));
  await untilWatched(small);
  put(small.workspace, 'dir/file', '2');
  await tell(small, promptPayload(small, 'small again'));
  expectExact(small);
});

describe('a workspace that goes away while it is watched', () => {
  const begin = async (): Promise<Scene> => {
    const at = { ...daemonScene(PATIENT), workspace: join(temporaryDirectory(), 'project') };
    put(at.workspace, 'src/file', '1');
    put(at.workspace, 'old/file', '1');
    await tell(at, promptPayload(at, 'first'));
    await untilWatched(at);
    return at;
  };

  test('[REL-2] deleted, and made again', async () => {
    const at = await begin();
    rmSync(at.workspace, { recursive: true });
    await tell(at, promptPayload(at, 'into the void'));
    expect(troubles(at)).toEqual([expect.stringContaining('no directory')]);
    put(at.workspace, 'src/file', '2');
    await tell(at, promptPayload(at, 'second'));
    expect(prompts(at)).toEqual(['second']);
    expectExact(at);
    await untilWatched(at);
    at.retake.json(at.workspace, 'adopt', '--yes');
    expect(prompts(at)).toEqual(['first']);
    put(at.workspace, 'src/file', '3');
    await tell(at, promptPayload(at, 'third'));
    expect(prompts(at)).toEqual(['first', 'third']);
    expectExact(at);
    expect(at.retake.json(at.workspace, 'check', '--full').damage).toEqual([]);
  });

  test('[REL-2] renamed, and another one put in its place', async () => {
    const at = await begin();
    const moved: Scene = { ...at, workspace: `${at.workspace}-moved` };
    renameSync(at.workspace, moved.workspace);
    put(moved.workspace, 'src/file', 'moved');
    await tell(moved, promptPayload(moved, 'moved'));
    expect(prompts(moved)).toEqual(['moved']);
    expectExact(moved);
    put(at.workspace, 'other/file', 'another');
    await tell(at, promptPayload(at, 'another'));
    expect(prompts(at)).toEqual(['another']);
    expectExact(at);
    // The watches of the one do not tell of the other.
    await untilWatched(at);
    put(moved.workspace, 'src/file', 'moved again');
    await tell(at, new Conversation('s', at.workspace).after('t', 'Edit'));
    expect(prompts(at)).toEqual(['another']);
    await tell(moved, promptPayload(moved, 'moved again'));
    expectExact(moved);
  });

  test('[REL-2] exchanged for another one while its watches are made: that one is watched', async () => {
    process.env.RETAKE_HOME = join(temporaryDirectory(), 'data');
    const root = join(temporaryDirectory(), 'project');
    put(root, 'src/file', '1');
    const kept = await WarmWorkspace.open(root, () => {});
    onTestFinished(() => kept.close());
    await kept.run((workspace) => createCheckpoint(workspace, {}));
    kept.warmUp();
    // Its first watches are being made at this moment.
    renameSync(root, `${root}-moved`);
    put(root, 'other/file', 'another');
    await until(() => kept.status().tier === 'journal');
    expect(kept.status().problem).toBeNull();
  });

  test('[REL-2] renamed away and back again, changed meanwhile', async () => {
    const at = await begin();
    renameSync(at.workspace, `${at.workspace}-away`);
    put(`${at.workspace}-away`, 'src/file', 'changed there');
    put(`${at.workspace}-away`, 'src/new/file', 'new');
    renameSync(`${at.workspace}-away`, at.workspace);
    put(at.workspace, 'src/new/file', 'changed here');
    await tell(at, promptPayload(at, 'back'));
    expectExact(at);
    put(at.workspace, 'src/new/file', 'changed again');
    await tell(at, promptPayload(at, 'again'));
    expectExact(at);
  });
});
