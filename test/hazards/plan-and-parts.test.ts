import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { observeWorkspace } from '../support/oracle.ts';
import { expectJsonRefusal, expectPlainRefusal, expectRefusal } from '../support/refusal.ts';
import { put, type Scene, scene, steps } from '../support/scene.ts';

/** `a`, `b` and `dir/c` changed since the checkpoint. */
const changedScene = (): Scene & { id: string } => {
  const at = scene();
  for (const path of ['a', 'b', 'dir/c', 'dir/d']) put(at.workspace, path, 'then\n');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  for (const path of ['a', 'b', 'dir/c']) put(at.workspace, path, 'now\n');
  return { ...at, id };
};

const content = (at: Scene, path: string): string => readFileSync(join(at.workspace, path), 'utf8').trim();

test.each([
  ['with --yes', ['--yes']],
  ['without --yes, of a single file', ['--path', 'a']],
])('[RST-1] a rewind %s that expects another state stops and changes nothing', (_, flags) => {
  const at = changedScene();
  const { expectedTree } = at.retake.json(at.workspace, 'rewind', at.id, '--dry-run');
  put(at.workspace, 'b', 'moved on\n');
  const before = observeWorkspace(at.workspace, { mtimes: true });
  const args = ['rewind', at.id, ...flags, '--expect', expectedTree];
  expectJsonRefusal(at.retake.run(at.workspace, ...args, '--json'), 'workspace-moved', 1);
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
  const fresh = at.retake.json(at.workspace, 'rewind', at.id, '--dry-run').expectedTree;
  at.retake.json(at.workspace, 'rewind', at.id, '--yes', '--expect', fresh);
  expect(content(at, 'b')).toBe('then');
});

test('[RST-1] an undo that expects another state stops and changes nothing', () => {
  const at = changedScene();
  at.retake.json(at.workspace, 'rewind', at.id, '--yes');
  const { expectedTree } = at.retake.json(at.workspace, 'undo', '--dry-run');
  put(at.workspace, 'elsewhere', 'new');
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['undo', '--yes', '--expect', expectedTree], 'workspace-moved');
  expect(content(at, 'a')).toBe('then');
});

test('[RST-1] a dry run records nothing and changes nothing', () => {
  const at = changedScene();
  const before = observeWorkspace(at.workspace, { mtimes: true });
  const plan = at.retake.json(at.workspace, 'rewind', at.id, '--dry-run');
  expect(plan.operations).toEqual([
    { type: 'restore', path: 'a', size: 5, insertions: 1, deletions: 1 },
    { type: 'restore', path: 'b', size: 5, insertions: 1, deletions: 1 },
    { type: 'restore', path: 'dir/c', size: 5, insertions: 1, deletions: 1 },
  ]);
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
  expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
});

test('[RST-8] chosen files, chosen directories', () => {
  const at = changedScene();
  expect(steps(at.retake.json(at.workspace, 'rewind', at.id, '--path', 'a', '--yes'))).toEqual(['restore a']);
  expect([content(at, 'a'), content(at, 'b'), content(at, 'dir/c')]).toEqual(['then', 'now', 'now']);
  expect(steps(at.retake.json(at.workspace, 'rewind', at.id, '--path', 'dir', '--yes'))).toEqual(['restore dir/c']);
  expect([content(at, 'a'), content(at, 'b'), content(at, 'dir/c')]).toEqual(['then', 'now', 'then']);
  put(at.workspace, 'a', 'now\n');
  at.retake.json(at.workspace, 'rewind', at.id, '--path', 'a', 'b', '--yes');
  expect([content(at, 'a'), content(at, 'b')]).toEqual(['then', 'then']);
});

