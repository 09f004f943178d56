import { spawnSync } from 'node:child_process';
import { chmodSync, linkSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN } from '../support/cli.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { put, repositoryScene, roundTrip, scene, steps } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const bits = (path: string): string => (lstatSync(path).mode & 0o7777).toString(8).padStart(4, '0');

test('[CAP-1] [REL-1] permission bits of files and directories come back exactly', () => {
  const at = repositoryScene();
  const files = {
    secret: 0o600,
    frozen: 0o400,
    program: 0o755,
    closed: 0o711,
    shared: 0o664,
    setuid: 0o4755,
    nothing: 0o000,
    group: 0o640,
  };
  for (const [name, mode] of Object.entries(files)) put(at.workspace, `files/${name}`, name, mode);
  const directories = { setgid: 0o2755, private: 0o700, sticky: 0o1777, 'read-only': 0o555, group: 0o2775 };
  for (const [name, mode] of Object.entries(directories)) {
    put(at.workspace, `${name}/inside`, name);
    mkdirSync(join(at.workspace, `${name}/empty`));
    chmodSync(join(at.workspace, name), mode);
  }
  const { id, status } = roundTrip(at, { git: join(at.workspace, '.git') });
  expect(status).toBe('complete');
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  for (const [name, mode] of Object.entries(files))
    expect(`${name} ${bits(join(at.workspace, 'files', name))}`).toBe(`${name} ${mode.toString(8).padStart(4, '0')}`);
  for (const [name, mode] of Object.entries(directories))
    expect(`${name} ${bits(join(at.workspace, name))}`).toBe(`${name} ${mode.toString(8).padStart(4, '0')}`);
});

test('[CAP-1] a change of permissions alone is seen and taken back as such', () => {
  const at = scene();
  put(at.workspace, 'run.sh', '#!/bin/sh\n', 0o755);
  put(at.workspace, 'key', 'k', 0o600);
  mkdirSync(join(at.workspace, 'dir'), { mode: 0o700 });
  const before = observeWorkspace(at.workspace);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  chmodSync(join(at.workspace, 'run.sh'), 0o700);
  chmodSync(join(at.workspace, 'key'), 0o644);
  chmodSync(join(at.workspace, 'dir'), 0o755);
  expect(
    at.retake.json(at.workspace, 'diff', id).files.map(({ path, status }: { path: string; status: string }) => `${path} ${status}`),
  ).toEqual(expect.arrayContaining(['key mode', 'run.sh mode']));
  const plan = at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(steps(plan)).toEqual(['chmod dir', 'chmod key', 'chmod run.sh']);
  expect(observeWorkspace(at.workspace)).toEqual(before);
});

test('[CAP-1] a tree made under umask 002 comes back, also when Retake runs under umask 077', () => {
  const at = scene();
  spawnSync('sh', ['-c', 'umask 002; mkdir -p a/b/c; for i in 1 2 3; do echo $i >a/$i; echo $i >a/b/$i; done; touch a/x; chmod +x a/x'], {
    cwd: at.workspace,
  });
  expect(bits(join(at.workspace, 'a/1'))).toBe('0664');
  const before = observeWorkspace(at.workspace);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  rmSync(join(at.workspace, 'a'), { recursive: true });
  const run = spawnSync('sh', ['-c', `umask 077; exec ${BIN} rewind ${id} --yes`], {
    cwd: at.workspace,
    env: at.retake.env,
    encoding: 'utf8',
  });
  expect(run.stderr + run.stdout).toContain('Done');
  expect(observeWorkspace(at.workspace)).toEqual(before);
});

test('[RST-3] files that a rewind does not change keep their times and their inodes', () => {
  const at = repositoryScene();
  for (let i = 0; i < 20; i++) put(at.workspace, `dir/${i}`, `${i}`);
  for (let i = 0; i < 20; i++) utimesSync(join(at.workspace, `dir/${i}`), 1_000_000_000 + i, 1_000_000_000 + i);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  const stamp = (i: number): string => {
    const { mtimeMs, ctimeMs, ino } = statSync(join(at.workspace, `dir/${i}`));
    return `${mtimeMs} ${ctimeMs} ${ino}`;
  };
  const before = Array.from({ length: 19 }, (_, i) => stamp(i));
  put(at.workspace, 'dir/19', 'changed');
  put(at.workspace, 'dir/20', 'new');
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  at.retake.json(at.workspace, 'undo', '--yes');
  at.retake.json(at.workspace, 'redo', '--yes');
  expect(readFileSync(join(at.workspace, 'dir/19'), 'utf8')).toBe('19');
  expect(Array.from({ length: 19 }, (_, i) => stamp(i))).toEqual(before);
});

test('[RST-6] a file hard-linked from outside keeps its content there', () => {
  const at = scene();
  const outside = put(temporaryDirectory(), 'original', 'version one');
  linkSync(outside, join(at.workspace, 'linked'));
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  writeFileSync(outside, 'version two, through the link');
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(readFileSync(join(at.workspace, 'linked'), 'utf8')).toBe('version one');
  expect(readFileSync(outside, 'utf8')).toBe('version two, through the link');
});

test('[RST-6] a file hard-linked from outside keeps its permissions there', () => {
  const at = scene();
  const outside = put(temporaryDirectory(), 'original', 'same', 0o644);
  linkSync(outside, join(at.workspace, 'linked'));
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  chmodSync(outside, 0o600);
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(bits(join(at.workspace, 'linked'))).toBe('0644');
  expect(bits(outside)).toBe('0600');
});
