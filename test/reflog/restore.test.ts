import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ByteString } from '../../src/model/index.ts';
import { insertMissing } from '../../src/usergit/index.ts';
import { killEverywhere } from '../crash/kill-points.ts';
import { gitIn } from '../support/git.ts';
import fc from '../support/property.ts';
import { dataOf, gitState, put, type Scene, storeOf } from '../support/scene.ts';
import {
  addToLog,
  commitFile,
  DAY,
  dropCommits,
  dropEntries,
  head,
  lineText,
  logFile,
  NOBODY,
  resetScene,
  secondsAgo,
  startSession,
} from './support.ts';

const read = (at: Scene, ref: string): string => readFileSync(logFile(at.workspace, ref), 'latin1');

const restore = ({ workspace, retake }: Scene, ...args: string[]) => retake.json(workspace, 'reflog', '--restore', ...args);

const LOGS = ['HEAD', 'refs/heads/main'];

describe('[GIT-7] entries that vanished come back from the backup', () => {
  test('exactly as they were, and nothing else changes', async () => {
    const at = resetScene();
    const before = LOGS.map((ref) => read(at, ref));
    await startSession(at, 's');
    dropEntries(at.workspace);
    chmodSync(logFile(at.workspace, 'HEAD'), 0o640);
    expect(LOGS.map((ref) => read(at, ref))).toEqual(['', '']);
    const git = gitState(join(at.workspace, '.git'));
    const plan = restore(at, '--dry-run');
    expect(plan.restored.length).toBe(8);
    expect(gitState(join(at.workspace, '.git'))).toEqual(git);
    expect(restore(at, '--yes')).toMatchObject({ count: 8, gone: [], left: [], expired: 0 });
    expect(LOGS.map((ref) => read(at, ref))).toEqual(before);
    expect(statSync(logFile(at.workspace, 'HEAD')).mode & 0o777).toBe(0o640);
    expect(gitIn(at.workspace, 'fsck')).not.toContain('invalid');
    const changed = [...(gitState(join(at.workspace, '.git')) ?? [])].filter(([path, what]) => git?.get(path) !== what);
    expect(changed.map(([path]) => path).sort()).toEqual(['logs/HEAD', 'logs/refs/heads/main']);
    expect(restore(at, '--yes')).toMatchObject({ count: 0, restored: [] });
  });

  test('in their places, among entries that were made since', async () => {
    const at = resetScene();
    await startSession(at, 's');
    const before = read(at, 'HEAD');
    gitIn(at.workspace, 'reflog', 'delete', 'HEAD@{2}');
    gitIn(at.workspace, 'reflog', 'delete', '--rewrite', 'HEAD@{0}');
    commitFile(at.workspace, 'since');
    const since = read(at, 'HEAD').trimEnd().split('\n').at(-1);
    expect(restore(at, '--yes').count).toBe(2);
    // What git has rewritten, where a line came from, stays as git has it.
    const withoutFrom = (log: string) => log.split('\n').map((line) => line.slice(41));
    expect(withoutFrom(read(at, 'HEAD'))).toEqual(withoutFrom(`${before}${since}\n`));
    expect(head(at.workspace, 'HEAD@{0}')).toBe(head(at.workspace));
  });

  test('those with certain words only', async () => {
    const at = resetScene();
    await startSession(at, 's');
    dropEntries(at.workspace);
    const { restored, count } = restore(at, 'three', 'HEAD@', '--yes');
    expect([restored.length, count]).toEqual([1, 1]);
    expect(gitIn(at.workspace, 'log', '-g', '--format=%H %gs').trim()).toBe(`${at.three} commit: three`);
  });

  test('also from a backup before the newest', async () => {
    const at = resetScene();
    await startSession(at, 'first');
    const before = read(at, 'HEAD');
    dropEntries(at.workspace);
    await startSession(at, 'second');
    expect(restore(at, '--yes').count).toBe(8);
    expect(read(at, 'HEAD')).toBe(before);
  });

  test('except those whose commits are gone, which are named', async () => {
    const at = resetScene();
    await startSession(at, 's');
    dropCommits(at.workspace);
    const { gone, count } = restore(at, '--yes');
    expect(new Set(gone.map(({ commit }: { commit: string }) => commit))).toEqual(new Set([at.three]));
    expect(count).toBe(6);
    // The one that led away from it is there, and says nothing that would be damage.
    expect(gitIn(at.workspace, 'fsck', '--no-dangling')).toBe('');
    const text = at.retake.run(at.workspace, 'reflog', '--restore', '--dry-run').stdout;
    expect(text).toContain('2 entries not: the commits are no longer in the repository');
  });

  test('except those whose commits are there only in part', async () => {
    const at = resetScene();
    await startSession(at, 's');
    dropEntries(at.workspace);
    const tree = head(at.workspace, `${at.three}^{tree}`);
    rmSync(join(at.workspace, '.git/objects', tree.slice(0, 2), tree.slice(2)));
    const { restored, gone } = restore(at, '--yes');
    expect([restored.length, gone.length]).toEqual([6, 2]);
  });

  test('not for branches that were removed, and for stashes only when asked for', async () => {
    const at = resetScene();
    gitIn(at.workspace, 'branch', 'removed');
    for (const content of ['x', 'y', 'z']) {
      put(at.workspace, 'one', content);
      gitIn(at.workspace, 'stash', '-q');
    }
    await startSession(at, 's');
    gitIn(at.workspace, 'branch', '-D', 'removed');
    gitIn(at.workspace, 'stash', 'drop', '-q', 'stash@{1}');
    const { restored, left } = restore(at, '--dry-run');
    expect(restored).toEqual([]);
    expect(left.map(({ ref }: { ref: string }) => ref).sort()).toEqual(['refs/heads/removed', 'refs/stash']);
    expect(restore(at, 'stash', '--yes').count).toBe(1);
    expect(gitIn(at.workspace, 'stash', 'list').trimEnd().split('\n').length).toBe(3);
  });

  test('with a word about those that git would drop again', async () => {
    const at = resetScene();
    addToLog(at.workspace, 'HEAD', lineText({ from: at.two, to: at.three, at: secondsAgo(31 * DAY), note: 'test: old' }));
    addToLog(at.workspace, 'HEAD', lineText({ from: at.one, to: at.two, at: secondsAgo(31 * DAY), note: 'test: on the branch' }));
    await startSession(at, 's');
    dropEntries(at.workspace);
    expect(restore(at, '--dry-run')).toMatchObject({ expired: 1 });
  });
});

