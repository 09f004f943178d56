import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { BIN, type Run } from '../support/cli.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { fsck, operationIds } from '../support/private-store.ts';
import { dataOf, put, repositoryScene, type Scene, scene, storeOf } from '../support/scene.ts';

const FILES = 12_000;

/** A command that can be stopped, and heard while it is at work. */
const begin = (at: Scene, ...args: string[]) => {
  const child = spawn(BIN, [...args, '--json'], { cwd: at.workspace, env: at.retake.env });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += chunk));
  child.stderr.on('data', (chunk) => (said.stderr += chunk));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, said, ended: new Promise<number | null>((resolve) => child.on('close', resolve)) };
};

/** A workspace whose rewind takes long enough to meet it half-way. */
const longRollback = (): Scene & { id: string; then: Map<string, string>; now: Map<string, string> } => {
  const at = scene();
  for (let i = 0; i < FILES; i++) put(at.workspace, `d${i % 40}/${i}`, `then ${i}`);
  const then = observeWorkspace(at.workspace);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  for (let i = 0; i < FILES; i++) put(at.workspace, `d${i % 40}/${i}`, `now ${i}`);
  at.retake.json(at.workspace, 'checkpoint');
  return { ...at, id, then, now: observeWorkspace(at.workspace) };
};

const underWay = async (at: Scene): Promise<void> => {
  const journal = join(dataOf(at), 'journal.json');
  while (!existsSync(journal)) await sleep(1);
};

const sequences = (at: Scene): number[] =>
  operationIds(storeOf(at)).map((id) => at.retake.json(at.workspace, 'show', id).sequence as number);

test('[REL-4] [STO-6] eight processes at once while files change: all succeed, numbers unique and gapless', async () => {
  const at = repositoryScene();
  put(at.workspace, 'file', '0');
  const runs: Run[] = [];
  const worker = async (number: number): Promise<void> => {
    for (let round = 0; round < 3; round++) {
      put(at.workspace, `worker-${number}`, `${round}`);
      runs.push(await at.retake.start(at.workspace, 'checkpoint', '--session', `s${number}`, '--json'));
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, number) => worker(number)));
  expect(runs.filter(({ code }) => code !== 0).map(({ stdout }) => stdout)).toEqual([]);
  const recorded = new Set(runs.map(({ json }) => json.id));
  const log = at.retake.json(at.workspace, 'log').operations;
  expect(new Set(log.map(({ id }: { id: string }) => id))).toEqual(recorded);
  expect(sequences(at).sort((a, b) => a - b)).toEqual(Array.from(recorded, (_, index) => index + 1));
  expect(at.retake.json(at.workspace, 'diff', '@-1').files).toEqual([]);
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
});

