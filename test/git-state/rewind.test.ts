import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { expectRefusal, type Refusal } from '../support/refusal.ts';
import { commitAll, put, repositoryScene, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { assertSound, committedScene, forgetUnreachable, rewindGit, standing } from './support.ts';

/** Goes back with git and forth again; both states must be what they were, to git as to the eye. */
const thereAndBack = (at: Scene, change: (directory: string) => void, { forget = false } = {}): void => {
  const { workspace, retake } = at;
  const before = { git: standing(workspace), files: observeWorkspace(workspace) };
  const { id } = retake.json(workspace, 'checkpoint', '--name', 'before');
  change(workspace);
  const after = { git: standing(workspace), files: observeWorkspace(workspace) };
  expect(after.git).not.toEqual(before.git);
  if (forget) {
    retake.json(workspace, 'checkpoint', '--name', 'after');
    forgetUnreachable(workspace);
  }
  rewindGit(at, id);
  expect({ git: justHead(standing(workspace), before.git), files: observeWorkspace(workspace) }).toEqual(before);
  assertSound(workspace);
  if (forget) forgetUnreachable(workspace);
  retake.json(workspace, 'undo', '--yes');
  expect({ git: standing(workspace), files: observeWorkspace(workspace) }).toEqual(after);
  assertSound(workspace);
};

/** Branches that are not HEAD's stay where they are. */
const justHead = (now: Record<string, string>, then: Record<string, string>): Record<string, string> => {
  for (const line of (then.branches ?? '').split('\n')) expect(now.branches).toContain(line);
  return { ...now, branches: then.branches ?? '' };
};

const refused = ({ workspace, retake }: Scene, id: string, code = 'git-state'): Refusal =>
  expectRefusal((...args) => retake.run(workspace, ...args), ['rewind', id, '--git', '--yes'], code);

const CHANGES: Readonly<Record<string, (directory: string) => void>> = {
  'commits twice and resets hard': (directory) => {
    put(directory, 'one.txt', 'changed\n');
    commitAll(directory, 'a');
    put(directory, 'three.txt', 'new\n');
    commitAll(directory, 'b');
    gitIn(directory, 'reset', '-q', '--hard', 'HEAD~1');
  },
  'goes to a new branch and commits there': (directory) => {
    gitIn(directory, 'checkout', '-q', '-b', 'feature');
    put(directory, 'one.txt', 'feature\n');
    commitAll(directory, 'on feature');
  },
  'stages and unstages': (directory) => {
    gitIn(directory, 'reset', '-q');
    put(directory, 'two.txt', 'third version\n');
    gitIn(directory, 'add', 'two.txt');
  },
  stashes: (directory) => void gitIn(directory, 'stash', '-q', '-u'),
  'cleans all that is not tracked': (directory) => void gitIn(directory, 'clean', '-fdxq'),
  'detaches HEAD': (directory) => void gitIn(directory, 'checkout', '-q', '--detach'),
  'amends the commit': (directory) => void gitIn(directory, 'commit', '-q', '--amend', '-m', 'amended'),
  'rebases onto another branch': (directory) => {
    gitIn(directory, 'stash', '-q', '-u');
    gitIn(directory, 'checkout', '-q', '-b', 'base');
    put(directory, 'base.txt', 'base\n');
    commitAll(directory, 'base');
    gitIn(directory, 'checkout', '-q', 'main');
    put(directory, 'mine.txt', 'mine\n');
    commitAll(directory, 'mine');
    gitIn(directory, 'rebase', '-q', 'base');
  },
  'renames the branch': (directory) => void gitIn(directory, 'branch', '-m', 'renamed'),
};

const STASHES = new Set(['stashes', 'rebases onto another branch']);

/** What the person had under way: a staged change, one staged in part, one not staged, a new file, one that is to be added. */
const busy = (at: Scene, { intends = true } = {}): Scene => {
  const { workspace } = at;
  put(workspace, 'one.txt', 'ONE\ntwo\nthree\n');
  gitIn(workspace, 'add', 'one.txt');
  put(workspace, 'one.txt', 'ONE\ntwo\nTHREE\n');
  put(workspace, 'staged.txt', 'staged and nowhere else\n');
  gitIn(workspace, 'add', 'staged.txt');
  put(workspace, 'staged.txt', 'not staged\n');
  // git itself can not stash a file that is only intended to be added.
  if (intends) {
    put(workspace, 'intended.txt', 'intended\n');
    gitIn(workspace, 'add', '-N', 'intended.txt');
  }
  put(workspace, 'untracked.txt', 'untracked\n');
  return at;
};

for (const [name, change] of Object.entries(CHANGES)) {
  test(`[GIT-2] the agent ${name}: HEAD, branch and index come back exactly, and undo takes that back`, () =>
    thereAndBack(busy(committedScene(), { intends: !STASHES.has(name) }), change));
}

test.each(['sha1', 'sha256'])("[GIT-2] after the user's own gc, everything comes from the store (%s)", (format) => {
  const at = busy(committedScene({}, `--object-format=${format}`));
  thereAndBack(
    at,
    (directory) => {
      gitIn(directory, 'reset', '-q', '--hard');
      put(directory, 'one.txt', 'agent\n');
      commitAll(directory, 'agent');
      gitIn(directory, 'checkout', '-q', '--orphan', 'other');
      gitIn(directory, 'commit', '-qm', 'other root');
      gitIn(directory, 'branch', '-q', '-D', 'main');
    },
    { forget: true },
  );
});

test('[GIT-2] the preview counts the commits that are left behind, and git log shows no trace of us', () => {
  const at = committedScene();
  const { workspace, retake } = at;
  const { id } = retake.json(workspace, 'checkpoint', '--name', 'before');
  for (const word of ['a', 'b']) {
    put(workspace, 'one.txt', word);
    commitAll(workspace, word);
  }
  const plan = retake.json(workspace, 'rewind', id, '--git', '--dry-run');
  expect(plan.git).toMatchObject({ commitsLeftBehind: 2, to: { branch: 'main' } });
  const before = gitIn(workspace, 'log', '--format=fuller', '--all');
  rewindGit(at, id);
  expect(gitIn(workspace, 'log', '--format=%s', '--all')).toBe('first\n');
  retake.json(workspace, 'undo', '--yes');
  expect(gitIn(workspace, 'log', '--format=fuller', '--all')).toBe(before);
});

test('[GIT-2] without --git nothing of git moves', () => {
  const { workspace, retake } = committedScene();
  const { id } = retake.json(workspace, 'checkpoint', '--name', 'before');
  put(workspace, 'one.txt', 'agent\n');
  commitAll(workspace, 'agent');
  const { commit, index } = standing(workspace);
  retake.json(workspace, 'rewind', id, '--yes');
  expect(standing(workspace)).toMatchObject({ commit, index });
});

test('[GIT-2] conflict entries of an unfinished merge are recorded, and going back from or to it is refused with the reason', () => {
  const { workspace, retake } = committedScene();
  const before = retake.json(workspace, 'checkpoint', '--name', 'before');
  gitIn(workspace, 'checkout', '-q', '-b', 'side');
  put(workspace, 'one.txt', 'side\n');
  commitAll(workspace, 'side');
  gitIn(workspace, 'checkout', '-q', 'main');
  put(workspace, 'one.txt', 'main\n');
  commitAll(workspace, 'main');
  expect(() => gitIn(workspace, 'merge', 'side')).toThrow();
  const during = retake.json(workspace, 'checkpoint', '--name', 'during');
  const unmerged = standing(workspace);
  expect(refused({ workspace, retake }, before.id).message).toContain('merge is under way');
  expect(standing(workspace)).toEqual(unmerged);
  gitIn(workspace, 'merge', '--abort');
  expect(refused({ workspace, retake }, during.id).message).toContain('in the middle of a merge');
});

test('[GIT-2] refused in the middle of a rebase, and for a branch that another work tree has checked out', () => {
  const { workspace, retake } = committedScene();
  const { id } = retake.json(workspace, 'checkpoint', '--name', 'before');
  gitIn(workspace, 'checkout', '-q', '-b', 'feature');
  const other = join(temporaryDirectory(), 'other');
  gitIn(workspace, 'worktree', 'add', '-q', other, 'main');
  expect(refused({ workspace, retake }, id).message).toContain(other);
  gitIn(workspace, 'worktree', 'remove', other);
  put(workspace, 'one.txt', 'feature\n');
  commitAll(workspace, 'feature');
  gitIn(workspace, 'checkout', '-q', 'main');
  put(workspace, 'one.txt', 'main\n');
  commitAll(workspace, 'main');
  expect(() => gitIn(workspace, 'rebase', '-q', 'feature')).toThrow();
  const before = standing(workspace);
  expect(refused({ workspace, retake }, id).message).toContain('rebase is under way');
  expect(standing(workspace)).toEqual(before);
});

test('[GIT-2] a branch without commits comes back as one', () => {
  const at = repositoryScene();
  put(at.workspace, 'file', 'content\n');
  gitIn(at.workspace, 'add', 'file');
  thereAndBack(at, (directory) => commitAll(directory, 'first ever'));
});

test('[GIT-2] in a linked work tree, in a shallow clone, in a sparse checkout and with a submodule', () => {
  const origin = committedScene();
  put(origin.workspace, 'one.txt', 'second commit\n');
  put(origin.workspace, 'deep/inside.txt', 'deep\n');
  commitAll(origin.workspace, 'second');

  const linked = join(temporaryDirectory(), 'linked');
  gitIn(origin.workspace, 'worktree', 'add', '-q', '-b', 'linked', linked);
  thereAndBack({ ...origin, workspace: linked }, CHANGES['commits twice and resets hard'] as () => void);

  const shallow = join(temporaryDirectory(), 'shallow');
  gitIn('/', 'clone', '-q', '--depth', '1', `file://${origin.workspace}`, shallow);
  thereAndBack(busy({ ...origin, workspace: shallow }), CHANGES['commits twice and resets hard'] as () => void, { forget: true });

  const sparse = join(temporaryDirectory(), 'sparse');
  gitIn('/', 'clone', '-q', origin.workspace, sparse);
  gitIn(sparse, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'nothing');
  thereAndBack(busy({ ...origin, workspace: sparse }), CHANGES['stages and unstages'] as () => void);

  const withModule = join(temporaryDirectory(), 'module');
  gitIn('/', 'clone', '-q', origin.workspace, withModule);
  gitIn(withModule, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin.workspace, 'sub');
  commitAll(withModule, 'with a submodule');
  thereAndBack(busy({ ...origin, workspace: withModule }), CHANGES['commits twice and resets hard'] as () => void);
});

test('[GIT-2] while another git process has the index, nothing is changed', () => {
  const { workspace, retake } = committedScene();
  const { id } = retake.json(workspace, 'checkpoint', '--name', 'before');
  put(workspace, 'one.txt', 'agent\n');
  commitAll(workspace, 'agent');
  put(workspace, '.git/index.lock', '');
  const before = standing(workspace);
  refused({ workspace, retake }, id, 'git-busy');
  rmSync(join(workspace, '.git/index.lock'));
  expect(standing(workspace)).toEqual(before);
});
