import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Conversation } from '../daemon/claude-code.ts';
import { runHook, SILENT } from '../daemon/support.ts';
import { retakeIn } from '../support/cli.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { expectRefusal } from '../support/refusal.ts';
import { commitAll, put, repositoryScene, scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A PATH with what `bin/retake` itself needs and nothing else. */
const barePath = (): string => {
  const directory = temporaryDirectory();
  for (const name of ['sh', 'readlink', 'touch']) symlinkSync(execFileSync('which', [name]).toString().trim(), join(directory, name));
  return directory;
};

const fakeGit = (directory: string, script: string): void => {
  writeFileSync(join(directory, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(directory, 'git'), 0o755);
};

test('[CLI] a machine without git: said so, with what to do; what needs no git still works', () => {
  const at = scene();
  put(at.workspace, 'file', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'file', '2');
  const without = retakeIn(join(at.retake.home, '..'), { PATH: barePath() });
  // As long as its configuration stands, git has nothing to say that is not known.
  without.json(at.workspace, 'checkpoint');
  put(join(at.retake.home, '..'), '.gitconfig', '[core]\n');
  const before = observeWorkspace(at.workspace, { mtimes: true });
  for (const line of [['checkpoint'], ['rewind', id, '--yes'], ['diff', id]]) {
    expect(expectRefusal((...args) => without.run(at.workspace, ...args), line, 'git-missing').hint).toContain('2.25');
  }
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
  expect(without.json(at.workspace, 'log').operations).toHaveLength(2);
});

test.each(['2.20.1', '1.9.5', '2.24.9'])('[CLI] git %s is too old: said so before anything is made', (version) => {
  const at = scene();
  put(at.workspace, 'file', '1');
  const path = barePath();
  fakeGit(path, `case "$*" in *--version*) echo "git version ${version}";; *) exit 1;; esac`);
  const old = retakeIn(join(at.retake.home, '..'), { PATH: path });
  const { message, hint } = expectRefusal((...args) => old.run(at.workspace, ...args), ['checkpoint'], 'git-too-old');
  expect(message).toContain(version);
  expect(hint).toContain('2.25');
  expect(old.json(at.workspace, 'log').operations).toEqual([]);
});

test('[CLI] an old git in a workspace that is known: each verb that needs git says so, status too, and the log can be read', () => {
  const at = repositoryScene();
  put(at.workspace, 'file', '1');
  put(at.workspace, 'other', '1');
  commitAll(at.workspace);
  const { id } = at.retake.json(at.workspace, 'checkpoint', '--name', 'one');
  put(at.workspace, 'file', '2');
  const path = barePath();
  fakeGit(path, 'case "$*" in *--version*) echo "git version 2.20.1";; *) echo "usage: git" >&2; exit 129;; esac');
  const old = retakeIn(join(at.retake.home, '..'), { PATH: path });
  for (const line of [['branch', id, 'recovered'], ['keep'], ['gc', '--now'], ['export', 'local']]) {
    const { message, hint } = expectRefusal((...args) => old.run(at.workspace, ...args), line, 'git-too-old');
    expect(message).toContain('2.20.1');
    expect(hint).toContain('2.25');
  }
  const status = old.run(at.workspace, 'status');
  expect(status.code).toBe(0);
  expect(status.stdout).toContain('git 2.20.1 is too old. Retake needs git 2.25 or newer.');
  expect(old.json(at.workspace, 'status').gitProblem).toMatchObject({ code: 'git-too-old' });
  expect(at.retake.json(at.workspace, 'status').gitProblem).toBeNull();
  expect(old.json(at.workspace, 'log').operations).toHaveLength(1);
});

test('[AGT-1] an old git: the hook neither blocks the agent nor says a word, and status tells what was not recorded', async () => {
  const at = scene();
  put(at.workspace, 'file', '1');
  const path = barePath();
  fakeGit(path, 'case "$*" in *--version*) echo "git version 2.20.1";; *) exit 129;; esac');
  const old = { ...at, retake: retakeIn(join(at.retake.home, '..'), { PATH: path, RETAKE_DAEMON_ENABLED: 'false' }) };
  expect(await runHook(old, new Conversation('s1', at.workspace).prompt('p1', 'hi'))).toEqual(SILENT);
  const status = old.retake.json(at.workspace, 'status');
  expect(status.trouble).toMatchObject([{ problem: 'git 2.20.1 is too old' }]);
});

test.each([
  ['crashes', 'kill -SEGV $$'],
  ['fails at everything', 'echo broken >&2; exit 1'],
  ['says nothing', 'exit 0'],
])('[CLI] a git that %s: a clear error, nothing recorded', (_, script) => {
  const at = scene();
  put(at.workspace, 'file', '1');
  const path = barePath();
  fakeGit(path, script);
  const sick = retakeIn(join(at.retake.home, '..'), { PATH: path });
  const run = sick.run(at.workspace, 'checkpoint', '--json');
  expect(run.code).toBe(1);
  expect(run.json.error?.code).toMatch(/^git-(failed|too-old|missing)$/);
  expect(sick.json(at.workspace, 'log').operations).toEqual([]);
});

test('[CLI] a directory that is not there, or is a file, is refused', () => {
  const at = scene();
  const file = put(at.workspace, 'file', '1');
  for (const directory of [join(at.workspace, 'missing'), file]) {
    const { message } = expectRefusal((...args) => at.retake.run('/', ...args), ['-C', directory, 'checkpoint'], 'workspace-missing');
    expect(message).toContain(directory);
  }
});

test('[CLI] a protected workspace that vanished is refused, and its checkpoints can be adopted when it is made again', () => {
  const at = scene();
  put(at.workspace, 'file', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  const before = observeWorkspace(at.workspace);
  rmSync(at.workspace, { recursive: true });
  for (const line of [['checkpoint'], ['log'], ['rewind', id, '--yes']]) {
    expectRefusal((...args) => at.retake.run('/', ...args), ['-C', at.workspace, ...line], 'workspace-missing');
  }
  mkdirSync(at.workspace, { mode: 0o700 });
  at.retake.json(at.workspace, 'adopt', '--yes');
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(before);
});

test('[CLI] a current directory that was removed is refused in one line', () => {
  const at = scene();
  const script = `mkdir gone && cd gone && rmdir ../gone && exec ${join(import.meta.dirname, '../../bin/retake')} status --json`;
  try {
    execFileSync('sh', ['-c', script], { cwd: at.workspace, env: at.retake.env, stdio: ['ignore', 'pipe', 'pipe'] });
    expect.unreachable('it should fail');
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: Buffer };
    expect(status).toBe(1);
    expect(JSON.parse(stdout.toString()).error.code).toBe('workspace-missing');
  }
});

test('[REL-3] a data directory that is a file is refused in one line', () => {
  const base = temporaryDirectory();
  writeFileSync(join(base, 'retake'), 'a file');
  const retake = retakeIn(base);
  const workspace = temporaryDirectory();
  put(workspace, 'file', '1');
  const run = retake.run(workspace, 'checkpoint', '--json');
  expect(run.code).toBe(1);
  expect(run.json.error.message).toContain(join(base, 'retake'));
  expect(run.json.error.code).not.toBe('unexpected');
});
