import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { previewRollback, resolveRewind, resolveUndo, rollBack, Workspace } from '../../src/engine/index.ts';
import { serve } from '../api/served.ts';
import { runs } from '../support/property.ts';
import { put, type Scene, scene, steps } from '../support/scene.ts';

const LIVE = 'keeps changing; left as it is';
const PATIENTLY = { timeout: 60_000, interval: 1 };
const FILES = ['a', 'dir/b', 'z'];

const content = (at: Scene, path: string): string => readFileSync(join(at.workspace, path), 'utf8');
const contents = (at: Scene): string[] => FILES.map((path) => content(at, path));

/** A process that does something again and again in the workspace; returns when it has begun. */
const keepDoing = async (at: Scene, work: string): Promise<ReturnType<typeof spawn>> => {
  const source = `const fs = require('node:fs'); process.chdir(process.argv[1]); process.stdout.write('up');
    const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    for (let n = 0; ; n++) { ${work} }`;
  const writer = spawn(process.execPath, ['-e', source, at.workspace], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void writer.kill('SIGKILL'));
  await once(writer.stdout, 'data');
  return writer;
};

/** Three files that changed since the checkpoint, and a log that has grown. */
const grownScene = (log = 'm.log'): Scene & { id: string; log: string } => {
  const at = scene();
  for (const path of FILES) put(at.workspace, path, 'then');
  put(at.workspace, log, 'begun\n');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  for (const path of FILES) put(at.workspace, path, 'now');
  appendFileSync(join(at.workspace, log), 'grown\n');
  return { ...at, id, log };
};

const open = async (at: Scene): Promise<Workspace> => {
  for (const [name, value] of Object.entries(at.retake.env)) vi.stubEnv(name, value);
  const workspace = await Workspace.open({ directory: at.workspace });
  onTestFinished(() => {
    workspace.close();
    vi.unstubAllEnvs();
  });
  return workspace;
};

/** Appends to a file whenever this process waits for something. */
const keepAppending = (at: Scene, path: string): { lines: string[]; stop(): void } => {
  const lines: string[] = [];
  const append = (): void => {
    const line = `line ${lines.length}\n`;
    appendFileSync(join(at.workspace, path), line);
    lines.push(line);
  };
  append();
  const timer = setInterval(append, 1);
  const stop = (): void => clearInterval(timer);
  onTestFinished(stop);
  return { lines, stop };
};

