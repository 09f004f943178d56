import { expect, test } from 'vitest';
import { BIN } from '../support/cli.ts';
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
  expect(code).toBe(0);
  expect(shown).toContain('No recovery branch was made:');
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

test('[GIT-5] a branch that fails when the rewind is done is told, and the rewind stands', () => {
  const { at, id } = inRepository();
  // A branch of this name leaves no room for one below it.
  git(at, 'branch', 'recovery');
  expect(rewind(at, id, '--recovery-branch')).toMatchObject({
    recoveryBranch: null,
    recoveryBranchProblem: { code: 'git-failed' },
    rollbackId: expect.any(String),
  });
  expect(read(at, 'a.txt')).toBe('before\n');
});
