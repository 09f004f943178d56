import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Health } from '../../src/engine/index.ts';
import { noteSlow, readSlow } from '../../src/engine/timing/slow-log.ts';
import { type SlowOperation, Stopwatch } from '../../src/engine/timing/stopwatch.ts';
import { addTallies, readTallies, type Tally } from '../../src/engine/timing/timing-file.ts';
import { PlayedSession } from '../conversation/played-session.ts';
import { daemonScene, until } from '../daemon/support.ts';
import { BIN } from '../support/cli.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { dataOf, put, type Scene, scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const health = ({ workspace, retake }: Scene): Health => retake.json(workspace, 'health');

const timesOf = (at: Scene): Record<string, number> =>
  Object.fromEntries(health(at).timings.operations.map(({ kind, count }) => [kind, count]));

/** Another process holds the lock until it is told to let go. */
const holdLock = async (at: Scene): Promise<() => void> => {
  const program = join(import.meta.dirname, 'lock-holder.ts');
  const holder = spawn(process.execPath, [program, join(dataOf(at), 'lock')], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void holder.kill('SIGKILL'));
  await new Promise((resolve) => holder.stdout.once('data', resolve));
  return () => void holder.stdin.write('enough');
};

describe('[PRF-9] counts and times per kind of operation', () => {
  test('add up over processes that run at once, and leave the workspace alone', async () => {
    const at = scene();
    put(at.workspace, 'file', 'one');
    const before = observeWorkspace(at.workspace);
    at.retake.json(at.workspace, 'checkpoint');
    await Promise.all(Array.from({ length: 6 }, (_, name) => at.retake.start(at.workspace, 'checkpoint', '--name', `c${name}`)));
    at.retake.json(at.workspace, 'log');
    at.retake.json(at.workspace, 'diff', 'c1');
    at.retake.json(at.workspace, 'gc');
    expect(timesOf(at)).toEqual({ checkpoint: 7, log: 1, diff: 1, gc: 1 });
    const { timings, store } = health(at);
    for (const { mean, slowest, count, slow } of timings.operations) {
      expect(mean).toBeGreaterThan(0);
      expect(slowest).toBeGreaterThanOrEqual(mean);
      expect(slow).toBeLessThanOrEqual(count);
    }
    expect(Math.sign(Date.parse(store?.lastGc ?? ''))).toBe(1);
    expect(observeWorkspace(at.workspace)).toEqual(before);
  });

  test('add up over the background process and commands', async () => {
    const at = daemonScene({ RETAKE_HOOK_DEADLINE_MS: '40000' });
    put(at.workspace, 'file', 'one');
    const session = new PlayedSession(at);
    await session.start();
    await session.prompt('go');
    await session.step('Bash', { command: 'x' }, () => put(at.workspace, 'file', 'two'));
    await session.answer('done');
    at.retake.json(at.workspace, 'checkpoint', '--name', 'mine');
    at.retake.json(at.workspace, 'rewind', 't1', '--yes');
    at.retake.json(at.workspace, 'undo', '--yes');
    // The background process writes them down when it has time.
    await until(() => timesOf(at).undo === 1);
    expect(timesOf(at)).toMatchObject({ event: 5, checkpoint: 1, rollback: 1, undo: 1 });
  });

  test('what is refused does not count, and what belongs to something else counts as that', async () => {
    const at = scene();
    put(at.workspace, 'file', 'one');
    const session = new PlayedSession(at);
    await session.start();
    await session.prompt('go');
    expect(at.retake.run(at.workspace, 'diff', 'nothing').code).toBe(1);
    at.retake.json(at.workspace, 'report', session.id);
    expect(timesOf(at)).toEqual({ event: 2, report: 1 });
  });

  test('looking where nothing is recorded leaves no trace', () => {
    const at = scene();
    put(at.workspace, 'file', 'one');
    at.retake.json(at.workspace, 'log');
    at.retake.json(at.workspace, 'sessions');
    expect(health(at)).toEqual({ git: null, store: null, timings: { since: null, operations: [] }, slow: [] });
    expect(existsSync(at.retake.home)).toBe(false);
  });

  test('days long past are forgotten', () => {
    const file = join(temporaryDirectory(), 'timings.db');
    const tally = (last: string): Tally => ({ count: 1, total: 2, slowest: 2, slow: 0, last });
    addTallies(file, new Map([['log', tally('2020-01-01T00:00:00.000Z')]]));
    addTallies(file, new Map([['log', tally('2020-01-20T00:00:00.000Z')]]));
    expect(readTallies(file)).toMatchObject({ since: '2020-01-01' });
    expect(readTallies(file).tallies.get('log')?.count).toBe(2);
    addTallies(file, new Map([['log', tally('2020-02-10T00:00:00.000Z')]]));
    expect(readTallies(file)).toMatchObject({ since: '2020-01-20' });
  });
});

test.each([
  ['garbage', (path: string) => writeFileSync(path, 'garbage '.repeat(1000))],
  ['a directory', (path: string) => mkdirSync(path)],
  ['a torn file', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 5000))],
])('[REL-6] timings that are %s are no failure', (_, damage) => {
  const at = scene();
  put(at.workspace, 'file', 'one');
  at.retake.json(at.workspace, 'checkpoint');
  const [timings, slow] = ['timings.db', 'slow.jsonl'].map((name) => join(dataOf(at), name)) as [string, string];
  expect(existsSync(timings)).toBe(true);
  if (damage.toString().includes('mkdir')) rmSync(timings);
  damage(timings);
  writeFileSync(slow, 'garbage\n{"at":1}\n\n');
  expect(health(at).slow).toEqual([]);
  const run = at.retake.run(at.workspace, 'checkpoint', '--name', 'again', '--json');
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(timesOf(at)).toEqual({ checkpoint: 1 });
});