describe('[RST-1] a file that keeps changing stops no rewind of others', () => {
  test('it is set aside in the plan and named, nothing of it is lost, and undo leaves it too', async () => {
    const at = grownScene();
    const writer = await keepDoing(at, "fs.appendFileSync('m.log', n + '\\n'); wait(5);");

    // A plan that is made between two of its lines can not tell.
    const plan = await vi.waitFor(() => {
      const made = at.retake.json(at.workspace, 'rewind', at.id, '--dry-run');
      expect(made.setAside).not.toEqual([]);
      return made;
    }, PATIENTLY);
    expect([steps(plan), plan.kept, plan.setAside]).toEqual([
      FILES.map((path) => `restore ${path}`),
      [{ path: 'm.log', reason: LIVE }],
      [{ path: 'm.log' }],
    ]);
    const done = at.retake.run(at.workspace, 'rewind', at.id, '--yes', '--expect', plan.expectedTree);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining(`m.log (${LIVE})`) });
    expect(contents(at)).toEqual(['then', 'then', 'then']);
    const undone = at.retake.json(at.workspace, 'undo', '--yes');
    expect(steps(undone)).toEqual(FILES.map((path) => `restore ${path}`));
    expect(contents(at)).toEqual(['now', 'now', 'now']);

    const ended = once(writer, 'exit');
    writer.kill('SIGKILL');
    await ended;
    const lines = content(at, 'm.log').trim().split('\n');
    expect(lines).toEqual(['begun', 'grown', ...lines.slice(2).map((_, at) => String(at))]);
  });

  test('one that is deleted and made again all the time is in nobody’s way', async () => {
    const at = grownScene();
    const workspace = await open(at);
    await keepDoing(at, "fs.rmSync('m.log', { force: true }); fs.writeFileSync('m.log', 'again');");
    for (let tries = 0; tries < runs(30, 60); tries++) {
      const { inTheWay } = await previewRollback(workspace, resolveRewind(workspace, at.id));
      expect(inTheWay, `after ${tries} others`).toEqual([]);
    }
    const { plan } = await rollBack(workspace, resolveRewind(workspace, at.id));
    expect([plan.inTheWay, contents(at)]).toEqual([[], ['then', 'then', 'then']]);
  });

  test('new ones are made all the time in a directory that is to go: that stays, with them', async () => {
    const at = grownScene();
    put(at.workspace, 'out/begun', 'output');
    const workspace = await open(at);
    let made = 0;
    const make = (): void => void put(at.workspace, `out/${made++}`, 'output');
    const onApply = (done: number): void => {
      if (done !== 1) return;
      make();
      const timer = setInterval(make, 1);
      onTestFinished(() => clearInterval(timer));
    };
    const { plan, rollback } = await rollBack(workspace, resolveRewind(workspace, at.id), { onApply });
    expect([rollback?.outcome, contents(at)]).toEqual(['complete', ['then', 'then', 'then']]);
    expect(plan.kept).toEqual([{ path: 'out', reason: LIVE }]);
    expect(['out/begun', 'out/0'].map((path) => existsSync(join(at.workspace, path)))).toEqual([false, true]);
  });

  test('files come and go all the time, each with a name of its own: the plan has an end', async () => {
    const at = grownScene();
    await keepDoing(at, "fs.writeFileSync('out-' + n, 'output'); fs.rmSync('out-' + (n - 9), { force: true }); wait(1);");
    const workspace = await open(at);
    for (let tries = 0; tries < 2; tries++) await previewRollback(workspace, resolveRewind(workspace, at.id));
    const { plan, rollback } = await rollBack(workspace, resolveRewind(workspace, at.id));
    expect([rollback?.outcome, plan.inTheWay, contents(at)]).toEqual(['complete', [], ['then', 'then', 'then']]);
  });

  test('in a directory that the target did not have: that stays with it', async () => {
    const at = scene();
    for (const path of FILES) put(at.workspace, path, 'then');
    const { id } = at.retake.json(at.workspace, 'checkpoint');
    put(at.workspace, 'logs/m.log', 'begun\n');
    put(at.workspace, 'logs/other', 'new');
    put(at.workspace, 'a', 'now');
    const workspace = await open(at);
    const request = resolveRewind(workspace, id);
    const shown = await previewRollback(workspace, request);
    expect(shown.steps.map(({ path }) => path)).toEqual(['a', 'logs', 'logs/m.log', 'logs/other']);
    keepAppending(at, 'logs/m.log');
    const { plan } = await rollBack(workspace, request, { shown });
    expect(plan.steps.map(({ type, path }) => `${type} ${path}`)).toEqual(['restore a', 'delete logs/other']);
    expect(plan.kept.map(({ path }) => path).sort()).toEqual(['logs', 'logs/m.log']);
    expect([contents(at), existsSync(join(at.workspace, 'logs/other'))]).toEqual([['then', 'then', 'then'], false]);
  });

  test('it begins after the plan was shown: set aside then, and the rest is done', async () => {
    const at = grownScene();
    const workspace = await open(at);
    const request = resolveRewind(workspace, at.id);
    const shown = await previewRollback(workspace, request);
    expect([shown.steps.length, shown.setAside]).toEqual([4, []]);
    keepAppending(at, at.log);
    const { plan, rollback } = await rollBack(workspace, request, { shown });
    expect([plan.setAside, rollback?.changed, contents(at)]).toEqual([[at.log], 3, ['then', 'then', 'then']]);
  });

  test('it ends after the plan was shown: what the plan leaves is left all the same', async () => {
    const at = grownScene();
    const { ask } = serve(at);
    const writing = keepAppending(at, at.log);
    const plan = await vi.waitFor(async () => {
      const made = await ask('previewCheckpoint', { params: { checkpoint: at.id } });
      expect(made.setAside).toEqual([{ path: at.log }]);
      return made;
    }, PATIENTLY);
    writing.stop();
    const before = content(at, at.log);
    const { expectedTree } = plan;
    const done = await ask('rollBack', { params: { session: 'local', checkpoint: at.id }, body: { scope: 'code', expectedTree } });
    expect([done.setAside, done.kept]).toEqual([[{ path: at.log }], [{ path: at.log, reason: LIVE }]]);
    expect([contents(at), content(at, at.log)]).toEqual([['then', 'then', 'then'], before]);
  });

  test('over HTTP, while it changes from the preview to the end', async () => {
    const at = grownScene();
    const { ask } = serve(at);
    const { expectedTree } = await ask('previewCheckpoint', { params: { checkpoint: at.id } });
    const { lines, stop } = keepAppending(at, at.log);
    const done = await ask('rollBack', { params: { session: 'local', checkpoint: at.id }, body: { scope: 'code', expectedTree } });
    stop();
    expect([steps(done), done.setAside]).toEqual([FILES.map((path) => `restore ${path}`), [{ path: at.log }]]);
    expect(content(at, at.log)).toBe(`begun\ngrown\n${lines.join('')}`);
  });

  test('it begins while the files are written: passed over, recorded so, and undo does not touch it', async () => {
    const at = grownScene();
    const workspace = await open(at);
    let writing: ReturnType<typeof keepAppending> | undefined;
    const onApply = (done: number): void => {
      if (done === 1) writing = keepAppending(at, at.log);
    };
    const { plan, rollback } = await rollBack(workspace, resolveRewind(workspace, at.id), { onApply });
    expect([plan.setAside, contents(at)]).toEqual([[at.log], ['then', 'then', 'then']]);
    expect(rollback).toMatchObject({ outcome: 'complete', changed: 3, leftAlone: [{ path: at.log, reason: LIVE }] });
    const undone = await rollBack(workspace, resolveUndo(workspace));
    writing?.stop();
    expect(undone.plan.steps.map(({ path }) => path)).toEqual(FILES);
    expect([contents(at), content(at, at.log)]).toEqual([['now', 'now', 'now'], `begun\ngrown\n${writing?.lines.join('')}`]);
  });

  test('it begins while files are deleted: it stays, with the directory around it', async () => {
    const at = scene();
    put(at.workspace, 'a', 'then');
    const { id } = at.retake.json(at.workspace, 'checkpoint');
    for (const path of ['logs/m.log', 'logs/z', 'a']) put(at.workspace, path, 'now');
    const workspace = await open(at);
    const onApply = (done: number): void => void (done === 1 && keepAppending(at, 'logs/m.log'));
    const { plan, rollback } = await rollBack(workspace, resolveRewind(workspace, id), { onApply });
    expect([rollback?.outcome, plan.steps.map(({ path }) => path)]).toEqual(['complete', ['a', 'logs/z']]);
    expect(plan.kept.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([`logs/m.log: ${LIVE}`, 'logs: holds what keeps changing']);
    expect([content(at, 'a'), existsSync(join(at.workspace, 'logs/z'))]).toEqual(['then', false]);
  });

  test('it goes on after it was brought back: that is recorded, and it is no failure', async () => {
    const at = grownScene('0.log');
    const workspace = await open(at);
    const onApply = (done: number): void => void (done === 1 && keepAppending(at, '0.log'));
    const { rollback } = await rollBack(workspace, resolveRewind(workspace, at.id), { onApply });
    expect(rollback).toMatchObject({
      outcome: 'complete',
      changed: 4,
      leftAlone: [{ path: '0.log', reason: 'was brought back, and keeps changing' }],
    });
    expect([contents(at), content(at, '0.log').split('\n')[1]]).toEqual([['then', 'then', 'then'], 'line 0']);
  });
});

