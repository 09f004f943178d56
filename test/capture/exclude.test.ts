import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { untilWatched } from '../daemon/exact.ts';
import { daemonScene, PATIENT, promptPayload, startDaemon, tell } from '../daemon/support.ts';
import { edit, git, keep, keepScene, read, write } from '../keep/kept.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { storedEntries } from '../support/private-store.ts';
import { commitAll, put, repositoryScene, type Scene, storeOf } from '../support/scene.ts';

const exclude = (at: Scene, ...patterns: string[]): void =>
  at.retake.json(at.workspace, 'settings', 'capture.exclude', JSON.stringify(patterns), '--workspace');

const checkpoint = (at: Scene): string => at.retake.json(at.workspace, 'checkpoint').id;

const held = (at: Scene, id: string): string[] =>
  [...storedEntries(storeOf(at), id)].filter(([, { type }]) => type !== 'tree').map(([path]) => path);

/** A repository in which files are tracked, included and neither. */
const project = (at: Scene = repositoryScene()): Scene => {
  put(at.workspace, 'kept.txt', 'kept');
  put(at.workspace, 'secret.key', 'tracked');
  put(at.workspace, 'data/large.bin', 'tracked too');
  put(at.workspace, '.gitignore', '.env\n');
  if (!existsSync(join(at.workspace, '.git'))) git(at, 'init', '-q', '-b', 'main');
  commitAll(at.workspace);
  put(at.workspace, '.env', 'SECRET=1');
  put(at.workspace, 'nested/.env', 'SECRET=2');
  put(at.workspace, 'nested/data/file', 'x');
  return at;
};

test('[CAP-2] capture.exclude leaves out what is tracked, included or in a directory, and what comes back with ! stays', () => {
  const at = project();
  expect(held(at, checkpoint(at))).toEqual([
    '.env',
    '.gitignore',
    'data/large.bin',
    'kept.txt',
    'nested/.env',
    'nested/data/file',
    'secret.key',
  ]);
  exclude(at, '*.key', '/data/', '.env', '!/nested/.env');
  expect(held(at, checkpoint(at))).toEqual(['.gitignore', 'kept.txt', 'nested/.env', 'nested/data/file']);
  expect(at.retake.json(at.workspace, 'checkpoint')).toMatchObject({ status: 'complete', omissions: [] });
  at.retake.json(at.workspace, 'settings', 'capture.exclude', '--unset', '--workspace');
  expect(held(at, checkpoint(at))).toContain('secret.key');
});

test('[CAP-2] a .gitignore that is excluded counts all the same', () => {
  const at = repositoryScene();
  put(at.workspace, '.gitignore', 'ignored\n');
  put(at.workspace, 'ignored', 'x');
  put(at.workspace, 'file', 'x');
  exclude(at, '.gitignore');
  const before = checkpoint(at);
  expect(held(at, before)).toEqual(['file']);
  put(at.workspace, 'file', 'y');
  expect(at.retake.json(at.workspace, 'rewind', before, '--yes').kept).toEqual([]);
  expect(existsSync(join(at.workspace, 'ignored'))).toBe(true);
});

test('[RST-5] a rollback to a checkpoint made under excludes deletes nothing that these left out', () => {
  const at = project();
  exclude(at, '*.key', 'data/');
  const then = checkpoint(at);
  at.retake.json(at.workspace, 'settings', 'capture.exclude', '--unset', '--workspace');
  put(at.workspace, 'kept.txt', 'changed');
  put(at.workspace, 'other.key', 'new, and may have been there');
  checkpoint(at);
  const plan = at.retake.json(at.workspace, 'rewind', then, '--yes');
  expect(plan.operations).toMatchObject([{ type: 'restore', path: 'kept.txt' }]);
  expect(plan.kept.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining(['secret.key', 'other.key', 'data/large.bin']),
  );
  for (const path of ['secret.key', 'other.key', 'data/large.bin'])
    expect([path, existsSync(join(at.workspace, path))]).toEqual([path, true]);
});

