import { describe, expect, test } from 'vitest';
import type { JobState } from '../../src/server/jobs.ts';
import { daemonScene, startDaemon } from '../daemon/support.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { put, type Scene, scene } from '../support/scene.ts';
import { type Served, serve } from './served.ts';

/** More than the background process writes between two moments in which it listens. */
const MANY = 3000;

const QUIET = { RETAKE_DAEMON_ENABLED: 'false' };

interface Changed extends Served {
  readonly target: string;
  readonly expectedTree: string;
  /** What was told of jobs, in order. */
  readonly told: JobState[];
}

/** A served workspace in which every one of some files changed since a checkpoint. */
const changed = async (at: Scene, files: number, whenChanged: () => Promise<unknown> = async () => {}): Promise<Changed> => {
  const write = (text: string): void => {
    for (let number = 0; number < files; number++) put(at.workspace, `d${number % 20}/f${number}.txt`, `${text} ${number}\n`);
  };
  write('before');
  const { id: target } = at.retake.json(at.workspace, 'checkpoint');
  write('after');
  await whenChanged();
  const served = serve(at);
  const told: JobState[] = [];
  served.shared.jobs.listen((state) => told.push(state));
  const { expectedTree } = await served.ask('previewCheckpoint', { params: { checkpoint: target } });
  told.length = 0;
  return { ...served, target, expectedTree, told };
};

/** Rolls back under a name, and cancels it by a request of its own as soon as what is told of it says so. */
const rollBackUntil = async ({ ask, shared, ...it }: Changed, isTime: (state: JobState) => boolean) => {
  let isAsked = false;
  let cancelled: Promise<unknown> | undefined;
  const stop = shared.jobs.listen((state) => {
    if (isAsked || !isTime(state)) return;
    isAsked = true;
    cancelled = ask('cancelJob', { params: { job: state.id } });
  });
  try {
    return await ask('rollBack', {
      params: { session: 'local', checkpoint: it.target },
      body: { expectedTree: it.expectedTree, job: 'mine' },
    });
  } finally {
    stop();
    await cancelled;
  }
};

const isWriting = ({ progress }: JobState): boolean => progress !== null && 'done' in progress;

const outcomesOf = async ({ ask }: Served): Promise<string[]> => (await ask('listRollbacks')).rollbacks.map(({ outcome }) => outcome);

describe('[API] a job that is cancelled', () => {
  test('before it writes: it ends, and nothing is recorded', async () => {
    const it = await changed(scene(QUIET), 50);
    const before = observeWorkspace(it.at.workspace);
    await expect(rollBackUntil(it, () => true)).rejects.toMatchObject({ status: 409, code: 'interrupted' });
    expect(observeWorkspace(it.at.workspace)).toEqual(before);
    expect(await outcomesOf(it)).toEqual([]);
    expect(it.told.at(0)).toMatchObject({ id: 'mine', kind: 'rollBack', state: 'running', progress: null });
    expect(it.told.at(-1)).toMatchObject({ id: 'mine', state: 'cancelled' });
    expect(await it.ask('listJobs')).toEqual({ jobs: [], total: 0, next: null });
    expect(it.faults).toEqual([]);
  });

  test('while it writes: what was done is taken back, and it can be done again', async () => {
    const it = await changed(scene(QUIET), 200);
    const before = observeWorkspace(it.at.workspace);
    await expect(rollBackUntil(it, isWriting)).rejects.toMatchObject({
      status: 409,
      code: 'interrupted',
      details: { outcome: 'taken-back' },
    });
    expect(observeWorkspace(it.at.workspace)).toEqual(before);
    expect(await outcomesOf(it)).toEqual(['taken-back']);
    expect(it.told.map(({ state }) => state)).toContain('cancelling');
    expect(it.told.at(-1)?.state).toBe('cancelled');
    expect(await rollBackUntil(it, () => false)).toMatchObject({ restored: 200 });
    expect(await outcomesOf(it)).toEqual(['complete', 'taken-back']);
  });

  test('after the last change: it is done', async () => {
    const it = await changed(scene(QUIET), 50);
    const isWritten = ({ progress }: JobState): boolean => progress !== null && 'done' in progress && progress.done === progress.total;
    const { rollbackId } = await rollBackUntil(it, isWritten);
    expect((await it.ask('listRollbacks')).rollbacks).toMatchObject([{ id: rollbackId, outcome: 'complete' }]);
    expect(it.told.at(-1)?.state).toBe('done');
  });

  test('by the background process, too', async () => {
    const at = daemonScene();
    // Settings that are not those of the other tests.
    put(at.retake.home, 'settings.json', '{}');
    const it = await changed(at, MANY, () => startDaemon(at));
    const before = observeWorkspace(at.workspace);
    await expect(rollBackUntil(it, isWriting)).rejects.toMatchObject({ code: 'interrupted', details: { outcome: 'taken-back' } });
    expect(observeWorkspace(at.workspace)).toEqual(before);
    expect(await outcomesOf(it)).toEqual(['taken-back']);
    expect(it.told.at(-1)?.state).toBe('cancelled');
  });

  test('previews can be, too', async () => {
    const it = await changed(scene(QUIET), 50);
    const stop = it.shared.jobs.listen(({ id }) => it.shared.jobs.cancel(id));
    const asked = it.ask('previewCheckpoint', { params: { checkpoint: it.target }, query: { job: 'look' } });
    await expect(asked).rejects.toMatchObject({ status: 409, code: 'interrupted' });
    stop();
    expect(it.told.at(-1)).toMatchObject({ id: 'look', kind: 'previewCheckpoint', state: 'cancelled' });
  });
});

test('[API] jobs are listed while they run, under names that only one has at a time', async () => {
  const it = await changed(scene(QUIET), 50);
  const seen: Promise<unknown>[] = [];
  let isAsked = false;
  const stop = it.shared.jobs.listen(() => {
    if (isAsked) return;
    isAsked = true;
    const again = it.ask('rollBack', {
      params: { session: 'local', checkpoint: it.target },
      body: { expectedTree: it.expectedTree, job: 'mine' },
    });
    seen.push(it.ask('listJobs'), again);
    again.catch(() => {});
  });
  await rollBackUntil(it, () => false);
  stop();
  const [list, again] = await Promise.allSettled(seen);
  const { workspaces } = await it.ask('listWorkspaces');
  expect(list).toMatchObject({
    value: { jobs: [{ id: 'mine', kind: 'rollBack', workspace: workspaces[0]?.id, state: 'running' }], total: 1 },
  });
  expect(again).toMatchObject({ reason: { status: 400, code: 'bad-request' } });
});

test('[API] only what is under way can be cancelled', async () => {
  const { ask, signed, faults } = serve(scene(QUIET));
  await expect(ask('cancelJob', { params: { job: 'nobody' } })).rejects.toMatchObject({ status: 404, code: 'unknown-id' });
  for (const [name, status] of [
    ['__proto__', 404],
    ['constructor', 404],
    ['--output=x', 400],
    ['..%2fx', 400],
    ['x'.repeat(65), 400],
  ] as const) {
    expect((await signed(`/api/jobs/${name}`, { method: 'DELETE' })).status, name).toBe(status);
  }
  for (const query of ['limit=0', 'workspace=x', 'state=done']) expect((await signed(`/api/jobs?${query}`)).status, query).toBe(400);
  expect(faults).toEqual([]);
});