describe('[GIT-7] a restore is refused', () => {
  test('without a backup, and without a yes', async () => {
    const at = resetScene();
    const code = (...args: string[]) => at.retake.run(at.workspace, 'reflog', '--restore', ...args, '--json').json.error.code;
    expect(code()).toBe('no-backup');
    await startSession(at, 's');
    dropEntries(at.workspace);
    expect(code()).toBe('needs-confirmation');
    expect(read(at, 'HEAD')).toBe('');
    expect(at.retake.run(at.workspace, 'reflog', '--yes').code).toBe(2);
    expect(at.retake.run(at.workspace, 'reflog', '--restore', '--stats').code).toBe(2);
  });

  test('while git holds a lock, which stays', async () => {
    const at = resetScene();
    await startSession(at, 's');
    dropEntries(at.workspace);
    const lock = put(at.workspace, '.git/refs/heads/main.lock', 'of git');
    const { code, json } = at.retake.run(at.workspace, 'reflog', '--restore', '--yes', '--json');
    expect([code, json.error.code]).toEqual([1, 'git-busy']);
    expect(readFileSync(lock, 'utf8')).toBe('of git');
    rmSync(lock);
    restore(at, '--yes');
    expect(read(at, 'refs/heads/main')).toContain('commit: three');
  });

  test('for logs in tables, and for partial clones', async () => {
    const at = resetScene();
    await startSession(at, 's');
    const message = () => at.retake.run(at.workspace, 'reflog', '--restore', '--json').json.error.message;
    gitIn(at.workspace, 'config', 'remote.origin.promisor', 'true');
    expect(message()).toContain('partial clone');
    const list = at.retake.json(at.workspace, 'reflog').entries;
    expect(new Set(list.map(({ recoverable }: { recoverable: null }) => recoverable))).toEqual(new Set([null]));
    gitIn(at.workspace, 'config', '--unset', 'remote.origin.promisor');
    writeFileSync(join(at.workspace, '.git/config'), '[core]\nrepositoryformatversion = 1\n[extensions]\nrefstorage = reftable\n');
    expect(message()).toContain('reftable');
  });
});

