import { expect, onTestFinished, test, vi } from 'vitest';
import { type RollbackRequest, readRollbacks, resolveRewind, rollBack, Workspace } from '../../src/engine/index.ts';
import { PlayedSession, sessionFiles } from '../conversation/played-session.ts';
import { changeRich, makeRich } from '../crash/rich-workspace.ts';
import { forkScene, turn } from '../forks/forked.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { type Scene, scene } from '../support/scene.ts';

const open = async (at: Scene): Promise<Workspace> => {
  for (const [name, value] of Object.entries(at.retake.env)) vi.stubEnv(name, value);
  const workspace = await Workspace.open({ directory: at.workspace });
  onTestFinished(() => {
    workspace.close();
    vi.unstubAllEnvs();
  });
  return workspace;
};

/** Rolls back and wants it ended when so many changes are made; tells how many there are. */
const rollBackFor = async (workspace: Workspace, request: RollbackRequest, most: number): Promise<{ all: number; problem: unknown }> => {
  const ending = new AbortController();
  let all = 0;
  const onApply = (done: number, total: number): void => {
    all = total;
    if (done === most) ending.abort();
  };
  const problem = await rollBack(workspace, request, { onApply, signal: ending.signal }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { all, problem };
};

test('[RST-4] cancelled after any of its changes but the last, a rollback leaves the workspace exactly as it was', async () => {
  const at = scene();
  makeRich(at.workspace);
  at.retake.json(at.workspace, 'checkpoint', '--name', 'target');
  const target = observeWorkspace(at.workspace);
  changeRich(at.workspace);
  const before = observeWorkspace(at.workspace);
  const workspace = await open(at);
  const request = resolveRewind(workspace, 'target');
  let all = 2;
  for (let most = 1; most < all; most++) {
    const ended = await rollBackFor(workspace, request, most);
    all = ended.all;
    expect(ended.problem).toMatchObject({ code: 'interrupted', details: { outcome: 'taken-back' } });
    expect(observeWorkspace(at.workspace), `after ${most} of ${all}`).toEqual(before);
  }
  expect(all, 'many places to be ended at').toBeGreaterThan(10);
  expect(await rollBackFor(workspace, request, all)).toEqual({ all, problem: undefined });
  const outcomes = readRollbacks(workspace).map(({ rollback }) => rollback.outcome);
  expect(outcomes).toEqual(['complete', ...Array.from({ length: all - 1 }, () => 'taken-back')]);
  expect(observeWorkspace(at.workspace)).toEqual(target);
});

test('[CNV-1] the session that was written for it goes, too', async () => {
  const at = forkScene();
  const session = new PlayedSession(at);
  await session.start();
  await turn(at, session, 'begin', { 'a.txt': 'one\n' });
  await turn(at, session, 'go on', { 'a.txt': 'two\n', 'b.txt': 'b\n' });
  const before = observeWorkspace(at.workspace);
  const workspace = await open(at);
  const { problem } = await rollBackFor(workspace, resolveRewind(workspace, 't2', { scope: 'both' }), 1);
  expect(problem).toMatchObject({ code: 'interrupted' });
  expect(observeWorkspace(at.workspace)).toEqual(before);
  expect(sessionFiles(at)).toHaveLength(1);
});

test('[RST-4] cancelled before it begins, or while somebody else is at work, it does nothing', async () => {
  const at = scene();
  makeRich(at.workspace);
  at.retake.json(at.workspace, 'checkpoint', '--name', 'target');
  changeRich(at.workspace);
  const before = observeWorkspace(at.workspace);
  const workspace = await open(at);
  const other = await open(at);
  const request = resolveRewind(workspace, 'target');
  await expect(rollBack(workspace, request, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'interrupted' });
  await other.write(async () => {
    const ending = new AbortController();
    const waiting = rollBack(workspace, request, { signal: ending.signal });
    ending.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
  });
  expect(observeWorkspace(at.workspace)).toEqual(before);
  expect(readRollbacks(workspace)).toEqual([]);
});