test('[RST-8] a chosen file whose directory is gone brings the directory back, and nothing else in it', () => {
  const at = changedScene();
  rmSync(join(at.workspace, 'dir'), { recursive: true });
  const plan = at.retake.json(at.workspace, 'rewind', at.id, '--path', 'dir/c', '--yes');
  expect(steps(plan)).toEqual(['mkdir dir', 'create dir/c']);
  expect(existsSync(join(at.workspace, 'dir/d'))).toBe(false);
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(existsSync(join(at.workspace, 'dir'))).toBe(false);
});

test('[RST-8] a chosen path that neither state has is refused, and nothing is changed, not even at the others', () => {
  const at = changedScene();
  const before = observeWorkspace(at.workspace, { mtimes: true });
  const run = (...args: string[]) => at.retake.run(at.workspace, ...args);
  for (const line of [
    ['rewind', at.id, '--path', 'nowhere/at/all', '--yes'],
    ['rewind', at.id, '--path', 'a', 'nowhere', '--yes'],
    ['rewind', at.id, '--path', 'a/nowhere', '--dry-run'],
    ['rewind', at.id, '--path', 'nowhere', '--keep-mine', '--dry-run'],
    ['diff', at.id, '--path', 'nowhere'],
    ['diff', at.id, at.id, '--path', 'a', 'nowhere'],
    ['diff', at.id, '--path', 'nowhere', '--by', 'person'],
  ])
    expect(expectRefusal(run, line, 'no-such-file').message, line.join(' ')).toContain('nowhere');
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
});

test('[RST-8] a chosen path that is the same in both, is only in one of them, or is ignored, is no mistake', () => {
  const at = changedScene();
  put(at.workspace, 'same', 'same');
  put(at.workspace, 'gone/file', 'gone');
  put(at.workspace, '.gitignore', 'ignored\n');
  put(at.workspace, 'ignored', 'ignored');
  mkdirSync(join(at.workspace, 'empty'));
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  rmSync(join(at.workspace, 'gone'), { recursive: true });
  put(at.workspace, 'new/file', 'new');
  for (const path of ['.', 'same', 'gone', 'gone/file', 'new', 'new/file', 'ignored', 'empty']) {
    for (const verb of ['rewind', 'diff'])
      expect(at.retake.run(at.workspace, verb, id, '--path', path, ...(verb === 'diff' ? [] : ['--dry-run'])).code, path).toBe(0);
  }
});

test.each(['../outside', '/etc/passwd', '..', 'dir/../../x'])('[RST-6] the path %s is refused as wrong usage', (path) => {
  const at = changedScene();
  const before = observeWorkspace(at.workspace, { mtimes: true });
  for (const verb of ['rewind', 'diff']) {
    expectRefusal((...args) => at.retake.run(at.workspace, ...args), [verb, at.id, '--path', path], 'usage', 2);
  }
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
});

test('[RST-12] several files without --yes and without a terminal: refused, nothing changed', () => {
  const at = changedScene();
  const before = observeWorkspace(at.workspace, { mtimes: true });
  expectPlainRefusal(at.retake.run(at.workspace, 'rewind', at.id), 1);
  expectJsonRefusal(at.retake.run(at.workspace, 'rewind', at.id, '--json'), 'needs-confirmation', 1);
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
  expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
});

test('[RST-12] a single file that would be deleted needs confirmation as well', () => {
  const at = scene();
  put(at.workspace, 'a', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'new', 'n');
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['rewind', id], 'needs-confirmation');
  expect(existsSync(join(at.workspace, 'new'))).toBe(true);
});

test.each([
  ['restored', (at: Scene) => put(at.workspace, 'dir/c', 'now\n')],
  ['created', (at: Scene) => rmSync(join(at.workspace, 'dir/c'))],
  ['created with its directory', (at: Scene) => rmSync(join(at.workspace, 'dir'), { recursive: true })],
])('[RST-12] a single file that is %s needs no confirmation', (_, change) => {
  const at = scene();
  put(at.workspace, 'dir/c', 'then\n');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  change(at);
  expect(at.retake.run(at.workspace, 'rewind', id).code).toBe(0);
  expect(content(at, 'dir/c')).toBe('then');
});
