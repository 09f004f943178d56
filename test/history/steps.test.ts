import { describe, expect, test } from 'vitest';
import { runHook } from '../daemon/support.ts';
import { committed, edit, git, headlines, hook, keep, keepScene, messages, read, sound, status, write } from '../keep/kept.ts';
import type { Scene } from '../support/scene.ts';
import { branchScene, commits, committedEdit, leftFor } from './branch-mode.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
const log = (at: Scene): any[] => at.retake.json(at.workspace, 'log').operations;

const numbered = (change: Record<number, string> = {}) => Array.from({ length: 9 }, (_, at) => `${change[at] ?? at}\n`).join('');

describe.each([
  ['without a daemon', 'false'],
  ['by the daemon', 'true'],
])('a commit for each step, %s', (_, daemon) => {
  test('[GIT-1] each step that changed something is a commit of its own', async () => {
    const { at, session } = await branchScene(
      { 'a.txt': 'one\ntwo\nthree\n', '.gitignore': '.env\n' },
      { env: { RETAKE_DAEMON_ENABLED: daemon } },
    );
    await session.prompt('work');
    await edit(at, session, 'b.txt', 'b\n');
    await edit(at, session, 'a.txt', 'ONE\ntwo\nthree\n');
    await session.step('Read', {}, () => {});
    await edit(at, session, '.env', 'SECRET=1\n');
    await edit(at, session, 'c.txt', 'c\n');
    await session.answer('done');
    await commits(at, 4);
    expect(headlines(at)).toEqual(['begin', ...['b.txt', 'a.txt', 'c.txt'].map((path) => `Claude Code [Write]: Write ${path}`)]);
    expect(git(at, 'log', '-1', '--format=%(trailers:only)').trim().split('\n')).toEqual([
      `Session: ${session.id}`,
      'Agent: Claude Code',
      'Tool: Write',
      expect.stringMatching(/^Tool-Use-Id: toolu_/),
      expect.stringMatching(/^Checkpoint: [0-9a-f]{40}$/),
    ]);
    expect(git(at, 'show', '--format=', '--name-only', 'HEAD~1').trim()).toBe('a.txt');
    expect(status(at)).toEqual([]);
    expect(sound(at)).toBe('');
    expect(at.retake.json(at.workspace, 'status').history).toEqual({ mode: 'branch', batch: 'step', left: null });
  });

  test('[GIT-1] such a commit is no command of the agent, and makes no record of a step that did nothing', async () => {
    const { at, session } = await branchScene(undefined, { env: { RETAKE_DAEMON_ENABLED: daemon } });
    await session.prompt('work');
    await committedEdit(at, session, 'b.txt', 'b\n');
    await session.step('Read', {}, () => {});
    await committedEdit(at, session, 'b.txt', 'bb\n');
    await session.step('Bash', { command: 'git tag' }, () => git(at, 'commit', '-q', '--allow-empty', '-m', "the agent's own"));
    await session.answer('done');
    const told = log(at).filter(({ git: seen }) => (seen?.news ?? []).length > 0);
    expect(told.map(({ kind }) => kind)).toEqual(['after-step']);
    expect(told[0].git.news).toEqual([expect.stringContaining("the agent's own")]);
    expect(log(at).filter(({ kind }) => kind === 'after-step')).toHaveLength(3);
    expect(log(at).filter(({ kind }) => kind === 'keep')).toHaveLength(2);
    const [{ work }] = at.retake.json(at.workspace, 'sessions').sessions;
    expect(work).toMatchObject({ kept: 2 });
  });
});

test("[GIT-1] the person's own edits stay as they are, staged or not, in other files and in the same", async () => {
  const files = { 'a.txt': numbered(), 'own.txt': 'own\n', 'staged.txt': 'staged\n', 'both.txt': numbered() };
  const { at, session } = await branchScene(files);
  write(at, 'own.txt', 'mine\n');
  write(at, 'staged.txt', 'mine\n');
  write(at, 'both.txt', numbered({ 0: 'mine, staged' }));
  git(at, 'add', 'staged.txt', 'both.txt');
  const staged = git(at, 'diff', '--cached');
  await session.prompt('work');
  await committedEdit(at, session, 'a.txt', numbered({ 0: 'agent' }));
  write(at, 'a.txt', numbered({ 0: 'agent', 8: 'mine' }));
  await committedEdit(at, session, 'both.txt', numbered({ 0: 'mine, staged', 8: 'agent' }));
  await committedEdit(at, session, 'a.txt', numbered({ 0: 'agent', 4: 'agent', 8: 'mine' }));
  expect(committed(at, 'a.txt')).toBe(numbered({ 0: 'agent', 4: 'agent' }));
  expect(committed(at, 'both.txt')).toBe(numbered({ 8: 'agent' }));
  expect(committed(at, 'own.txt')).toBe('own\n');
  expect(git(at, 'diff', '--cached', 'staged.txt')).toBe(staged.slice(staged.indexOf('diff --git a/staged.txt')));
  expect(git(at, 'show', ':both.txt')).toBe(numbered({ 0: 'mine, staged' }));
  expect(read(at, 'a.txt')).toBe(numbered({ 0: 'agent', 4: 'agent', 8: 'mine' }));
  expect(status(at)).toEqual([' M a.txt', 'MM both.txt', ' M own.txt', 'M  staged.txt']);
});