describe('[GIT-7] the backup at the start of a session', () => {
  test('can be read with plain git', async () => {
    const at = resetScene();
    gitIn(at.workspace, 'branch', 'feature/ü');
    await startSession(at, 's');
    const show = (path: string) => gitIn(storeOf(at), 'show', `last:${path}`);
    expect(show('reflog/refs%2Fheads%2Fmain')).toBe(read(at, 'refs/heads/main'));
    expect(show(`reflog/${encodeURIComponent('refs/heads/feature/ü')}`)).toContain('branch: Created');
    expect(gitIn(storeOf(at), 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
    expect(at.retake.json(at.workspace, 'check', '--full').damage).toEqual([]);
  });

  test('leaves out logs that are too large, and says so', async () => {
    const at = resetScene();
    gitIn(at.workspace, 'branch', 'large');
    const line = lineText({ from: at.one, to: at.two, at: secondsAgo(9), note: 'x'.repeat(1000) });
    addToLog(at.workspace, 'refs/heads/large', line.repeat(4000));
    await startSession(at, 's');
    dropEntries(at.workspace);
    const { restored, notBackedUp } = restore(at, '--dry-run');
    expect(notBackedUp).toEqual(['refs/heads/large']);
    expect(restored.length).toBe(8);
  });

  test('takes HEAD and the branches used last where there are very many', async () => {
    const at = resetScene();
    const names = Array.from({ length: 250 }, (_, n) => `many/${n}`);
    for (const name of names) {
      const log = put(
        at.workspace,
        `.git/logs/refs/heads/${name}`,
        lineText({ from: NOBODY, to: at.one, at: secondsAgo(9), note: 'x: y' }),
      );
      utimesSync(log, secondsAgo(DAY), secondsAgo(DAY));
    }
    await startSession(at, 's');
    const kept = gitIn(storeOf(at), 'ls-tree', '--name-only', 'last:reflog').trimEnd().split('\n');
    expect(kept.length).toBe(201);
    expect(kept).toEqual(expect.arrayContaining(['HEAD', 'refs%2Fheads%2Fmain', 'left-out']));
    expect(JSON.parse(gitIn(storeOf(at), 'show', 'last:reflog/left-out')).length).toBe(52);
  });

  test('is no burden where there is no repository', async () => {
    const at = resetScene();
    rmSync(join(at.workspace, '.git'), { recursive: true });
    await startSession(at, 's');
    expect(gitIn(storeOf(at), 'ls-tree', '--name-only', 'last')).not.toContain('reflog');
  });
});

test('[GIT-7] inserting keeps every byte that is there, and brings back what was there', () => {
  const lines = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 30 });
  const text = (numbers: readonly number[]): ByteString =>
    numbers.map((n) => lineText({ from: NOBODY, to: NOBODY, at: 1_700_000_000 + n, note: `line ${n}` })).join('') as ByteString;
  fc.assert(
    fc.property(lines, fc.func(fc.boolean()), fc.integer({ min: 0, max: 5 }), (numbers, isKept, added) => {
      const later = Array.from({ length: added + 1 }, (_, n) => 100 + n);
      const log = text([...numbers.filter((n) => isKept(n)), ...later]);
      expect(insertMissing(log, text(numbers), 40, (line) => line)).toBe(text([...numbers, ...later]));
      expect(insertMissing(log, text(numbers), 40, () => undefined)).toBe(log);
      expect(insertMissing('' as ByteString, text(numbers), 40, (line) => line)).toBe(text(numbers));
    }),
  );
});

test('[GIT-7] [REL-2] a restore killed at any instant leaves whole logs, and no lock in the way of git', {
  timeout: 1_800_000,
}, async () => {
  const count = await killEverywhere({
    name: 'reflog --restore',
    command: ['reflog', '--restore', '--yes'],
    prepare: async (arena) => {
      const { workspace } = arena;
      gitIn(workspace, 'init', '-q', '-b', 'main');
      for (const name of ['one', 'two']) commitFile(workspace, name);
      arena.program = 'recorder';
      const started = { hook_event_name: 'SessionStart', session_id: 's', cwd: workspace, source: 'startup' };
      expect((await arena.run(0, [JSON.stringify(started), 'settle'])).code).toBe(0);
      arena.program = 'faulty';
      const whole = LOGS.map((ref) => readFileSync(logFile(workspace, ref), 'utf8'));
      dropEntries(workspace);
      return whole;
    },
    verify: async ({ arena, facts }) => {
      const { workspace } = arena;
      for (const [at, ref] of LOGS.entries()) expect(['', facts[at]]).toContain(readFileSync(logFile(workspace, ref), 'utf8'));
      await arena.json('status');
      gitIn(workspace, 'commit', '-q', '--allow-empty', '-m', 'goes on');
      gitIn(workspace, 'reflog', 'expire', '--all');
      await arena.json('reflog', '--restore', '--yes');
      for (const [at, ref] of LOGS.entries()) expect(readFileSync(logFile(workspace, ref), 'utf8').startsWith(facts[at] ?? '')).toBe(true);
      expect(readdirSync(join(workspace, '.git')).filter((name) => /retake|lock/.test(name))).toEqual([]);
      const { store } = await arena.json('status');
      expect(existsSync(join(store, '../reflog-locks.json'))).toBe(false);
    },
  });
  expect(count).toBeGreaterThan(10);
});

test('[GIT-7] a lock of git that has the name of ours is left alone when another process was killed', async () => {
  const at = resetScene();
  await startSession(at, 's');
  const lock = put(at.workspace, '.git/refs/heads/main.lock', 'of git');
  const held = {
    token: 'retake x\n',
    mark: join(at.workspace, '.git/retake-x'),
    locks: [{ ref: lock, log: `${logFile(at.workspace, 'refs/heads/main')}.lock` }],
  };
  put(dataOf(at), 'reflog-locks.json', JSON.stringify(held));
  at.retake.json(at.workspace, 'checkpoint');
  expect(readFileSync(lock, 'utf8')).toBe('of git');
  expect(existsSync(join(dataOf(at), 'reflog-locks.json'))).toBe(false);
});