describe('[RST-1] a single change is no file that keeps changing', () => {
  test('of what the plan touches, since it was shown: refused, and the path is named', async () => {
    const at = grownScene();
    const workspace = await open(at);
    const request = resolveRewind(workspace, at.id);
    const shown = await previewRollback(workspace, request);
    put(at.workspace, 'a', 'edited');
    await expect(rollBack(workspace, request, { shown })).rejects.toMatchObject({
      code: 'workspace-moved',
      details: { changed: [{ path: 'a' }] },
    });
    expect(contents(at)).toEqual(['edited', 'now', 'now']);
  });

  test('of what the plan touches, while it is carried out: everything is taken back', async () => {
    const at = grownScene();
    const workspace = await open(at);
    const onApply = (done: number): void => void (done === 1 && put(at.workspace, 'z', 'edited'));
    await expect(rollBack(workspace, resolveRewind(workspace, at.id), { onApply })).rejects.toMatchObject({ code: 'rollback-failed' });
    expect(contents(at)).toEqual(['now', 'now', 'edited']);
  });

  test('of what the plan does not touch: it is carried out as it was shown', async () => {
    const at = grownScene();
    const workspace = await open(at);
    const request = resolveRewind(workspace, at.id, { only: ['a' as never] });
    const shown = await previewRollback(workspace, request);
    put(at.workspace, 'z', 'edited');
    const { plan } = await rollBack(workspace, request, { shown });
    expect([plan.steps.length, plan.setAside, contents(at)]).toEqual([1, [], ['then', 'now', 'edited']]);
  });

  test('of what an undo does not touch, over HTTP: it is carried out as it was shown', async () => {
    const at = grownScene();
    const { rollbackId } = at.retake.json(at.workspace, 'rewind', at.id, '--path', 'a', '--yes');
    const { ask } = serve(at);
    const params = { rollback: rollbackId };
    const { expectedTree } = await ask('undoRollback', { params, body: { dryRun: true } });
    put(at.workspace, 'z', 'edited');
    expect(steps((await ask('undoRollback', { params, body: { expectedTree } })) as never)).toEqual(['restore a']);
    expect(contents(at)).toEqual(['now', 'now', 'edited']);
  });

  test('of anything, where the state itself is expected: refused', async () => {
    const at = grownScene();
    const workspace = await open(at);
    const request = resolveRewind(workspace, at.id, { only: ['a' as never] });
    const { expectedTree } = await previewRollback(workspace, request);
    put(at.workspace, 'z', 'edited');
    await expect(rollBack(workspace, request, { expectedTree })).rejects.toMatchObject({ code: 'workspace-moved' });
  });

  test('of ignore rules since the plan was shown: refused', async () => {
    const at = grownScene();
    const workspace = await open(at);
    const request = resolveRewind(workspace, at.id, { only: ['a' as never] });
    const shown = await previewRollback(workspace, request);
    put(at.workspace, 'dir/.gitignore', 'b\n');
    await expect(rollBack(workspace, request, { shown })).rejects.toMatchObject({ code: 'workspace-moved' });
  });
});