describe('[PRF-9] what took longer than it may is logged with the reason', () => {
  test('it waited for another process', async () => {
    const at = scene();
    put(at.workspace, 'file', 'one');
    at.retake.json(at.workspace, 'checkpoint');
    const release = await holdLock(at);
    const began = performance.now();
    const waiting = spawn(BIN, ['checkpoint', '--name', 'late'], {
      cwd: at.workspace,
      env: at.retake.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => waiting.on('exit', resolve));
    const said = await new Promise<string>((resolve) => waiting.stderr.once('data', (chunk) => resolve(String(chunk))));
    expect(said).toContain('Waiting for another Retake process');
    // It waits for most of the time that it takes, on whatever machine: the rest is done faster than the program starts.
    await sleep(2000 + 3 * (performance.now() - began));
    release();
    expect(await ended).toBe(0);
    const [newest] = health(at).slow;
    expect(newest).toMatchObject({ kind: 'checkpoint', limit: 100, reasons: ['waited'] });
    expect(Object.keys(newest?.phases ?? {})[0]).toBe('waiting');
    const { stdout } = at.retake.run(at.workspace, 'health');
    expect(stdout).toMatch(/checkpoint .*waited for others at work here \(waiting/);
  });

  test('it stood in line behind what the background process was doing', async () => {
    const at = daemonScene({ RETAKE_HOOK_DEADLINE_MS: '60000' });
    put(at.workspace, 'file', 'one');
    const [one, two] = [new PlayedSession(at), new PlayedSession(at)];
    await one.start();
    const began = performance.now();
    await two.start();
    const telling = performance.now() - began;
    const release = await holdLock(at);
    const told = Promise.all([one.prompt('first'), two.prompt('second')]);
    // Time for both to be there, on whatever machine, and to wait for most of the time that they take.
    await sleep(2000 + 5 * telling);
    release();
    await told;
    at.retake.json(at.workspace, 'daemon', 'stop');
    const waited = health(at).slow.filter(({ kind, reasons }) => kind === 'event' && reasons[0] === 'waited');
    expect(waited).toHaveLength(2);
  });

  test('everything was recorded for the first time', () => {
    const at = scene();
    for (let file = 0; file < 4000; file++) put(at.workspace, `dir${file % 100}/file${file}`, `content ${file}`);
    at.retake.json(at.workspace, 'checkpoint');
    const [newest] = health(at).slow;
    expect(newest).toMatchObject({ kind: 'checkpoint', amounts: { files: 4000 } });
    expect(newest?.reasons).toContain('first-record');
  });

  test.each(['no-daemon', 'not-watched', 'journal-lost'] as const)('every file was looked at: %s', (reason) => {
    const watch = new Stopwatch('event', 100);
    watch.lap('preparing');
    watch.scanned(reason);
    for (const end = performance.now() + 150; performance.now() < end; );
    watch.lap('looking');
    watch.lap('git');
    watch.amounts(() => ({ files: 7 }));
    const { slow } = watch.stop('2020-01-01T00:00:00.000Z');
    expect(slow).toMatchObject({ kind: 'event', limit: 100, reasons: [reason], amounts: { files: 7, gits: 0 } });
  });

  test('what counts as slow is set, per kind, also for one workspace', () => {
    const at = scene();
    put(at.workspace, 'file', 'one');
    at.retake.json(at.workspace, 'settings', 'health.slowRecordMs', '1');
    at.retake.json(at.workspace, 'settings', 'health.slowListMs', '3600000', '--workspace');
    at.retake.json(at.workspace, 'checkpoint');
    at.retake.json(at.workspace, 'log');
    const { timings, slow } = health(at);
    expect(timings.operations).toMatchObject([
      { kind: 'checkpoint', limit: 1, slow: 1 },
      { kind: 'log', limit: 3_600_000, slow: 0 },
    ]);
    expect(slow).toMatchObject([{ kind: 'checkpoint', limit: 1 }]);
  });

  test('and what did not is not', () => {
    const watch = new Stopwatch('gc', null);
    for (const end = performance.now() + 150; performance.now() < end; );
    expect(watch.stop('2020-01-01T00:00:00.000Z').slow).toBeNull();
    expect(new Stopwatch('event', 60_000).stop('2020-01-01T00:00:00.000Z').slow).toBeNull();
  });

  test('the log is bounded, and the newest are told first', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'slow.jsonl');
    const slow = (number: number): SlowOperation => ({
      at: new Date(number * 1000).toISOString(),
      kind: 'log',
      ms: number,
      limit: 200,
      phases: { looking: number },
      reasons: ['no-daemon'],
      amounts: {},
    });
    for (let number = 1; number <= 5000; number++) noteSlow(path, slow(number));
    expect(readdirSync(directory).sort()).toEqual(['slow.jsonl', 'slow.jsonl.1']);
    for (const name of readdirSync(directory)) expect(readFileSync(join(directory, name)).length).toBeLessThan(201_000);
    expect(readSlow(path, 3).map(({ ms }) => ms)).toEqual([5000, 4999, 4998]);
    expect(readSlow(path, 1500)).toHaveLength(1500);
  });
});
