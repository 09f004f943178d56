import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { throughDaemon } from '../../src/daemon/ask-or-run.ts';
import type { Progress } from '../../src/daemon/calls.ts';
import { type RollbackResult, resolveRewind, Workspace } from '../../src/engine/index.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { put, type Scene } from '../support/scene.ts';
import { daemonFile, daemonScene, readAddress, startDaemon, status, until } from './support.ts';

/** More than is written between two moments in which the daemon listens. */
const MANY = 3000;

/** A daemon that knows a workspace in which every one of many files changed since a checkpoint. */
const changed = async (files = MANY): Promise<{ at: Scene; workspace: Workspace; target: string }> => {
  const at = daemonScene();
  for (const [name, value] of Object.entries(at.retake.env)) vi.stubEnv(name, value);
  const write = (text: string): void => {
    for (let number = 0; number < files; number++) put(at.workspace, `d${number % 20}/f${number}.txt`, `${text} ${number}\n`);
  };
  write('before');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  write('after');
  await startDaemon(at);
  const workspace = await Workspace.open({ directory: at.workspace });
  onTestFinished(() => {
    workspace.close();
    vi.unstubAllEnvs();
  });
  return { at, workspace, target: id };
};

/** A rollback by the daemon and by nobody else; `onProgress` may end it. */
const rollBackThere = (workspace: Workspace, target: string, onProgress: (progress: Progress, end: () => void) => void) => {
  const ending = new AbortController();
  return throughDaemon<'rollback', RollbackResult>(workspace, {
    name: 'rollback',
    args: { request: resolveRewind(workspace, target), options: {} },
    onProgress: (progress) => onProgress(progress, () => ending.abort()),
    signal: ending.signal,
    here: () => Promise.reject(new Error('the daemon did not do it')),
  });
};

const rollbacksOf = (at: Scene): { id: string; outcome: string }[] => at.retake.json(at.workspace, 'rollbacks').rollbacks;

describe('[RST-4] a rollback that its client does not want any more', () => {
  test('midway: the workspace is as it was, the log says so, and the same rollback works afterwards', async () => {
    const { at, workspace, target } = await changed();
    const before = observeWorkspace(at.workspace);
    const written: number[] = [];
    const ended = rollBackThere(workspace, target, (progress, end) => {
      if (!('done' in progress)) return;
      written.push(progress.done);
      end();
    });
    await expect(ended).rejects.toMatchObject({ code: 'interrupted', details: { outcome: 'taken-back' } });
    expect(written.at(-1)).toBeGreaterThan(0);
    expect(written.at(-1)).toBeLessThan(MANY);
    expect(observeWorkspace(at.workspace)).toEqual(before);
    expect(rollbacksOf(at)).toMatchObject([{ outcome: 'taken-back' }]);

    const { rollback } = await rollBackThere(workspace, target, () => {});
    expect(rollbacksOf(at)).toMatchObject([{ id: rollback?.id, outcome: 'complete' }, { outcome: 'taken-back' }]);
    expect(readFileSync(join(at.workspace, 'd1/f1.txt'), 'utf8')).toBe('before 1\n');
    at.retake.json(at.workspace, 'undo', '--yes');
    expect(observeWorkspace(at.workspace)).toEqual(before);
  });

  test('before anything is written: nothing is recorded', async () => {
    const { at, workspace, target } = await changed();
    const before = observeWorkspace(at.workspace);
    const ended = rollBackThere(workspace, target, (progress, end) => 'files' in progress && end());
    await expect(ended).rejects.toMatchObject({ code: 'interrupted', details: undefined });
    expect(observeWorkspace(at.workspace)).toEqual(before);
    expect(rollbacksOf(at)).toEqual([]);
  });

  test('too late: it is done', async () => {
    const { at, workspace, target } = await changed(100);
    const { rollback } = await rollBackThere(workspace, target, (progress, end) => {
      if ('done' in progress && progress.done === progress.total) end();
    });
    expect(rollbacksOf(at)).toMatchObject([{ id: rollback?.id, outcome: 'complete' }]);
    expect(readFileSync(join(at.workspace, 'd1/f1.txt'), 'utf8')).toBe('before 1\n');
  });

  test('one that merely hangs up changes nothing: it is done', async () => {
    const { at, workspace, target } = await changed(100);
    const call = { name: 'rollback', directory: at.workspace, args: { request: resolveRewind(workspace, target), options: {} } };
    const socket = connect(daemonFile(at, 'socket'));
    socket.on('error', () => {});
    socket.write(`${JSON.stringify({ token: readAddress(at).token, request: { verb: 'call', call } })}\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await until(() => rollbacksOf(at).length > 0);
    expect(rollbacksOf(at)).toMatchObject([{ outcome: 'complete' }]);
  });
});

test('[SEC] other lines behind a request mean nothing', async () => {
  const at = daemonScene();
  const { pid } = await startDaemon(at);
  const request = `${JSON.stringify({ token: readAddress(at).token, request: { verb: 'status' } })}\n`;
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(daemonFile(at, 'socket'));
    socket.on('error', () => {});
    socket.once('data', (chunk) => {
      resolve(String(chunk));
      socket.destroy();
    });
    socket.write(`${request}garbage\n{"cancel":"yes"}\n[null]\nnull\n${request}`);
  });
  expect(JSON.parse(answer).result.pid).toBe(pid);
  expect((await status(at)).pid).toBe(pid);
});
