import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import { expectRefusal } from '../support/refusal.ts';
import type { Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { edit, git, keepScene, read, write } from './kept.ts';

const bareRemote = (at: Scene, name = 'origin'): string => {
  const remote = temporaryDirectory();
  gitIn(remote, 'init', '-q', '--bare', '-b', 'main');
  git(at, 'remote', 'add', name, remote);
  return remote;
};

const branchesOf = (directory: string): string[] =>
  gitIn(directory, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n').filter(Boolean);

/** A turn that changed one file, with a remote that has nothing yet. */
const changed = async () => {
  const { at, session } = await keepScene({ 'a.txt': 'begin\n' });
  await session.prompt('Change it');
  await edit(at, session, 'a.txt', 'changed\n');
  await session.answer('done');
  return { at, session, remote: bareRemote(at) };
};

/** The same, with the conversation taken on in another way from the beginning. */
const forked = async () => {
  const scene = await changed();
  const { at, session } = scene;
  at.retake.json(at.workspace, 'rewind', 't1', '--yes');
  session.rewindTo(null);
  await session.prompt('Another way');
  await edit(at, session, 'a.txt', 'otherwise\n');
  await session.answer('done');
  const other = at.retake
    .json(at.workspace, 'forks')
    .tree.flatMap((branch: { children: unknown[] }) => [branch, ...branch.children])
    .find(({ current }: { current: boolean }) => !current);
  return { ...scene, other: other.branch as string };
};

describe('a recovery branch, named and pushed', () => {
  const ROUTES: readonly [string, () => Promise<{ at: Scene; remote: string; line: string[]; was: string; becomes: string }>][] = [
    ['rewind', async () => ({ ...(await changed()), line: ['rewind', 't1'], was: 'changed\n', becomes: 'begin\n' })],
    ['discard', async () => ({ ...(await changed()), line: ['discard'], was: 'changed\n', becomes: 'begin\n' })],
    ['revert', async () => ({ ...(await changed()), line: ['revert', 't1'], was: 'changed\n', becomes: 'begin\n' })],
    [
      'undo',
      async () => {
        const scene = await changed();
        scene.at.retake.json(scene.at.workspace, 'rewind', 't1', '--yes');
        return { ...scene, line: ['undo'], was: 'begin\n', becomes: 'changed\n' };
      },
    ],
    [
      'redo',
      async () => {
        const scene = await changed();
        for (const line of [['rewind', 't1', '--yes'], ['undo']]) scene.at.retake.json(scene.at.workspace, ...line);
        return { ...scene, line: ['redo'], was: 'changed\n', becomes: 'begin\n' };
      },
    ],
    [
      'switch',
      async () => {
        const scene = await forked();
        return { ...scene, line: ['switch', scene.other], was: 'otherwise\n', becomes: 'changed\n' };
      },
    ],
  ];
  for (const [name, play] of ROUTES) {
    test(`[GIT-5] ${name} makes it and pushes it in the same act, and says so beforehand`, async () => {
      const { at, remote, line, was, becomes } = await play();
      const flags = ['--recovery-branch', 'kept/before', '--push', 'origin'];
      const dry = at.retake.json(at.workspace, ...line, ...flags, '--dry-run');
      expect(dry.recoveryBranch).toEqual({ branch: 'kept/before', pushTo: 'origin' });
      const { stdout } = at.retake.run(at.workspace, ...line, ...flags, '--dry-run');
      expect(stdout).toContain('The files as they are now become the branch kept/before, which is pushed to origin');
      expect([branchesOf(remote), read(at, 'a.txt')]).toEqual([[], was]);
      // Others see what is pushed: nobody does that unasked.
      expect(at.retake.run(at.workspace, ...line, ...flags, '--json').json.error.code).toBe('needs-confirmation');
      const done = at.retake.json(at.workspace, ...line, ...flags, '--yes');
      expect(done.recoveryBranch).toMatchObject({ branch: 'kept/before', pushTo: 'origin', pushed: true });
      expect(gitIn(remote, 'show', 'kept/before:a.txt')).toBe(was);
      expect([branchesOf(remote), read(at, 'a.txt')]).toEqual([['kept/before'], becomes]);
    });
  }

  test('[GIT-5] [RST-1] what can be known to fail is refused before anything changes', async () => {
    const { at, session, remote } = await changed();
    const refused = (code: string, ...flags: string[]) => {
      expectRefusal((...line) => at.retake.run(at.workspace, ...line), ['discard', '--yes', ...flags], code, code === 'usage' ? 2 : 1);
      expect([read(at, 'a.txt'), branchesOf(at.workspace)]).toEqual(['changed\n', ['main']]);
    };
    refused('no-remote', '--push', 'nowhere');
    refused('usage', '--no-recovery-branch', '--push', 'origin');
    git(at, 'push', '-q', 'origin', 'main:kept/before', 'main:taken');
    refused('branch-exists', '--recovery-branch', 'kept/before', '--push', 'origin');
    refused('branch-exists', '--recovery-branch', 'kept', '--push', 'origin');
    refused('branch-exists', '--recovery-branch', 'taken/below', '--push', 'origin');
    git(at, 'remote', 'set-url', '--push', 'origin', join(remote, 'gone'));
    refused('push-rejected', '--push', 'origin');
    git(at, 'remote', 'set-url', '--push', 'origin', remote);
    // The usual name is one that is free on both sides.
    git(at, 'push', '-q', 'origin', `main:recovery/${session.id}`);
    const { recoveryBranch } = at.retake.json(at.workspace, 'discard', '--yes', '--push', 'origin');
    expect(recoveryBranch).toMatchObject({ branch: `recovery/${session.id}-2`, pushed: true });
  });

  test('[GIT-5] [RST-1] a push that fails late is told: the files have gone back, and the branch is there', async () => {
    const { at, remote } = await changed();
    writeFileSync(join(remote, 'hooks/pre-receive'), '#!/bin/sh\necho not today >&2\nexit 1\n');
    chmodSync(join(remote, 'hooks/pre-receive'), 0o755);
    const { code, json } = at.retake.run(
      at.workspace,
      'discard',
      '--recovery-branch',
      'kept/before',
      '--push',
      'origin',
      '--yes',
      '--json',
    );
    expect([code, json.error.code]).toEqual([1, 'push-rejected']);
    expect(json.error.message).toBe('The discard is done and the branch kept/before is made, but it could not be pushed to origin');
    expect(json.error.details).toMatchObject({
      rollbackId: expect.any(String),
      recoveryBranch: { branch: 'kept/before', pushTo: 'origin', pushed: false },
      recoveryBranchProblem: { code: 'push-rejected' },
    });
    expect([read(at, 'a.txt'), branchesOf(at.workspace), branchesOf(remote)]).toEqual(['begin\n', ['kept/before', 'main'], []]);
    rmSync(join(remote, 'hooks/pre-receive'));
  });
});

test('[RST-7] [STO-3] the plan says until when it can be undone, and so does what comes of it', async () => {
  const { at } = await changed();
  at.retake.json(at.workspace, 'settings', 'retention.rolledBackDays', '10', '--workspace');
  const days = (iso: string) => Math.round((Date.parse(iso) - Date.now()) / 86_400_000);
  const planned = at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'code', '--dry-run').undoableUntil;
  expect(days(planned)).toBe(10);
  expect(at.retake.run(at.workspace, 'rewind', 't1', '--scope', 'code', '--dry-run').stdout).toMatch(
    /^It can be undone until \d{4}-\d{2}-\d{2}: retake undo$/m,
  );
  const done = at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'code', '--yes').undoableUntil;
  expect(days(done)).toBe(10);
  expect(Date.parse(done)).toBeGreaterThanOrEqual(Date.parse(planned));
  // Nothing changes, so that there is nothing to undo.
  expect(at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'code', '--dry-run').undoableUntil).toBeNull();
  write(at, 'a.txt', 'mine\n');
  expect(days(at.retake.json(at.workspace, 'undo', '--dry-run').undoableUntil)).toBe(10);
});
