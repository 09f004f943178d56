import { chmodSync, cpSync, readlinkSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, keepScene, read, sound, status, write } from '../keep/kept.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, put, repositoryScene, type Scene, steps } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { refusal } from './played.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\n';
const head = (at: Scene): string => git(at, 'rev-parse', 'HEAD').trim();
// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
const recover = (at: Scene, ...args: string[]): any => at.retake.json(at.workspace, 'recover', '--yes', ...args);

/** The agent made a commit and reset it away, each in a step of its own. */
const resetAway = async (files: Readonly<Record<string, string>> = { 'a.txt': LINES, 'dir/old.txt': 'old\n' }) => {
  const { at, session } = await keepScene(files);
  await session.prompt('work');
  await session.step('Bash', { command: 'git commit' }, () => {
    write(at, 'a.txt', LINES.replace('one', 'ONE'));
    write(at, 'dir/new.txt', 'new\n');
    git(at, 'rm', '-q', '--ignore-unmatch', 'dir/old.txt');
    commitAll(at.workspace, 'Agent commit\n\nwith a body');
  });
  const commit = head(at);
  await session.step('Bash', { command: 'git reset' }, () => git(at, 'reset', '-q', '--hard', 'HEAD~1'));
  await session.answer('done');
  return { at, session, commit };
};

