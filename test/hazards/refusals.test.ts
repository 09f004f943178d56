import { mkdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { retakeIn } from '../support/cli.ts';
import { storedEntries } from '../support/private-store.ts';
import { expectRefusal } from '../support/refusal.ts';
import { put, repositoryScene, roundTrip, scene, storeOf } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('[CAP-9] $HOME and what contains it are refused, naming the setting that would allow them', () => {
  const above = temporaryDirectory();
  const home = join(above, 'home/me');
  mkdirSync(home, { recursive: true });
  put(home, 'file', '1');
  const retake = retakeIn(home, { RETAKE_HOME: join(temporaryDirectory(), 'retake') });
  for (const directory of [home, join(above, 'home'), '/']) {
    const { hint } = expectRefusal((...args) => retake.run(directory, ...args), ['checkpoint'], 'workspace-refused');
    expect(hint).toContain('capture.allowedRoots');
    expect(hint).toContain(JSON.stringify(directory));
    expect(retake.json(directory, 'log').operations).toEqual([]);
  }
  mkdirSync(join(home, 'project'));
  expect(retake.json(join(home, 'project'), 'checkpoint').status).toBe('complete');
});

test('[CAP-9] the setting allows them', () => {
  const home = temporaryDirectory();
  put(home, 'file', '1');
  const allowed = { RETAKE_HOME: join(temporaryDirectory(), 'retake'), RETAKE_CAPTURE_ALLOWED_ROOTS: JSON.stringify([home, '/']) };
  const retake = retakeIn(home, allowed);
  expect(roundTrip({ workspace: home, retake })).toMatchObject({ status: 'complete', files: 1 });
  const small = retakeIn(home, { ...allowed, RETAKE_HOME: join(temporaryDirectory(), 'retake'), RETAKE_CAPTURE_MAX_FILES: '5' });
  expectRefusal((...args) => small.run('/', ...args), ['checkpoint'], 'over-budget');
});

test('[CAP-9] a $HOME that is a symlink is refused as well', () => {
  const base = temporaryDirectory();
  mkdirSync(join(base, 'real'));
  symlinkSync('real', join(base, 'home'));
  const retake = retakeIn(join(base, 'home'), { RETAKE_HOME: join(temporaryDirectory(), 'retake') });
  expectRefusal((...args) => retake.run(join(base, 'home'), ...args), ['checkpoint'], 'workspace-refused');
  expect(homedir()).not.toBe(base);
});

test('[CAP-9] a tree over the budget is refused, naming the setting; nothing is recorded', () => {
  const at = repositoryScene({ RETAKE_CAPTURE_MAX_FILES: '5' });
  for (let i = 0; i < 6; i++) put(at.workspace, `f${i}`, 'x');
  const { hint } = expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['checkpoint'], 'over-budget');
  expect(hint).toContain('capture.maxFiles');
  expect(at.retake.json(at.workspace, 'log').operations).toEqual([]);
  expect(at.retake.json(at.workspace, 'status').checkpoints).toBe(0);

  put(at.workspace, '.gitignore', 'f5\nf4\n');
  expect(at.retake.json(at.workspace, 'checkpoint').files).toBe(5);
  put(at.workspace, 'one-more', 'x');
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['checkpoint'], 'over-budget');
  expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
});

test('[CAP-9] too many bytes are refused, naming the setting', () => {
  const at = scene({ RETAKE_CAPTURE_MAX_TOTAL_BYTES: '1000' });
  put(at.workspace, 'a', Buffer.alloc(600));
  put(at.workspace, 'b', Buffer.alloc(600));
  expect(expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['checkpoint'], 'over-budget').hint).toContain(
    'capture.maxTotalBytes',
  );
});

test.each([
  ['', (workspace: string) => join(workspace, '.retake')],
  [', with a name that is not ASCII', (workspace: string) => join(workspace, 'données/ré-take')],
  [', given through a symlink', (workspace: string) => join(workspace, 'link/retake')],
])('[CAP-1] a data directory inside the workspace is not captured%s', (_, homeIn) => {
  const base = temporaryDirectory();
  const workspace = join(base, 'workspace');
  mkdirSync(join(workspace, 'real'), { recursive: true });
  symlinkSync('real', join(workspace, 'link'));
  put(workspace, 'file', '1');
  const home = homeIn(workspace);
  const at = { workspace, retake: retakeIn(temporaryDirectory(), { RETAKE_HOME: home }) };
  const first = at.retake.json(workspace, 'checkpoint');
  const second = at.retake.json(workspace, 'checkpoint');
  expect(second).toMatchObject({ id: first.id, changed: 0 });
  expect([...storedEntries(storeOf(at), first.id).keys()].filter((path) => /workspaces|store\.git/.test(path))).toEqual([]);
  put(workspace, 'file', '2');
  at.retake.json(workspace, 'rewind', first.id, '--yes');
  expect(at.retake.json(workspace, 'check', '--full').damage).toEqual([]);
});
