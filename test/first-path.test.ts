import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { retakeIn } from './support/cli.ts';
import { gitIn } from './support/git.ts';
import { observeDirectory, observeWorkspace } from './support/oracle.ts';
import { temporaryDirectory } from './support/temporary.ts';

test('[RST-1] [RST-7] a rewind does what its dry run says, and undo brings back the other state', () => {
  const workspace = temporaryDirectory();
  const retake = retakeIn(temporaryDirectory());
  gitIn(workspace, 'init', '-q');
  mkdirSync(join(workspace, 'src/deep'), { recursive: true });
  mkdirSync(join(workspace, 'empty'));
  writeFileSync(join(workspace, 'src/a.ts'), 'one\ntwo\n');
  writeFileSync(join(workspace, 'src/deep/secret'), 'key', { mode: 0o600 });
  writeFileSync(join(workspace, 'run.sh'), '#!/bin/sh\n');
  chmodSync(join(workspace, 'run.sh'), 0o755);
  gitIn(workspace, 'add', '-A');
  gitIn(workspace, 'commit', '-qm', 'begin');
  const before = observeWorkspace(workspace);
  const git = observeDirectory(join(workspace, '.git'), { mtimes: true });
  const { id, status } = retake.json(workspace, 'checkpoint', '--name', 'start');
  expect(status).toBe('complete');

  writeFileSync(join(workspace, 'src/a.ts'), 'one\n2\n');
  rmSync(join(workspace, 'src/deep'), { recursive: true });
  rmSync(join(workspace, 'empty'), { recursive: true });
  chmodSync(join(workspace, 'run.sh'), 0o644);
  writeFileSync(join(workspace, 'made-by-shell'), 'new');
  const after = observeWorkspace(workspace);

  const plan = retake.json(workspace, 'rewind', id, '--dry-run');
  expect(plan.operations.map(({ type, path }: { type: string; path: string }) => `${type} ${path}`)).toEqual([
    'mkdir empty',
    'delete made-by-shell',
    'chmod run.sh',
    'restore src/a.ts',
    'mkdir src/deep',
    'create src/deep/secret',
  ]);
  expect(observeWorkspace(workspace)).toEqual(after);

  const done = retake.json(workspace, 'rewind', 'start', '--yes', '--expect', plan.expectedTree);
  expect(observeWorkspace(workspace)).toEqual(before);
  expect(done.safetyCheckpoint).toMatch(/^[0-9a-f]{40}$/);
  retake.json(workspace, 'undo', '--yes');
  expect(observeWorkspace(workspace)).toEqual(after);
  retake.json(workspace, 'redo', '--yes');
  expect(observeWorkspace(workspace)).toEqual(before);
  expect(observeDirectory(join(workspace, '.git'), { mtimes: true })).toEqual(git);
  expect(readFileSync(join(workspace, 'src/a.ts'), 'utf8')).toBe('one\ntwo\n');
});
