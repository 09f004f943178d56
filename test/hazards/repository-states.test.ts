import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import { observeDirectory, observeWorkspace } from '../support/oracle.ts';
import { storedEntries } from '../support/private-store.ts';
import { commitAll, put, repositoryScene, roundTrip, type Scene, scene, storeOf } from '../support/scene.ts';

const fill = (at: Scene): void => {
  put(at.workspace, 'a.txt', 'a\n');
  put(at.workspace, 'sub/b.txt', 'b\n');
  mkdirSync(join(at.workspace, 'empty'));
  symlinkSync('sub/b.txt', join(at.workspace, 'link'));
};

const gitOf = (at: Scene): { git: string } => ({ git: join(at.workspace, '.git') });

test('[CAP-7] a directory without git', () => {
  const at = scene();
  fill(at);
  expect(roundTrip(at)).toMatchObject({ status: 'complete', files: 3 });
});

test('[CAP-7] a repository without commits', () => {
  const at = repositoryScene();
  fill(at);
  expect(roundTrip(at, gitOf(at))).toMatchObject({ status: 'complete', files: 3 });
});

test('[CAP-7] in the middle of a merge with conflicts', () => {
  const at = repositoryScene();
  fill(at);
  commitAll(at.workspace);
  gitIn(at.workspace, 'checkout', '-q', '-b', 'side');
  put(at.workspace, 'a.txt', 'side\n');
  commitAll(at.workspace);
  gitIn(at.workspace, 'checkout', '-q', 'main');
  put(at.workspace, 'a.txt', 'main\n');
  commitAll(at.workspace);
  expect(() => gitIn(at.workspace, 'merge', '-q', 'side')).toThrow();
  const { id } = roundTrip(at, gitOf(at));
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(readFileSync(join(at.workspace, 'a.txt'), 'utf8')).toContain('<<<<<<<');
  expect(gitIn(at.workspace, 'status', '--short')).toContain('UU a.txt');
});

test('[CAP-7] a detached HEAD, and a warning when it is elsewhere at rewind', () => {
  const at = repositoryScene();
  fill(at);
  commitAll(at.workspace, 'one');
  gitIn(at.workspace, 'checkout', '-q', '--detach');
  const { id } = roundTrip(at, gitOf(at));
  gitIn(at.workspace, 'checkout', '-qf', 'main');
  put(at.workspace, 'c.txt', 'c');
  commitAll(at.workspace, 'two');
  const plan = at.retake.json(at.workspace, 'rewind', id, '--dry-run');
  expect(plan.warnings.join('\n')).toMatch(/branch main .*detached/);
});

test('[CAP-7] a sha256 repository', () => {
  const at = repositoryScene({}, '--object-format=sha256');
  fill(at);
  commitAll(at.workspace);
  put(at.workspace, 'untracked', 'u');
  expect(roundTrip(at, gitOf(at))).toMatchObject({ status: 'complete', files: 4 });
});

test('[CAP-7] intent-to-add, skip-worktree, assume-unchanged and a sparse checkout hide no change', () => {
  const at = repositoryScene();
  for (const name of ['assumed', 'skipped', 'plain', 'intended']) put(at.workspace, name, 'then\n');
  gitIn(at.workspace, 'add', 'assumed', 'skipped', 'plain');
  gitIn(at.workspace, 'add', '-N', 'intended');
  gitIn(at.workspace, 'commit', '-qm', 'x');
  gitIn(at.workspace, 'update-index', '--assume-unchanged', 'assumed');
  gitIn(at.workspace, 'update-index', '--skip-worktree', 'skipped');
  for (const name of ['assumed', 'skipped', 'plain', 'intended']) put(at.workspace, name, 'now!\n');
  const { id } = roundTrip(at, gitOf(at));
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  for (const name of ['assumed', 'skipped', 'plain', 'intended']) expect(readFileSync(join(at.workspace, name), 'utf8')).toBe('now!\n');
});

test('[CLI] started in a subdirectory, or with -C, the workspace is the git top level', () => {
  const at = repositoryScene();
  fill(at);
  const before = observeWorkspace(at.workspace);
  const { id } = at.retake.json(join(at.workspace, 'sub'), 'checkpoint');
  expect([...storedEntries(storeOf(at), id).keys()]).toContain('a.txt');
  put(at.workspace, 'a.txt', 'changed');
  put(at.workspace, 'sub/b.txt', 'changed');
  at.retake.json('/', '-C', join(at.workspace, 'sub'), 'rewind', id, '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(before);
  expect(at.retake.json('/', 'status', '-C', join(at.workspace, 'empty')).workspace).toBe(at.workspace);
});

test('[CLI] paths are understood from where the user stands', () => {
  const at = repositoryScene();
  fill(at);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'a.txt', 'changed');
  put(at.workspace, 'sub/b.txt', 'changed');
  at.retake.json(join(at.workspace, 'sub'), 'rewind', id, '--path', 'b.txt');
  expect(readFileSync(join(at.workspace, 'sub/b.txt'), 'utf8')).toBe('b\n');
  at.retake.json(join(at.workspace, 'sub'), 'rewind', id, '--path', '../a.txt');
  expect(readFileSync(join(at.workspace, 'a.txt'), 'utf8')).toBe('a\n');
});

test('[CAP-7] [CLI] a directory registered first stays a workspace of its own when a repository is made above it', () => {
  const at = scene();
  put(at.workspace, 'part/inner.txt', '1');
  put(at.workspace, 'part/ignored', 'x');
  put(at.workspace, 'outer.txt', '1');
  const inner = { workspace: join(at.workspace, 'part'), retake: at.retake };
  at.retake.json(inner.workspace, 'checkpoint');
  gitIn(at.workspace, 'init', '-q', '-b', 'main');
  put(at.workspace, '.gitignore', 'part/ignored\n');
  commitAll(at.workspace);
  expect(at.retake.json(inner.workspace, 'status').workspace).toBe(inner.workspace);
  const outer = observeDirectory(join(at.workspace, '.git'), { mtimes: true });
  const { id, status } = roundTrip(inner, { without: (path) => path === 'ignored' });
  expect(status).toBe('complete');
  expect([...storedEntries(storeOf(inner), id).keys()]).toEqual(['inner.txt']);
  expect(observeDirectory(join(at.workspace, '.git'), { mtimes: true })).toEqual(outer);
  expect(readFileSync(join(at.workspace, 'outer.txt'), 'utf8')).toBe('1');
});

test('[CAP-7] a workspace reached through a symlink is the same workspace', () => {
  const at = repositoryScene();
  fill(at);
  const elsewhere = scene();
  const link = join(elsewhere.workspace, 'link');
  symlinkSync(at.workspace, link);
  const { id } = at.retake.json(link, 'checkpoint');
  expect(at.retake.json(at.workspace, 'show', id).id).toBe(id);
  put(at.workspace, 'a.txt', 'changed');
  at.retake.json(link, 'rewind', id, '--path', join(link, 'a.txt'), '--yes');
  expect(readFileSync(join(at.workspace, 'a.txt'), 'utf8')).toBe('a\n');
  rmSync(link);
});