describe('recovering a commit', () => {
  test.each([['its id'], ['a short id'], ['HEAD@{1}']])('[GIT-6] that was reset away, by %s, on top of new work', async (by) => {
    const { at, commit } = await resetAway();
    const address = by === 'its id' ? commit : by === 'a short id' ? commit.slice(0, 12) : by;
    write(at, 'a.txt', LINES.replace('five', 'mine'));
    const before = [head(at), git(at, 'for-each-ref')];
    const dry = at.retake.json(at.workspace, 'recover', address, '--dry-run');
    expect(steps(dry).sort()).toEqual(['create dir/new.txt', 'delete dir/old.txt', 'restore a.txt']);
    expect(dry.steps).toMatchObject([{ id: commit, description: 'commit Agent commit', applies: 'cleanly' }]);
    const done = recover(at, address, '--expect', dry.expectedTree);
    expect(done.operations).toEqual(dry.operations);
    expect(['a.txt', 'dir/new.txt', 'dir/old.txt'].map((path) => read(at, path))).toEqual([
      LINES.replace('one', 'ONE').replace('five', 'mine'),
      'new\n',
      undefined,
    ]);
    expect([head(at), git(at, 'for-each-ref')]).toEqual(before);
    at.retake.json(at.workspace, 'undo', '--yes');
    expect([read(at, 'a.txt'), read(at, 'dir/new.txt'), read(at, 'dir/old.txt')]).toEqual([
      LINES.replace('five', 'mine'),
      undefined,
      'old\n',
    ]);
  });

  test.each([['its id'], ['HEAD@{1}']])('[GIT-6] after the repository lost it, from what is held, by %s', async (by) => {
    const { at, commit } = await resetAway();
    // A run of the program holds what was noted.
    at.retake.json(at.workspace, 'checkpoint');
    const [logs, saved] = [join(at.workspace, '.git/logs'), join(temporaryDirectory(), 'logs')];
    cpSync(logs, saved, { recursive: true });
    git(at, 'reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all');
    git(at, 'gc', '-q', '--prune=now');
    // The entry is there and its commit is not.
    if (by === 'HEAD@{1}') cpSync(saved, logs, { recursive: true });
    expect(() => git(at, 'cat-file', '-e', commit)).toThrow();
    const address = by === 'HEAD@{1}' ? by : commit.slice(0, 10);
    const dry = at.retake.json(at.workspace, 'recover', address, '--dry-run');
    expect(dry.steps).toMatchObject([{ id: commit, state: 'recoverable', expiresAt: null }]);
    recover(at, address);
    expect([read(at, 'a.txt'), read(at, 'dir/new.txt')]).toEqual([LINES.replace('one', 'ONE'), 'new\n']);
    expect(sound(at)).toBe('');
  });

  test('[GIT-6] its state comes from the reflog', async () => {
    const at = (await keepScene({ 'a.txt': LINES })).at;
    write(at, 'b.txt', 'b\n');
    commitAll(at.workspace, 'lost');
    const commit = head(at);
    const state = () => {
      const [step] = at.retake.json(at.workspace, 'recover', commit, '--dry-run').steps;
      return [step.state, step.expiresAt === null];
    };
    expect(state()).toEqual(['on-branch', true]);
    git(at, 'branch', 'other');
    git(at, 'reset', '-q', '--hard', 'HEAD~1');
    expect(state()).toEqual(['recoverable', true]);
    git(at, 'branch', '-q', '-D', 'other');
    git(at, 'config', 'gc.reflogExpireUnreachable', '60.days');
    expect(state()).toEqual(['recoverable', false]);
    git(at, 'config', 'gc.reflogExpireUnreachable', '10.days');
    expect(state()).toEqual(['expiring', false]);
    // A later commit that is still in the log leads to it as well.
    git(at, 'reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all');
    expect(state()).toEqual(['expired', true]);
    git(at, 'checkout', '-q', commit);
    write(at, 'c.txt', 'c\n');
    commitAll(at.workspace, 'on top');
    git(at, 'checkout', '-q', 'main');
    git(at, 'reflog', 'delete', 'HEAD@{2}');
    expect(state()).toEqual(['expiring', false]);
  });

  test('[GIT-6] a root commit counts as made of nothing', async () => {
    const { at } = await keepScene({ 'a.txt': LINES });
    git(at, 'checkout', '-q', '--orphan', 'other');
    git(at, 'rm', '-q', '-rf', '.');
    write(at, 'root.txt', 'root\n');
    write(at, 'a.txt', LINES);
    commitAll(at.workspace, 'root');
    git(at, 'checkout', '-q', 'main');
    const done = recover(at, 'other');
    expect(steps(done)).toEqual(['create root.txt']);
    expect([read(at, 'root.txt'), status(at)]).toEqual(['root\n', ['?? root.txt']]);
  });

  test('[GIT-6] a merge counts by its first parent, and that is said', async () => {
    const { at } = await keepScene({ 'a.txt': LINES });
    git(at, 'checkout', '-q', '-b', 'side');
    write(at, 'side.txt', 'side\n');
    commitAll(at.workspace, 'side');
    git(at, 'checkout', '-q', '-b', 'trunk', 'main');
    write(at, 'trunk.txt', 'trunk\n');
    commitAll(at.workspace, 'trunk');
    git(at, 'merge', '-q', '--no-ff', '-m', 'both', 'side');
    git(at, 'checkout', '-q', 'main');
    const done = recover(at, 'trunk');
    expect(steps(done)).toEqual(['create side.txt']);
    expect(done.warnings).toEqual([expect.stringContaining('first parent')]);
    const shown = at.retake.run(at.workspace, 'recover', 'trunk', '--dry-run');
    expect(shown.stdout).toContain('first parent');
  });

  test('[GIT-6] where nothing was recorded yet, with ids of another kind', () => {
    const at = repositoryScene({}, '--object-format=sha256');
    put(at.workspace, 'a.txt', LINES);
    commitAll(at.workspace, 'begin');
    put(at.workspace, 'b.txt', 'b\n');
    commitAll(at.workspace, 'lost');
    const commit = head(at);
    git(at, 'reset', '-q', '--hard', 'HEAD~1');
    expect(recover(at, commit, '--commit').commits).toMatchObject([{ headline: 'lost' }]);
    expect([read(at, 'b.txt'), status(at), sound(at)]).toEqual(['b\n', [], '']);
    at.retake.json(at.workspace, 'undo', '--yes');
    expect(status(at)).toEqual([' D b.txt']);
  });

  test('[GIT-6] one whose parent is cut off is refused, not taken for a root', async () => {
    const { at } = await keepScene({ 'a.txt': LINES });
    write(at, 'b.txt', 'b\n');
    commitAll(at.workspace, 'second');
    const clone = { ...at, workspace: join(temporaryDirectory(), 'clone') };
    git(at, 'clone', '-q', '--depth=1', `file://${at.workspace}`, clone.workspace);
    expect(refusal(clone, 'recover', 'HEAD', '--yes')).toMatchObject({ exit: 1, code: 'nothing-to-recover' });
  });

  test('[GIT-6] what a stash has changed', async () => {
    const { at } = await keepScene({ 'a.txt': LINES });
    write(at, 'a.txt', LINES.replace('three', 'THREE'));
    write(at, 'untracked.txt', 'untracked\n');
    git(at, 'stash', '-q', '-u');
    write(at, 'a.txt', LINES.replace('five', 'mine'));
    recover(at, 'stash@{0}');
    expect(read(at, 'untracked.txt')).toBeUndefined();
    recover(at, 'stash@{0}^3');
    expect(read(at, 'untracked.txt')).toBe('untracked\n');
    expect(read(at, 'a.txt')).toBe(LINES.replace('three', 'THREE').replace('five', 'mine'));
    expect(git(at, 'stash', 'list')).toContain('stash@{0}');
  });

  test('[GIT-6] files come as a checkout would have them: line ends, links and the executable bit', async () => {
    const { at } = await keepScene({ '.gitattributes': '*.txt eol=crlf\n', 'a.txt': LINES, 'run.sh': 'echo\n' });
    git(at, 'checkout', '-q', '-b', 'other');
    write(at, 'a.txt', LINES.replace('one', 'ONE'));
    write(at, 'new.txt', 'new\n');
    symlinkSync('new.txt', join(at.workspace, 'link'));
    chmodSync(join(at.workspace, 'run.sh'), 0o755);
    commitAll(at.workspace, 'other');
    git(at, 'checkout', '-q', 'main');
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');
    write(at, 'a.txt', crlf(LINES.replace('five', 'mine')));
    recover(at, 'other');
    expect(read(at, 'a.txt')).toBe(crlf(LINES.replace('one', 'ONE').replace('five', 'mine')));
    expect([read(at, 'new.txt'), readlinkSync(join(at.workspace, 'link'))]).toEqual(['new\r\n', 'new.txt']);
    expect(statSync(join(at.workspace, 'run.sh')).mode & 0o100).toBe(0o100);
  });

  test('[GIT-6] permissions that git does not know are no difference', async () => {
    const { at } = await keepScene({ 'dir/a.txt': LINES, 'dir/b.txt': 'b\n' });
    git(at, 'checkout', '-q', '-b', 'other');
    write(at, 'dir/a.txt', LINES.replace('one', 'ONE'));
    write(at, 'dir/c.txt', 'c\n');
    git(at, 'rm', '-q', 'dir/b.txt');
    commitAll(at.workspace, 'other');
    git(at, 'checkout', '-q', 'main');
    for (const path of ['dir/a.txt', 'dir/b.txt']) chmodSync(join(at.workspace, path), 0o660);
    chmodSync(join(at.workspace, 'dir'), 0o700);
    const done = recover(at, 'other');
    expect(steps(done).sort()).toEqual(['create dir/c.txt', 'delete dir/b.txt', 'restore dir/a.txt']);
    expect(statSync(join(at.workspace, 'dir/a.txt')).mode & 0o777).toBe(0o660);
    expect(statSync(join(at.workspace, 'dir')).mode & 0o777).toBe(0o700);
  });

  test('[GIT-6] submodules, and what is outside of the workspace, are left out and named', () => {
    const at = repositoryScene();
    put(at.workspace, 'pkg/deep/a.txt', LINES);
    put(at.workspace, 'out.txt', 'out\n');
    put(at.workspace, 'pkg/other.txt', 'other\n');
    const inside = join(at.workspace, 'pkg/deep');
    // Known as a workspace before it came to lie in a repository.
    renameSync(join(at.workspace, '.git'), join(at.workspace, 'git'));
    at.retake.json(inside, 'checkpoint');
    renameSync(join(at.workspace, 'git'), join(at.workspace, '.git'));
    commitAll(at.workspace, 'begin');
    const begin = head(at);
    put(at.workspace, 'pkg/deep/a.txt', LINES.replace('one', 'ONE'));
    put(at.workspace, 'out.txt', 'changed\n');
    put(at.workspace, 'pkg/other.txt', 'changed\n');
    git(at, 'add', '-A');
    git(at, 'update-index', '--add', '--cacheinfo', `160000,${begin},pkg/deep/module`);
    git(at, 'commit', '-qm', 'lost');
    git(at, 'reset', '-q', '--hard', begin);
    const done = at.retake.json(inside, 'recover', 'HEAD@{1}', '--yes');
    expect(steps(done)).toEqual(['restore a.txt']);
    expect(done.kept).toEqual([
      { path: '../../out.txt', reason: 'outside of the workspace' },
      { path: 'module', reason: expect.stringContaining('submodule') },
      { path: '../other.txt', reason: 'outside of the workspace' },
    ]);
    expect(['pkg/deep/a.txt', 'out.txt', 'pkg/other.txt'].map((path) => read(at, path))).toEqual([
      LINES.replace('one', 'ONE'),
      'out\n',
      'other\n',
    ]);
  });

  test('[GIT-6] several, and steps of ours among them, in the order they were made in', async () => {
    const { at, session } = await keepScene({ 'a.txt': 'zero\n' });
    await session.prompt('one');
    await session.step('Write', { file_path: join(at.workspace, 'b.txt') }, () => put(at.workspace, 'b.txt', 'b\n'));
    const step = at.retake.json(at.workspace, 'log').operations.find(({ kind }: { kind: string }) => kind === 'after-step').id;
    git(at, 'checkout', '-q', '-b', 'other');
    const ids = ['first', 'second'].map((content) => {
      write(at, 'a.txt', `${content}\n`);
      gitIn(at.workspace, 'commit', '-qam', content);
      return head(at);
    });
    git(at, 'checkout', '-q', 'main');
    at.retake.json(at.workspace, 'rewind', 't1', '--yes');
    const done = recover(at, ids[1] as string, ids[0] as string, step);
    expect(done.steps.map(({ id }: { id: string }) => id).filter((id: string) => id !== step)).toEqual(ids);
    expect([read(at, 'a.txt'), read(at, 'b.txt')]).toEqual(['second\n', 'b\n']);
  });

  test('[GIT-6] a name of ours wins, and what nobody knows is refused', async () => {
    const { at } = await keepScene({ 'a.txt': LINES });
    git(at, 'branch', 'both');
    write(at, 'mine.txt', 'mine\n');
    at.retake.json(at.workspace, 'checkpoint', '--name', 'both');
    const dry = at.retake.json(at.workspace, 'recover', 'both', '--dry-run');
    expect(dry.steps[0].id).not.toBe(git(at, 'rev-parse', 'both').trim());
    for (const address of ['no-such', 'HEAD@{99}', '--upload-pack=x', 'deadbeef'])
      expect(refusal(at, 'recover', '--json', '--yes', '--', address)).toMatchObject({ exit: 1, code: 'unknown-id' });
  });

  test('[GIT-6] in conflict: as chosen; stopped by hand, the commits to go are gone on with', async () => {
    const { at } = await keepScene({ 'a.txt': 'zero\n' });
    git(at, 'checkout', '-q', '-b', 'other');
    for (const content of ['first', 'second']) {
      write(at, 'a.txt', `${content}\n`);
      git(at, 'commit', '-qam', content);
    }
    git(at, 'checkout', '-q', '-b', 'later', 'other');
    write(at, 'b.txt', 'b\n');
    commitAll(at.workspace, 'third');
    git(at, 'checkout', '-q', 'main');
    write(at, 'a.txt', 'mine\n');
    expect(refusal(at, 'recover', 'other', '--yes')).toMatchObject({ code: 'conflicts' });
    recover(at, 'other', '--on-conflict', 'theirs');
    expect(read(at, 'a.txt')).toBe('second\n');
    at.retake.json(at.workspace, 'undo', '--yes');
    const stopped = recover(at, 'other', 'later', '--on-conflict', 'manual');
    expect(stopped.left).toEqual({ steps: [git(at, 'rev-parse', 'later').trim()], marked: [{ path: 'a.txt' }] });
    expect(read(at, 'a.txt')).toContain('>>>>>>> commit second');
    write(at, 'a.txt', 'merged\n');
    recover(at, '--continue');
    expect([read(at, 'a.txt'), read(at, 'b.txt')]).toEqual(['merged\n', 'b\n']);
  });
});
