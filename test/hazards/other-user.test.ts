import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { observeWorkspace } from '../support/oracle.ts';
import { canBecomeOther, handOver, jsonAsOther, own, runAsOther } from '../support/other-user.ts';
import { expectJsonRefusal } from '../support/refusal.ts';
import { commitAll, dataOf, omitted, put, repositoryScene, type Scene, scene, steps } from '../support/scene.ts';

describe.skipIf(!canBecomeOther)('as a user without rights (needs root to become one)', () => {
  const ordinaryScene = (): Scene => {
    const at = scene();
    handOver(at);
    return at;
  };

  test('[CAP-5] an unreadable file is listed, the rest is captured', () => {
    const at = ordinaryScene();
    put(at.workspace, 'open', '1');
    put(at.workspace, 'closed', 'secret', 0o600);
    own(join(at.workspace, 'open'));
    const checkpoint = jsonAsOther(at, 'checkpoint');
    expect(checkpoint.status).toBe('partial');
    expect(omitted(checkpoint)).toEqual(['closed unreadable']);
    put(at.workspace, 'open', '2');
    expect(steps(jsonAsOther(at, 'rewind', checkpoint.id, '--yes'))).toEqual(['restore open']);
    expect(readFileSync(join(at.workspace, 'closed'), 'utf8')).toBe('secret');
  });

  test('[CAP-5] an unreadable directory is listed; what is in it is neither captured nor deleted later', () => {
    const at = ordinaryScene();
    put(at.workspace, 'closed/file', 'kept');
    put(at.workspace, 'open', '1');
    own(at.workspace);
    chmodSync(join(at.workspace, 'closed'), 0o000);
    const checkpoint = jsonAsOther(at, 'checkpoint');
    expect(omitted(checkpoint)).toEqual(['closed unreadable']);
    chmodSync(join(at.workspace, 'closed'), 0o755);
    put(at.workspace, 'open', '2');
    jsonAsOther(at, 'rewind', checkpoint.id, '--yes');
    expect(readFileSync(join(at.workspace, 'closed/file'), 'utf8')).toBe('kept');
    expect(readFileSync(join(at.workspace, 'open'), 'utf8')).toBe('1');
  });

  test('[CAP-5] a directory that can be listed but not searched makes the checkpoint partial', () => {
    const at = ordinaryScene();
    put(at.workspace, 'listed/file', 'not reachable');
    put(at.workspace, 'open', '1');
    own(at.workspace);
    chmodSync(join(at.workspace, 'listed'), 0o444);
    const checkpoint = jsonAsOther(at, 'checkpoint');
    expect(checkpoint.status).toBe('partial');
    expect(omitted(checkpoint).some((one) => one.startsWith('listed'))).toBe(true);
    chmodSync(join(at.workspace, 'listed'), 0o755);
    jsonAsOther(at, 'rewind', checkpoint.id, '--yes');
    expect(readFileSync(join(at.workspace, 'listed/file'), 'utf8')).toBe('not reachable');
  });

  test('[CAP-5] a repository of somebody else, whose configuration git refuses to read, is captured all the same', () => {
    const at = repositoryScene();
    put(at.workspace, '.gitignore', 'ignored\n');
    put(at.workspace, 'ignored', 'x');
    put(at.workspace, 'file', '1');
    commitAll(at.workspace);
    own(join(at.retake.home, '..'));
    chmodSync(at.workspace, 0o777);
    const checkpoint = jsonAsOther(at, 'checkpoint');
    expect(checkpoint).toMatchObject({ status: 'complete', files: 2 });
  });

  test('[RST-2] a read-only directory: refused before anything is changed', () => {
    const at = ordinaryScene();
    for (const path of ['a/file', 'locked/file', 'z/file']) put(at.workspace, path, '1');
    own(at.workspace);
    const { id } = jsonAsOther(at, 'checkpoint');
    for (const path of ['a/file', 'locked/file', 'z/file']) put(at.workspace, path, '2');
    own(at.workspace);
    chmodSync(join(at.workspace, 'locked'), 0o555);
    const { tree } = jsonAsOther(at, 'checkpoint');
    const before = observeWorkspace(at.workspace, { mtimes: true });
    const error = expectJsonRefusal(
      runAsOther(at, 'rewind', id, '--yes', '--path', 'a', '--path', 'locked/file', '--json'),
      'permission',
      1,
    );
    expect(error.message).toContain('locked');
    expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
    expect(jsonAsOther(at, 'rewind', id, '--dry-run').expectedTree).toBe(tree);
    expect(jsonAsOther(at, 'rollbacks').rollbacks).toEqual([]);
  });

  test('[RST-2] a directory of somebody else: refused before anything is changed', () => {
    const at = ordinaryScene();
    put(at.workspace, 'mine/file', '1');
    put(at.workspace, 'theirs/file', '1');
    own(at.workspace);
    const { id } = jsonAsOther(at, 'checkpoint');
    put(at.workspace, 'mine/file', '2');
    put(at.workspace, 'theirs/file', '2');
    own(join(at.workspace, 'theirs'), 0);
    const before = observeWorkspace(at.workspace, { mtimes: true });
    expectJsonRefusal(runAsOther(at, 'rewind', id, '--yes', '--json'), 'permission', 1);
    expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
  });

  test('[RST-2] permissions of a file of somebody else: the rollback fails and leaves the workspace as it was', () => {
    const at = ordinaryScene();
    put(at.workspace, 'a', '1');
    put(at.workspace, 'theirs', 'same', 0o644);
    own(at.workspace);
    const { id } = jsonAsOther(at, 'checkpoint');
    put(at.workspace, 'a', '2');
    chmodSync(join(at.workspace, 'theirs'), 0o755);
    own(join(at.workspace, 'theirs'), 0);
    const before = observeWorkspace(at.workspace);
    const run = runAsOther(at, 'rewind', id, '--yes', '--json');
    expectJsonRefusal(run, 'permission', 1);
    expect(observeWorkspace(at.workspace)).toEqual(before);
    expect(jsonAsOther(at, 'rollbacks').rollbacks).toEqual([]);
  });

  test('[RST-2] a target below a directory that may not be entered now: refused, nothing changed', () => {
    const at = ordinaryScene();
    put(at.workspace, 'shut/file', '1');
    put(at.workspace, 'other', '1');
    own(at.workspace);
    const { id } = jsonAsOther(at, 'checkpoint');
    put(at.workspace, 'other', '2');
    put(at.workspace, 'shut/file', '2');
    own(at.workspace);
    chmodSync(join(at.workspace, 'shut'), 0o000);
    const before = observeWorkspace(at.workspace);
    const run = runAsOther(at, 'rewind', id, '--yes', '--json');
    expect(run.code).toBe(1);
    expect(['permission', 'in-the-way']).toContain(run.json.error.code);
    expect(observeWorkspace(at.workspace)).toEqual(before);
  });

  test('[REL-3] a data directory that is not writable: a clear error, nothing changed', () => {
    const at = ordinaryScene();
    put(at.workspace, 'file', '1');
    mkdirSync(at.retake.home, { mode: 0o555 });
    const before = observeWorkspace(at.workspace, { mtimes: true });
    const error = expectJsonRefusal(runAsOther(at, 'checkpoint', '--json'), 'permission', 1);
    expect(error.message).toContain(at.retake.home);
    expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
  });

  test('[REL-3] a store that is not writable any more: a clear error, old checkpoints can still be read', () => {
    const at = ordinaryScene();
    put(at.workspace, 'file', '1');
    own(at.workspace);
    const { id } = jsonAsOther(at, 'checkpoint');
    put(at.workspace, 'file', '2');
    execFileSync('chmod', ['-R', 'a-w', at.retake.home]);
    expectJsonRefusal(runAsOther(at, 'checkpoint', '--json'), 'permission', 1);
    expectJsonRefusal(runAsOther(at, 'rewind', id, '--yes', '--json'), 'permission', 1);
    expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('2');
    execFileSync('chmod', ['-R', 'u+w', at.retake.home]);
    jsonAsOther(at, 'rewind', id, '--yes');
    expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('1');
  });

  test('[STO-1] nobody else can enter the data directory', () => {
    const at = scene();
    put(at.workspace, 'file', 'secret');
    at.retake.json(at.workspace, 'checkpoint');
    for (const path of [at.retake.home, join(at.retake.home, 'workspaces'), dataOf(at)])
      expect(statSync(path).mode & 0o7777, path).toBe(0o700);
  });
});
