import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resolveRewind, rollBack, Workspace } from '../../src/engine/index.ts';
import { observeEffects } from '../../src/host/effects.ts';
import type { ByteString, RelativePath } from '../../src/model/index.ts';
import { WorkspaceFs } from '../../src/restore/index.ts';
import { observeDirectory } from '../support/oracle.ts';
import { put, type Scene, scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const outsideDirectory = (): string => {
  const outside = temporaryDirectory();
  for (const name of ['a', 'b', 'c']) put(outside, name, `outside ${name}`, 0o640);
  put(outside, 'sub/d', 'outside d');
  return outside;
};

test('[RST-6] a parent that became a symlink to outside before the run is replaced, not followed', () => {
  const at = scene();
  const outside = outsideDirectory();
  for (const name of ['a', 'b']) put(at.workspace, `dir/${name}`, '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  for (const name of ['a', 'b', 'new']) put(at.workspace, `dir/${name}`, '2');
  const plan = at.retake.json(at.workspace, 'rewind', id, '--dry-run');
  rmSync(join(at.workspace, 'dir'), { recursive: true });
  symlinkSync(outside, join(at.workspace, 'dir'));
  const untouched = observeDirectory(outside, { mtimes: true });

  const stale = at.retake.run(at.workspace, 'rewind', id, '--yes', '--expect', plan.expectedTree, '--json');
  expect(stale).toMatchObject({ code: 1, json: { error: { code: 'workspace-moved' } } });
  expect(lstatSync(join(at.workspace, 'dir')).isSymbolicLink()).toBe(true);
  expect(observeDirectory(outside, { mtimes: true })).toEqual(untouched);

  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(readFileSync(join(at.workspace, 'dir/a'), 'utf8')).toBe('1');
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(lstatSync(join(at.workspace, 'dir')).isSymbolicLink()).toBe(true);
  expect(observeDirectory(outside, { mtimes: true })).toEqual(untouched);
});

const SWAPPER = `
  const { renameSync } = require('node:fs');
  process.chdir(process.argv[1]);
  process.stdout.write('up');
  for (;;) {
    try { renameSync('dir', 'dir.real'); renameSync('dir.link', 'dir'); } catch {}
    try { renameSync('dir', 'dir.link'); renameSync('dir.real', 'dir'); } catch {}
  }`;

test('[RST-6] a directory that is swapped for a link to outside all the time never leads a rollback out', async () => {
  const at = scene();
  const outside = outsideDirectory();
  mkdirSync(join(at.workspace, 'dir'));
  for (const name of ['a', 'b', 'c', 'sub/d']) put(at.workspace, `dir/${name}`, '1');
  put(at.workspace, 'steady', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  const untouched = observeDirectory(outside, { mtimes: true });
  symlinkSync(outside, join(at.workspace, 'dir.link'));
  const child = spawn(process.execPath, ['-e', SWAPPER, at.workspace], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  process.env.RETAKE_HOME = at.retake.home;
  onTestFinished(() => void delete process.env.RETAKE_HOME);
  let tried = 0;
  for (let i = 0; i < 40; i++) {
    // Whatever the swapping makes of it: done, refused or failed, but never outside.
    const workspace = await Workspace.open({ directory: at.workspace });
    await rollBack(workspace, resolveRewind(workspace, id)).then(
      () => tried++,
      () => tried++,
    );
    workspace.close();
    put(at.workspace, 'steady', `${i}`);
  }
  expect(tried).toBe(40);
  expect(observeDirectory(outside, { mtimes: true })).toEqual(untouched);
});

/** Runs a rollback in this process and does something just before a certain change to the disk. */
const interfere = async (at: Scene, id: string, kind: string, work: () => void): Promise<unknown> => {
  process.env.RETAKE_HOME = at.retake.home;
  onTestFinished(() => void delete process.env.RETAKE_HOME);
  const workspace = await Workspace.open({ directory: at.workspace });
  let done = false;
  observeEffects((effect) => {
    if (done || effect.kind !== kind || !effect.path.startsWith('/proc/self/fd/')) return;
    done = true;
    work();
  });
  onTestFinished(() => observeEffects(undefined));
  const result = await rollBack(workspace, resolveRewind(workspace, id)).catch((error: unknown) => error);
  observeEffects(undefined);
  workspace.close();
  expect(done, `no ${kind} happened: ${result}`).toBe(true);
  return result;
};

test.each(['create', 'rename', 'unlink', 'mkdir', 'rmdir', 'symlink', 'chmod'])(
  '[RST-6] the directory becomes a link to outside just before a %s',
  async (kind) => {
    const at = scene();
    const outside = outsideDirectory();
    for (const name of ['a', 'b']) put(at.workspace, `dir/${name}`, '1');
    symlinkSync('a', join(at.workspace, 'dir/link'));
    mkdirSync(join(at.workspace, 'dir/made'));
    put(at.workspace, 'dir/c', 'c', 0o600);
    const { id } = at.retake.json(at.workspace, 'checkpoint');
    put(at.workspace, 'dir/a', '2');
    put(at.workspace, 'dir/sub/d', '2');
    rmSync(join(at.workspace, 'dir/link'));
    rmSync(join(at.workspace, 'dir/made'), { recursive: true });
    chmodSync(join(at.workspace, 'dir/c'), 0o644);
    const untouched = observeDirectory(outside, { mtimes: true });
    await interfere(at, id, kind, () => {
      renameSync(join(at.workspace, 'dir'), join(at.workspace, 'dir.away'));
      symlinkSync(outside, join(at.workspace, 'dir'));
    });
    expect(observeDirectory(outside, { mtimes: true })).toEqual(untouched);
  },
);

test('[RST-6] the file itself becomes a link to outside just before its permissions are set', async () => {
  const at = scene();
  const outside = put(temporaryDirectory(), 'file', 'outside', 0o600);
  put(at.workspace, 'file', 'inside', 0o755);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  chmodSync(join(at.workspace, 'file'), 0o644);
  await interfere(at, id, 'chmod', () => {
    rmSync(join(at.workspace, 'file'));
    symlinkSync(outside, join(at.workspace, 'file'));
  });
  expect((statSync(outside).mode & 0o7777).toString(8)).toBe('600');
});

test('[RST-6] the permissions of a link that appeared after the look are not set on what it leads to', () => {
  const root = temporaryDirectory();
  const outside = put(temporaryDirectory(), 'file', 'outside', 0o600);
  symlinkSync(outside, join(root, 'file'));
  // The system may refuse it for a link; what counts is where it did not get.
  expect(() => new WorkspaceFs(root as ByteString).setPermissions('file' as RelativePath, 0o755)).toThrow();
  expect((statSync(outside).mode & 0o7777).toString(8)).toBe('600');
});