test('[RST-5] what is excluded now stays as it is, though the target holds it, is told of, and stays when that is undone', () => {
  const at = project();
  const then = checkpoint(at);
  exclude(at, '*.key', '/data/');
  put(at.workspace, 'kept.txt', 'changed');
  put(at.workspace, 'secret.key', 'newer than anything recorded');
  rmSync(join(at.workspace, 'data'), { recursive: true });
  const before = observeWorkspace(at.workspace);
  const plan = at.retake.json(at.workspace, 'rewind', then, '--yes');
  expect(plan.operations).toMatchObject([{ type: 'restore', path: 'kept.txt' }]);
  expect(plan.inTheWay).toEqual([]);
  expect(plan.kept).toEqual([
    { path: 'data', reason: expect.stringContaining('capture.exclude') },
    { path: 'secret.key', reason: expect.stringContaining('capture.exclude') },
  ]);
  expect(readFileSync(join(at.workspace, 'secret.key'), 'utf8')).toBe('newer than anything recorded');
  expect(existsSync(join(at.workspace, 'data'))).toBe(false);
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(before);
});

test('[CAP-2] excludes changed while the daemon watches are in force with the next record, as they are without it', async () => {
  const at = project(daemonScene(PATIENT));
  await startDaemon(at);
  await tell(at, promptPayload(at, 'first'));
  await untilWatched(at);
  const newest = (): string[] => held(at, at.retake.json(at.workspace, 'log', '--limit', '1').operations[0].id);
  expect(newest()).toContain('secret.key');
  exclude(at, '*.key', 'data/');
  await tell(at, promptPayload(at, 'second'));
  expect(newest()).toEqual(['.env', '.gitignore', 'kept.txt', 'nested/.env']);
  await untilWatched(at);
  put(at.workspace, 'more.key', 'x');
  put(at.workspace, 'data/more', 'x');
  put(at.workspace, 'nested/more', 'x');
  await tell(at, promptPayload(at, 'third'));
  expect(newest()).toEqual(['.env', '.gitignore', 'kept.txt', 'nested/.env', 'nested/more']);
  at.retake.json(at.workspace, 'settings', 'capture.exclude', '--unset', '--workspace');
  await tell(at, promptPayload(at, 'fourth'));
  expect(newest()).toEqual(expect.arrayContaining(['secret.key', 'more.key', 'data/more', 'nested/data/file']));
});

test('[CAP-2] what an agent edits by name is not captured where it is excluded', async () => {
  const { at, session } = await keepScene({ 'a.txt': 'a\n', 'secret.key': 'one\n' });
  exclude(at, '*.key');
  await session.prompt('Change the key');
  await edit(at, session, 'secret.key', 'two\n');
  const { operations } = at.retake.json(at.workspace, 'log', '--limit', '1');
  expect(held(at, operations[0].id)).toEqual(['a.txt']);
});

test('[GIT-3] [GIT-5] excluding a tracked file in a session is no deletion of it: commits and branches have what git has', async () => {
  const { at, session } = await keepScene({ 'a.txt': 'a\n', 'secret.key': 'one\n' });
  await session.prompt('Change the text');
  await session.step('Bash', { command: 'x' }, () => {
    exclude(at, '*.key');
    write(at, 'a.txt', 'agent\n');
  });
  const [newest] = at.retake.json(at.workspace, 'log', '--limit', '1').operations;
  const { branch, leftOut } = at.retake.json(at.workspace, 'branch', newest.id);
  expect(git(at, 'show', `${branch}:secret.key`)).toBe('one\n');
  expect(git(at, 'show', `${branch}:a.txt`)).toBe('agent\n');
  expect(leftOut).toEqual([{ path: 'secret.key', reason: 'excluded' }]);
  keep(at);
  expect(git(at, 'show', 'HEAD:secret.key')).toBe('one\n');
  expect(git(at, 'show', 'HEAD:a.txt')).toBe('agent\n');
  at.retake.json(at.workspace, 'discard', '--yes');
  expect([read(at, 'a.txt'), read(at, 'secret.key')]).toEqual(['a\n', 'one\n']);
});

test('[STO-4] excludes travel with an export, so that a rollback elsewhere deletes nothing for want of them', async () => {
  const { at, session } = await keepScene({ 'a.txt': 'a\n', 'secret.key': 'one\n' });
  exclude(at, '*.key');
  await session.prompt('Change the text');
  await edit(at, session, 'a.txt', 'agent\n');
  const file = join(at.retake.home, 'session.retake');
  at.retake.json(at.workspace, 'export', session.id, '--output', file);
  const other = repositoryScene();
  put(other.workspace, 'secret.key', 'of another place');
  const { newest } = other.retake.json(other.workspace, 'import', file);
  const plan = other.retake.json(other.workspace, 'rewind', newest, '--yes');
  expect(plan.kept).toMatchObject([{ path: 'secret.key' }]);
  expect(readFileSync(join(other.workspace, 'secret.key'), 'utf8')).toBe('of another place');
});
