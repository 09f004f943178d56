import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCheckpoint, Workspace } from '../../src/engine/index.ts';
import { stateName } from '../../src/model/index.ts';
import { fsck, storedBytes, storedEntries } from '../support/private-store.ts';
import { commitAll, put, repositoryScene, type Scene, scene, storeOf } from '../support/scene.ts';

/** Another process that keeps doing something to the workspace until the test is over. */
const keepDoing = async (at: Scene, script: string): Promise<ChildProcess> => {
  const source = `const fs = require('node:fs'); process.chdir(process.argv[1]); process.stdout.write('up'); let n = 0; for (;;) { n++; ${script} }`;
  const child = spawn(process.execPath, ['-e', source, at.workspace], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
};

const ended = async (child: ChildProcess): Promise<void> => {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
};

type Captured = Awaited<ReturnType<typeof createCheckpoint>> & { readonly began: number; readonly ended: number };

/** Captures again and again in this process, while the other one runs; at most 50 manual checkpoints go into a session. */
const captureOften = async (at: Scene, times: number): Promise<Captured[]> => {
  process.env.RETAKE_HOME = at.retake.home;
  onTestFinished(() => void delete process.env.RETAKE_HOME);
  const workspace = await Workspace.open({ directory: at.workspace });
  try {
    const results: Captured[] = [];
    for (let i = 0; i < times; i++) {
      const began = Date.now();
      const result = await createCheckpoint(workspace, { session: `s${Math.floor(i / 40)}` as never });
      results.push({ ...result, began, ended: Date.now() });
    }
    return results;
  } finally {
    workspace.close();
  }
};

test('[CAP-5] files and directories that come and go never fail a checkpoint', async () => {
  const at = repositoryScene();
  for (let i = 0; i < 50; i++) put(at.workspace, `steady/${i}`, `${i}`);
  const child = await keepDoing(
    at,
    `try {
       fs.mkdirSync('dir/sub', { recursive: true }); fs.writeFileSync('dir/sub/f', 'f'); fs.writeFileSync('flash', 'f');
       fs.renameSync('dir', 'moved'); fs.rmSync('moved', { recursive: true }); fs.rmSync('flash');
       fs.mkdirSync('flash'); fs.rmdirSync('flash'); fs.symlinkSync('x', 'flash'); fs.rmSync('flash');
     } catch (error) { process.stderr.write(String(error)); process.exit(1); }`,
  );
  const results = await captureOften(at, 40);
  expect(child.exitCode).toBe(null);
  for (const { checkpoint, omissions } of results) expect(checkpoint.status).toBe(omissions.length === 0 ? 'complete' : 'partial');
  const steady = (id: string): number => [...storedEntries(storeOf(at), id).keys()].filter((path) => path.startsWith('steady/')).length;
  for (const { checkpoint } of results.slice(-5)) expect(steady(checkpoint.id)).toBe(50);
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
});

/** The shortest time for which a write may stand still and its file still counts as being written; a busy machine is given more. */
const STALL = 50;

test('[CAP-6] a file that is rewritten in place all the time is captured whole, or listed', async () => {
  const at = scene();
  const size = 8_000_000;
  const log = join(at.retake.home, '../slow-writes');
  put(at.workspace, 'busy', Buffer.alloc(size, 'a'));
  put(at.workspace, 'calm', 'calm');
  const child = await keepDoing(
    at,
    `globalThis.fd ??= fs.openSync('busy', 'r+'); globalThis.all ??= ['a', 'b', 'c'].map((c) => Buffer.alloc(${size}, c));
     const began = Date.now(); fs.writeSync(fd, all[n % 3], 0, ${size}, 0); const ended = Date.now();
     if (ended - began >= ${STALL}) fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify([began, ended]) + '\\n');
     if (n % 4 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);`,
  );
  const results = await captureOften(at, 30);
  expect(child.exitCode).toBe(null);
  await ended(child);
  const slowWrites: [number, number][] = existsSync(log)
    ? readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
  for (const { checkpoint, omissions, began, ended } of results) {
    if (!storedEntries(storeOf(at), checkpoint.id).has('busy')) {
      expect(checkpoint.status).toBe('partial');
      expect(omissions).toEqual([{ path: 'busy', reason: 'unstable' }]);
      continue;
    }
    const bytes = storedBytes(storeOf(at), checkpoint.id, 'busy');
    const isWhole = bytes.length === size && bytes.equals(Buffer.alloc(size, bytes[0]));
    // A single write that the system lets stand still for longer can not be told from one that has ended.
    const stoodStill = slowWrites.some(([from, to]) => from <= ended && to >= began);
    expect(isWhole || stoodStill, 'torn, although no write took long').toBe(true);
  }
  // Whatever was seen of it meanwhile: what is there in the end is what is recorded.
  const last = at.retake.json(at.workspace, 'checkpoint');
  expect(last.status).toBe('complete');
  expect(storedBytes(storeOf(at), last.id, 'busy').equals(readFileSync(join(at.workspace, 'busy')))).toBe(true);
});

test('[CAP-6] a file that is replaced by renaming all the time is always captured whole', async () => {
  const at = scene();
  put(at.workspace, 'swapped', 'a'.repeat(1000));
  await keepDoing(
    at,
    `fs.writeFileSync('../next-' + process.pid, 'abcdefgh'[n % 8].repeat(1000 + (n % 8))); fs.renameSync('../next-' + process.pid, 'swapped');`,
  );
  const results = await captureOften(at, 40);
  for (const { checkpoint } of results) {
    if (checkpoint.status === 'partial') continue;
    expect(storedBytes(storeOf(at), checkpoint.id, 'swapped').toString()).toMatch(/^(.)\1{999,1007}$/);
  }
  expect(results.some(({ checkpoint }) => checkpoint.status === 'complete')).toBe(true);
});

test('[CAP-6] an edit of the same size with the times put back is seen, fifty times in a row', async () => {
  const at = repositoryScene();
  const file = put(at.workspace, 'file', 'even');
  const past = new Date('2001-02-03T04:05:06Z');
  utimesSync(file, past, past);
  commitAll(at.workspace);
  process.env.RETAKE_HOME = at.retake.home;
  onTestFinished(() => void delete process.env.RETAKE_HOME);
  const workspace = await Workspace.open({ directory: at.workspace });
  onTestFinished(() => workspace.close());
  const trees: Record<string, string> = {};
  for (let i = 0; i < 50; i++) {
    const content = i % 2 === 0 ? 'even' : 'odd.';
    writeFileSync(file, content);
    utimesSync(file, past, past);
    const { checkpoint, isNew } = await createCheckpoint(workspace, { session: `s${i % 2}` as never });
    expect(isNew, `edit ${i}`).toBe(true);
    const tree = stateName(checkpoint.state as never);
    trees[content] ??= tree;
    expect(tree, `edit ${i}`).toBe(trees[content]);
  }
  expect(trees.even).not.toBe(trees['odd.']);
});

test('[CAP-6] an edit right after git staged the file is seen by the first, seeded checkpoint', () => {
  const at = repositoryScene();
  const past = new Date('2001-02-03T04:05:06Z');
  const file = put(at.workspace, 'file', 'even');
  utimesSync(file, past, past);
  commitAll(at.workspace);
  writeFileSync(file, 'odd.');
  utimesSync(file, past, past);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  expect(storedBytes(storeOf(at), id, 'file').toString()).toBe('odd.');
  expect(existsSync(file)).toBe(true);
});
