import { expect, test } from 'vitest';
import { BIN } from '../support/cli.ts';
import { gitIn } from '../support/git.ts';
import { expectRefusal } from '../support/refusal.ts';
import { commitAll, put, repositoryScene, type Scene, scene } from '../support/scene.ts';
import { runInTerminal } from '../support/terminal-run.ts';
import { git, read } from './kept.ts';

/** A checkpoint, and one file changed since. */
const changed = (at: Scene): string => {
  put(at.workspace, 'a.txt', 'before\n');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'a.txt', 'after\n');
  return id;
};

const inRepository = (): { at: Scene; id: string } => {
  const at = repositoryScene();
  put(at.workspace, 'b.txt', 'b\n');
  commitAll(at.workspace);
  return { at, id: changed(at) };
};

const branches = (at: Scene): string[] => git(at, 'branch', '--format=%(refname:short)').trim().split('\n').sort();

const rewind = (at: Scene, ...args: string[]) => at.retake.json(at.workspace, 'rewind', ...args);

test('[GIT-5] rewind --recovery-branch makes a branch of the state before, shows it first, and asks for no more than without', () => {
  const { at, id } = inRepository();
  expect(rewind(at, id, '--dry-run').recoveryBranch).toBeNull();
  const { branch } = rewind(at, id, '--dry-run', '--recovery-branch').recoveryBranch;
  expect(branch).toMatch(/^recovery\//);
  expect(branches(at)).toEqual(['main']);
  // One file: nobody is asked.
  const { recoveryBranch } = rewind(at, id, '--recovery-branch');
  expect(recoveryBranch).toMatchObject({ branch, leftOut: [], parent: git(at, 'rev-parse', 'HEAD').trim() });
  expect(git(at, 'show', `${branch}:a.txt`)).toBe('after\n');
  expect(read(at, 'a.txt')).toBe('before\n');
  at.retake.json(at.workspace, 'undo');
  expect(rewind(at, id, '--recovery-branch', 'kept/mine').recoveryBranch.branch).toBe('kept/mine');
  at.retake.json(at.workspace, 'undo');
  const { stdout } = at.retake.run(at.workspace, 'rewind', id, '--recovery-branch');
  expect(stdout).toMatch(new RegExp(`The files as they are now become the branch ${branch}-2`));
  expect(stdout).toMatch(new RegExp(`Branch ${branch}-2 has the files as they were before`));
});

test('[GIT-5] [RST-1] the branch is the one that the plan showed: where that was made meanwhile, none is made under another name', async () => {
  const { at, id } = inRepository();
  put(at.workspace, 'more.txt', 'made since\n');
  const { branch } = rewind(at, id, '--dry-run', '--recovery-branch').recoveryBranch;
  let isAnswered = false;
  const { shown, code } = await runInTerminal(`'${BIN}' rewind ${id} --recovery-branch`, {
    directory: at.workspace,
    env: at.retake.env,
    onShown: (text) => {
      if (isAnswered || !text.includes('[y/N]')) return undefined;
      isAnswered = true;
      git(at, 'branch', branch);
      return 'y\r';
    },
  });
  expect(code).toBe(1);
  expect(shown).toContain('The rewind is done, but no recovery branch was made:');
  expect(branches(at)).toEqual(['main', branch]);
  expect(read(at, 'a.txt')).toBe('before\n');
});

test('[GIT-5] git.recoveryBranch has every rewind of code make one, unless --no-recovery-branch says otherwise', () => {
  const { at, id } = inRepository();
  at.retake.json(at.workspace, 'settings', 'git.recoveryBranch', 'true', '--workspace');
  expect(rewind(at, id, '--no-recovery-branch')).toMatchObject({ recoveryBranch: null, operations: [{ path: 'a.txt' }] });
  expect(branches(at)).toEqual(['main']);
  at.retake.json(at.workspace, 'undo');
  expect(branches(at)).toEqual(['main']);
  const { branch } = rewind(at, id).recoveryBranch;
  expect(git(at, 'show', `${branch}:a.txt`)).toBe('after\n');
  // Nothing goes back, so that nothing has to be kept.
  expect(rewind(at, id)).toMatchObject({ rollbackId: null, recoveryBranch: null });
});

test('[GIT-5] a branch that was asked for and can not be made stops the rewind; one that is only usual does not', () => {
  const { at, id } = inRepository();
  const refused = (one: Scene, code: string, ...args: string[]) =>
    expectRefusal((...line) => one.retake.run(one.workspace, ...line), ['rewind', ...args], code, 1);
  refused(at, 'branch-exists', id, '--recovery-branch', 'main');
  refused(at, 'bad-branch', id, '--recovery-branch', 'a..b');
  expect(read(at, 'a.txt')).toBe('after\n');
  const outside = scene();
  const there = changed(outside);
  refused(outside, 'no-repository', there, '--recovery-branch');
  outside.retake.json(outside.workspace, 'settings', 'git.recoveryBranch', 'true');
  expect(rewind(outside, there)).toMatchObject({ recoveryBranch: null, operations: [{ path: 'a.txt' }] });
});

/** Why no branch can be made, though there is a repository. */
const HINDRANCES: readonly [string, string, (at: Scene) => unknown][] = [
  ['a branch that leaves no room for one below it', 'branch-exists', (at) => git(at, 'branch', 'recovery')],
  ['no name and address for commits', 'commit-refused', (at) => void namelessly(at)],
];

/** git neither knows who commits nor may make it up. */
const namelessly = ({ retake: { env }, workspace }: Scene): void => {
  for (const name of Object.keys(env)) if (/^GIT_(AUTHOR|COMMITTER)_/.test(name)) delete env[name];
  gitIn(workspace, 'config', 'user.useConfigOnly', 'true');
};

for (const [what, code, hinder] of HINDRANCES) {
  test(`[GIT-5] [RST-1] ${what}: refused before anything changes where a branch is asked for, told in the plan where it is only usual`, () => {
    const { at, id } = inRepository();
    hinder(at);
    const before = branches(at);
    for (const args of [['--recovery-branch'], ['--recovery-branch', '--yes'], ['--recovery-branch', 'recovery/mine']])
      expectRefusal((...line) => at.retake.run(at.workspace, ...line), ['rewind', id, ...args], code);
    expect([read(at, 'a.txt'), branches(at)]).toEqual(['after\n', before]);
    at.retake.json(at.workspace, 'settings', 'git.recoveryBranch', 'true');
    expect(rewind(at, id, '--dry-run')).toMatchObject({ recoveryBranch: null, recoveryBranchProblem: { code } });
    const { stdout, code: exit } = at.retake.run(at.workspace, 'rewind', id);
    expect([exit, stdout]).toEqual([0, expect.stringContaining('No recovery branch can be made:')]);
    expect([read(at, 'a.txt'), branches(at)]).toEqual(['before\n', before]);
  });
}

test('[GIT-5] a branch below the usual name leaves that to it, and below a wished name refuses it', () => {
  const { at, id } = inRepository();
  const { branch } = rewind(at, id, '--dry-run', '--recovery-branch').recoveryBranch;
  git(at, 'branch', `${branch}/below`);
  expect(rewind(at, id, '--dry-run', '--recovery-branch').recoveryBranch.branch).toBe(`${branch}-2`);
  expectRefusal((...line) => at.retake.run(at.workspace, ...line), ['rewind', id, '--recovery-branch', branch], 'branch-exists');
  expect(rewind(at, id, '--recovery-branch').recoveryBranch.branch).toBe(`${branch}-2`);
});

test('[GIT-5] a branch that fails when the rewind is done is told, with exit code 1 where it was asked for, and the rewind stands', () => {
  const { at, id } = inRepository();
  const { branch } = rewind(at, id, '--dry-run', '--recovery-branch').recoveryBranch;
  // As git leaves it that was killed while it made the branch.
  put(at.workspace, `.git/refs/heads/${branch}.lock`, '');
  const { code, json } = at.retake.run(at.workspace, 'rewind', id, '--recovery-branch', '--json');
  expect([code, json.error]).toMatchObject([1, { code: 'git-failed', details: { rollbackId: expect.any(String), recoveryBranch: null } }]);
  expect(read(at, 'a.txt')).toBe('before\n');
  at.retake.json(at.workspace, 'undo');
  const { code: exit, stdout, stderr } = at.retake.run(at.workspace, 'rewind', id, '--recovery-branch');
  expect([exit, stdout, stderr]).toEqual([
    1,
    expect.stringMatching(/a\.txt/),
    expect.stringMatching(/no recovery branch was made:.*\n.*retake branch /),
  ]);
  at.retake.json(at.workspace, 'undo');
  at.retake.json(at.workspace, 'settings', 'git.recoveryBranch', 'true');
  expect(rewind(at, id)).toMatchObject({ recoveryBranch: null, recoveryBranchProblem: { code: 'git-failed' } });
});