test('[REL-4] checkpoints, rewinds, undos, notes and gc at once leave a sound store and log', async () => {
  const at = scene();
  for (let i = 0; i < 20; i++) put(at.workspace, `f${i}`, 'then');
  const { id } = at.retake.json(at.workspace, 'checkpoint', '--name', 'start');
  for (let i = 0; i < 20; i++) put(at.workspace, `f${i}`, 'now');
  const runs = await Promise.all([
    at.retake.start(at.workspace, 'checkpoint', '--json'),
    at.retake.start(at.workspace, 'rewind', id, '--yes', '--json'),
    at.retake.start(at.workspace, 'gc', '--json'),
    at.retake.start(at.workspace, 'note', 'start', 'hello', '--json'),
    at.retake.start(at.workspace, 'diff', id, '--json'),
    at.retake.start(at.workspace, 'log', '--json'),
    at.retake.start(at.workspace, 'check', '--full', '--json'),
    at.retake.start(at.workspace, 'rewind', id, '--yes', '--json'),
  ]);
  expect(runs.map(({ code, stdout, stderr }) => (code === 0 ? '' : stdout + stderr)).filter(Boolean)).toEqual([]);
  for (let i = 0; i < 20; i++) expect(readFileSync(join(at.workspace, `f${i}`), 'utf8')).toBe('then');
  expect(at.retake.json(at.workspace, 'show', 'start').note).toBe('hello');
  const numbers = sequences(at).sort((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  expect(at.retake.run(at.workspace, 'check', '--full').code).toBe(0);
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
});

test('[REL-4] a checkpoint started during a long rollback waits and then records the outcome', async () => {
  const at = longRollback();
  const rewind = begin(at, 'rewind', at.id, '--yes');
  await underWay(at);
  // It stands still until the other one waits: how fast each of them is does not matter.
  rewind.child.kill('SIGSTOP');
  const checkpoint = begin(at, 'checkpoint', '--name', 'meanwhile');
  await expect.poll(() => checkpoint.said.stderr).toContain('Waiting');
  rewind.child.kill('SIGCONT');
  expect(await Promise.all([rewind.ended, checkpoint.ended])).toEqual([0, 0]);
  const [done, waited] = [rewind, checkpoint].map(({ said }) => JSON.parse(said.stdout));
  const order = at.retake.json(at.workspace, 'log').operations.map(({ id }: { id: string }) => id);
  expect(order.slice(0, 2)).toEqual([waited.id, done.rollbackId]);
  expect(at.retake.json(at.workspace, 'diff', at.id, 'meanwhile').files).toEqual([]);
  expect(observeWorkspace(at.workspace)).toEqual(at.then);
});

test('[REL-2] [RST-4] kill -9 of the process that holds the lock: the next one proceeds at once and settles the rollback', async () => {
  const at = longRollback();
  const child = spawn(BIN, ['rewind', at.id, '--yes'], { cwd: at.workspace, env: at.retake.env, stdio: 'ignore' });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on('exit', (_, signal) => resolve(signal)));
  await underWay(at);
  await sleep(20);
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  const next = at.retake.run(at.workspace, 'checkpoint', '--name', 'after', '--json');
  expect(next.code).toBe(0);
  expect(next.stderr).not.toContain('Waiting');
  expect(next.stderr).toMatch(/cut short was (finished|taken back)/);
  const state = observeWorkspace(at.workspace);
  expect(JSON.stringify([...state])).toBe(JSON.stringify([...(next.stderr.includes('finished') ? at.then : at.now)]));
  expect(existsSync(join(dataOf(at), 'journal.json'))).toBe(false);
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
});

test('[REL-2] kill -9 in the middle of checkpoints loses nothing that was reported', async () => {
  const at = scene();
  for (let i = 0; i < 2000; i++) put(at.workspace, `d${i % 20}/${i}`, `${i}`);
  const reported: string[] = [at.retake.json(at.workspace, 'checkpoint').id];
  for (let round = 0; round < 6; round++) {
    for (let i = 0; i < 2000; i++) put(at.workspace, `d${i % 20}/${i}`, `${i} ${round}`);
    const child = spawn(BIN, ['checkpoint'], { cwd: at.workspace, env: at.retake.env, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    await sleep(100 + round * 40);
    child.kill('SIGKILL');
    await ended;
    const next = at.retake.run(at.workspace, 'checkpoint', '--json');
    expect(next.code, next.stdout).toBe(0);
    expect(next.stderr).not.toContain('Waiting');
    reported.push(next.json.id);
  }
  const known = at.retake.json(at.workspace, 'log').operations.map(({ id }: { id: string }) => id);
  for (const id of reported) expect(known).toContain(id);
  expect(at.retake.run(at.workspace, 'check', '--full').code).toBe(0);
  expect(fsck(storeOf(at)).code).toBe(0);
});

test('[REL-4] [REL-5] many make the index that is lost anew at the same time: each waits for the others', async () => {
  const at = repositoryScene();
  put(at.workspace, 'file', '1');
  at.retake.json(at.workspace, 'checkpoint');
  for (let round = 0; round < 6; round++) {
    for (const file of ['index.db', 'index.db-wal', 'index.db-shm']) rmSync(join(dataOf(at), file), { force: true });
    const all = Array.from({ length: 8 }, () => begin(at, 'log'));
    const codes = await Promise.all(all.map(({ ended }) => ended));
    expect(codes, all.map(({ said }) => said.stdout + said.stderr).join('\n')).toEqual(codes.map(() => 0));
  }
});
