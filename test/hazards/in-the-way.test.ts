import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import { observeDirectory, observeWorkspace } from '../support/oracle.ts';
import { storedBytes } from '../support/private-store.ts';
import { expectJsonRefusal } from '../support/refusal.ts';
import { commitAll, put, repositoryScene, type Scene, scene, steps, storeOf } from '../support/scene.ts';

const nestedRepository = (at: Scene, path: string): string => {
  put(at.workspace, `${path}/inside`, 'inside');
  gitIn(join(at.workspace, path), 'init', '-q');
  commitAll(join(at.workspace, path));
  return join(at.workspace, path, '.git');
};

test('[RST-5] a nested repository where the target has a file: refused, its .git survives, nothing is changed', () => {
  const at = repositoryScene();
  put(at.workspace, 'thing', 'a file');
  put(at.workspace, 'other', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  rmSync(join(at.workspace, 'thing'));
  nestedRepository(at, 'thing');
  put(at.workspace, 'other', '2');
  const before = observeDirectory(at.workspace, { mtimes: true });
  const plan = at.retake.json(at.workspace, 'rewind', id, '--dry-run');
  expect(plan.inTheWay).toEqual([{ path: 'thing', reason: expect.stringContaining('.git') }]);
  const error = expectJsonRefusal(at.retake.run(at.workspace, 'rewind', id, '--yes', '--json'), 'in-the-way', 1);
  expect(error.message).toContain('thing');
  expect(observeDirectory(at.workspace, { mtimes: true })).toEqual(before);
  // The rest can still be brought back.
  at.retake.json(at.workspace, 'rewind', id, '--path', 'other', '--yes');
  expect(readFileSync(join(at.workspace, 'other'), 'utf8')).toBe('1');
});

test('[RST-5] a directory to be removed that holds a nested repository: its .git stays, and that is said', () => {
  const at = repositoryScene();
  put(at.workspace, 'file', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  const git = nestedRepository(at, 'new/deep/nested');
  put(at.workspace, 'new/file', 'x');
  const nested = observeDirectory(git, { mtimes: true });
  const run = at.retake.run(at.workspace, 'rewind', id, '--yes');
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/left alone\s+new\/deep\/nested .*\.git/);
  expect(observeDirectory(git, { mtimes: true })).toEqual(nested);
  expect(existsSync(join(at.workspace, 'new/file'))).toBe(false);
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(readFileSync(join(at.workspace, 'new/deep/nested/inside'), 'utf8')).toBe('inside');
  expect(gitIn(join(at.workspace, 'new/deep/nested'), 'status', '--short')).toBe('');
});

test('[RST-5] a nested repository where the target has a symlink: refused', () => {
  const at = scene();
  symlinkSync('elsewhere', join(at.workspace, 'thing'));
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  rmSync(join(at.workspace, 'thing'));
  const git = nestedRepository(at, 'thing');
  expectJsonRefusal(at.retake.run(at.workspace, 'rewind', id, '--yes', '--json'), 'in-the-way', 1);
  expect(existsSync(join(git, 'HEAD'))).toBe(true);
});

test('[RST-5] an ignored file in the way stands in the plan, is kept in the safety checkpoint, and comes back by undo', () => {
  const at = repositoryScene();
  put(at.workspace, 'config', 'then');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  gitIn(at.workspace, 'config', 'core.excludesFile', join(at.workspace, '.git/rules'));
  put(at.workspace, '.git/rules', 'config\n');
  put(at.workspace, 'config', 'ignored and precious', 0o600);
  const plan = at.retake.json(at.workspace, 'rewind', id, '--dry-run');
  expect(steps(plan)).toEqual(['restore config']);
  const done = at.retake.json(at.workspace, 'rewind', id, '--yes', '--expect', plan.expectedTree);
  expect(storedBytes(storeOf(at), done.safetyCheckpoint, 'config').toString()).toBe('ignored and precious');
  expect(readFileSync(join(at.workspace, 'config'), 'utf8')).toBe('then');
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(observeWorkspace(at.workspace).get('config')).toMatch(/^file 0600/);
  expect(readFileSync(join(at.workspace, 'config'), 'utf8')).toBe('ignored and precious');
});

test('[RST-5] an ignored file where the target has a directory comes back by undo', () => {
  const at = repositoryScene();
  put(at.workspace, 'out/a', 'then');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  rmSync(join(at.workspace, 'out'), { recursive: true });
  put(at.workspace, '.gitignore', 'out\n');
  put(at.workspace, 'out', 'ignored file');
  const before = observeWorkspace(at.workspace);
  expect(steps(at.retake.json(at.workspace, 'rewind', id, '--yes'))).toEqual(['delete .gitignore', 'retype out', 'create out/a']);
  expect(readFileSync(join(at.workspace, 'out/a'), 'utf8')).toBe('then');
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(before);
});

test('[RST-5] an ignored directory where the target has a file: refused, nothing is changed', () => {
  const at = repositoryScene();
  put(at.workspace, 'out', 'a file then');
  put(at.workspace, 'other', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  rmSync(join(at.workspace, 'out'));
  put(at.workspace, '.gitignore', 'out/\n');
  put(at.workspace, 'out/precious', 'never captured');
  put(at.workspace, 'other', '2');
  const before = observeWorkspace(at.workspace, { mtimes: true });
  expectJsonRefusal(at.retake.run(at.workspace, 'rewind', id, '--yes', '--json'), 'in-the-way', 1);
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
  expect(at.retake.json(at.workspace, 'rollbacks').rollbacks).toEqual([]);
});

test('[RST-5] ignored files in a directory that the target had as a directory survive', () => {
  const at = repositoryScene();
  put(at.workspace, 'out/a', 'then');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, '.gitignore', 'out/\n');
  put(at.workspace, 'out/a', 'now');
  put(at.workspace, 'out/precious', 'never captured');
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(readFileSync(join(at.workspace, 'out/a'), 'utf8')).toBe('then');
  expect(readFileSync(join(at.workspace, 'out/precious'), 'utf8')).toBe('never captured');
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(readFileSync(join(at.workspace, 'out/a'), 'utf8')).toBe('now');
  expect(readFileSync(join(at.workspace, 'out/precious'), 'utf8')).toBe('never captured');
});

test('[RST-5] a directory to be removed that holds ignored files stays with them, and that is said', () => {
  const at = repositoryScene();
  put(at.workspace, '.gitignore', '*.cache\n');
  put(at.workspace, 'file', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'new/sub/x.cache', 'ignored');
  put(at.workspace, 'new/sub/y', 'captured');
  const plan = at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(steps(plan)).toEqual(['delete new/sub/y']);
  expect(plan.kept.map(({ path }: { path: string }) => path)).toEqual(['new', 'new/sub']);
  expect(readFileSync(join(at.workspace, 'new/sub/x.cache'), 'utf8')).toBe('ignored');
});