test("[GIT-1] what builds on the person's edits waits, with the reason, and holds up nothing else", async () => {
  const { at, session } = await branchScene();
  write(at, 'a.txt', 'one\nmine\nthree\n');
  await session.prompt('work');
  await edit(at, session, 'a.txt', 'one\nmine, and the agent\nthree\n');
  await leftFor(at, /a\.txt builds on changes that are not committed/);
  expect(headlines(at)).toEqual(['begin']);
  await committedEdit(at, session, 'b.txt', 'b\n');
  expect(git(at, 'show', '--format=', '--name-only').trim()).toBe('b.txt');
  expect(at.retake.run(at.workspace, 'status').stdout).toContain('Steps wait to be committed');
  keep(at, '--all');
  expect(committed(at, 'a.txt')).toBe('one\nmine, and the agent\nthree\n');
  expect(status(at)).toEqual([]);
});

test('[GIT-1] while a merge is under way nothing is committed; then all of it goes with the next step', async () => {
  const { at, session } = await branchScene();
  git(at, 'checkout', '-q', '-b', 'other');
  git(at, 'commit', '-q', '--allow-empty', '-m', 'other');
  git(at, 'checkout', '-q', 'main');
  git(at, 'merge', '-q', '--no-ff', '--no-commit', 'other');
  await session.prompt('work');
  await edit(at, session, 'b.txt', 'b\n');
  await edit(at, session, 'c.txt', 'c\n');
  await leftFor(at, /merge is under way/);
  git(at, 'commit', '-q', '-m', 'merged');
  const before = headlines(at);
  expect(before).toHaveLength(3);
  await edit(at, session, 'd.txt', 'd\n');
  await commits(at, 4);
  expect(git(at, 'show', '--format=', '--name-only').trim().split('\n')).toEqual(['b.txt', 'c.txt', 'd.txt']);
  expect(at.retake.json(at.workspace, 'status').history.left).toBeNull();
});

test('[GIT-1] steps that overlap are one commit, when the last of them has ended', async () => {
  const { at, session } = await branchScene();
  await session.prompt('work');
  const begin = (id: string) => ({ tool_use_id: id, tool_name: 'Bash', tool_input: { command: id } });
  const tell = (name: string, fields: object) =>
    runHook(
      at,
      JSON.stringify({ session_id: session.id, transcript_path: session.path, cwd: at.workspace, hook_event_name: name, ...fields }),
    );
  await tell('PreToolUse', begin('one'));
  await tell('PreToolUse', begin('two'));
  write(at, 'one.txt', 'one\n');
  await tell('PostToolUse', { ...begin('one'), tool_response: {} });
  write(at, 'two.txt', 'two\n');
  await tell('PostToolUse', { ...begin('two'), tool_response: {} });
  await commits(at, 2);
  expect(git(at, 'show', '--format=', '--name-only').trim().split('\n')).toEqual(['one.txt', 'two.txt']);
  expect(git(at, 'log', '-1', '--format=%(trailers:key=Tool-Use-Id,valueonly)').trim().split('\n')).toEqual(['one', 'two']);
});

test('[GIT-1] what a turn leaves behind is a commit too, also where HEAD is detached', async () => {
  const { at, session } = await branchScene();
  git(at, 'checkout', '-q', '--detach');
  await session.prompt('work');
  await committedEdit(at, session, 'b.txt', 'b\n');
  await session.begin('Bash', { command: 'cut short' });
  write(at, 'late.txt', 'late\n');
  await session.answer('done');
  await commits(at, 3);
  expect(headlines(at).at(-1)).toMatch(/^Claude Code: /);
  expect(git(at, 'show', '--format=', '--name-only').trim()).toBe('late.txt');
  expect(git(at, 'log', '--format=%s', 'main').trim()).toBe('begin');
});

test("[GIT-1] the person's hooks and signing are not for steps, but for what they keep", async () => {
  const { at, session } = await branchScene();
  for (const name of ['pre-commit', 'commit-msg', 'reference-transaction', 'post-commit']) hook(at, name, 'echo no >&2; exit 1');
  git(at, 'config', 'commit.gpgSign', 'true');
  git(at, 'config', 'gpg.program', '/bin/false');
  await session.prompt('work');
  await committedEdit(at, session, 'b.txt', 'b\n');
  await committedEdit(at, session, 'c.txt', 'c\n');
  const before = [git(at, 'rev-parse', 'HEAD'), git(at, 'ls-files', '-s'), ...status(at)];
  const refused = at.retake.run(at.workspace, 'keep', '--yes', '--json');
  expect([refused.code, refused.json.error.code]).toEqual([1, 'commit-refused']);
  expect([git(at, 'rev-parse', 'HEAD'), git(at, 'ls-files', '-s'), ...status(at)]).toEqual(before);
});

test('[GIT-1] where git knows no name, nothing is committed, and the status says so', async () => {
  const { at, session } = await branchScene(undefined, { prepare: (scene) => git(scene, 'config', '--remove-section', 'user') });
  await session.prompt('work');
  await edit(at, session, 'b.txt', 'b\n');
  await leftFor(at, /no name and address/);
  expect([headlines(at), status(at)]).toEqual([['begin'], ['?? b.txt']]);
});

test('[GIT-1] in private mode nothing is committed', async () => {
  const { at, session } = await keepScene();
  await session.prompt('work');
  await edit(at, session, 'b.txt', 'b\n');
  await session.answer('done');
  await session.end();
  expect([messages(at).length, status(at)]).toEqual([1, ['?? b.txt']]);
  expect(at.retake.json(at.workspace, 'status').history).toEqual({ mode: 'private', batch: 'step', left: null });
});
