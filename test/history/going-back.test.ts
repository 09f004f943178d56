import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../daemon/support.ts';
import { committed, edit, git, gitState, headlines, hook, keep, messages, read, sound, status, write } from '../keep/kept.ts';
import { gitIn } from '../support/git.ts';
import { dataOf, type Scene } from '../support/scene.ts';
import { branchScene, commits, committedEdit } from './branch-mode.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
const run = (at: Scene, ...args: string[]): any => at.retake.json(at.workspace, ...args, '--yes');

/** What git has, without the times of files. */
const exactly = (at: Scene): string[] => [...gitState(at), git(at, 'rev-parse', 'HEAD')];

/** Two turns with three steps, a commit each. */
const worked = async (env: Record<string, string> = {}) => {
  const scene = await branchScene(undefined, { env });
  const { at, session } = scene;
  const start = exactly(at);
  await session.prompt('first');
  await committedEdit(at, session, 'a.txt', 'ONE\ntwo\nthree\n');
  await session.answer('done');
  const between = exactly(at);
  await session.prompt('second');
  await committedEdit(at, session, 'b.txt', 'b\n');
  await committedEdit(at, session, 'a.txt', 'ONE\ntwo\nTHREE\n');
  await session.answer('done');
  return { ...scene, start, between, end: exactly(at) };
};

const commitOfPerson = (at: Scene): void => {
  write(at, 'own.txt', 'own\n');
  git(at, 'add', 'own.txt');
  git(at, 'commit', '-q', '-m', 'own');
};

describe.each([
  ['without a daemon', 'false'],
  ['by the daemon', 'true'],
])('going back, %s', (_, daemon) => {
  test('[GIT-1] rewind moves the branch back, undo and redo move it exactly', async () => {
    const { at, session, between, end } = await worked({ RETAKE_DAEMON_ENABLED: daemon });
    const plan = at.retake.json(at.workspace, 'rewind', 't2', '--dry-run');
    expect(plan.git).toMatchObject({ commitsLeftBehind: 2, from: { branch: 'main' }, to: { branch: 'main' } });
    expect(plan.warnings).toEqual([]);
    run(at, 'rewind', 't2');
    expect(exactly(at)).toEqual(between);
    expect(read(at, 'b.txt')).toBeUndefined();
    run(at, 'undo');
    expect(exactly(at)).toEqual(end);
    run(at, 'redo');
    expect(exactly(at)).toEqual(between);
    await committedEdit(at, session, 'c.txt', 'c\n');
    expect(headlines(at)).toEqual(['begin', 'Claude Code [Write]: Write a.txt', 'Claude Code [Write]: Write c.txt']);
    expect([status(at), sound(at)]).toEqual([[], '']);
  });

  test('[GIT-1] discard leaves the log of git as before the session', async () => {
    const { at, start, end } = await worked({ RETAKE_DAEMON_ENABLED: daemon });
    run(at, 'discard');
    expect(exactly(at)).toEqual(start);
    expect(at.retake.json(at.workspace, 'sessions').sessions[0]).toMatchObject({ status: 'rolled-back' });
    run(at, 'undo');
    expect(exactly(at)).toEqual(end);
    expect(at.retake.json(at.workspace, 'sessions').sessions[0]).toMatchObject({ status: 'kept', work: { kept: 3 } });
  });
});

test.each([
  ['path', 'a.txt'],
  ['hunk', 'a.txt:1'],
])('[GIT-1] [RST-8] the branch stays where a part alone goes back, by --%s', async (option, part) => {
  const { at, end } = await worked();
  const head = end.at(-1);
  expect(run(at, 'rewind', 't1', `--${option}`, part).git).toBeNull();
  expect(read(at, 'a.txt')).toBe('one\ntwo\nthree\n');
  expect(git(at, 'rev-parse', 'HEAD')).toBe(head);
  expect(headlines(at)).toHaveLength(4);
});

test('[GIT-1] a step that is gone back to stays committed, and what is left of its commit is committed again', async () => {
  const { at, session } = await worked();
  const steps = at.retake.json(at.workspace, 'log').operations.filter(({ kind }: { kind: string }) => kind === 'after-step');
  run(at, 'rewind', steps[1].id);
  expect(headlines(at)).toEqual(['begin', 'Claude Code [Write]: Write a.txt', 'Claude Code [Write]: Write b.txt']);
  expect(status(at)).toEqual([]);
  run(at, 'rewind', steps[1].id, '--git');
  expect([headlines(at).length, status(at)]).toEqual([2, ['?? b.txt']]);
  await session.prompt('third');
  await session.answer('nothing');
  await commits(at, 3);
  expect(headlines(at).at(-1)).toBe('Claude Code [Write]: Write b.txt');
});

test("[GIT-1] what the person staged stays staged when the session's work is discarded", async () => {
  const { at } = await worked();
  write(at, 'own.txt', 'own\n');
  write(at, 'not-staged.txt', 'own\n');
  git(at, 'add', 'own.txt');
  run(at, 'discard');
  expect([headlines(at), status(at)]).toEqual([['begin'], ['A  own.txt', '?? not-staged.txt']]);
  expect(committed(at, 'a.txt')).toBe('one\ntwo\nthree\n');
});

test('[GIT-1] with a commit of the person on top the files go back, the branch stays, and it is said why', async () => {
  const { at } = await worked();
  commitOfPerson(at);
  const tip = git(at, 'rev-parse', 'HEAD');
  const plan = at.retake.json(at.workspace, 'discard', '--dry-run');
  expect(plan.git).toBeNull();
  expect(plan.warnings).toEqual([expect.stringContaining(`lie below ${tip.slice(0, 10)}`)]);
  run(at, 'discard');
  expect(git(at, 'rev-parse', 'HEAD')).toBe(tip);
  expect([read(at, 'a.txt'), read(at, 'own.txt')]).toEqual(['one\ntwo\nthree\n', 'own\n']);
});

test('[GIT-1] an undo leaves the branch where somebody went on with it', async () => {
  const { at } = await worked();
  run(at, 'rewind', 't2');
  commitOfPerson(at);
  const result = run(at, 'undo');
  expect([result.git, result.warnings]).toEqual([null, expect.arrayContaining([expect.stringContaining('moved on')])]);
  expect(headlines(at).at(-1)).toBe('own');
  expect(read(at, 'b.txt')).toBe('b\n');
});

test('[GIT-1] a branch that had no commits has none after a discard, and steps are made one on it', async () => {
  const { at, session } = await branchScene({});
  await session.prompt('work');
  await edit(at, session, 'a.txt', 'a\n');
  await until(() => git(at, 'for-each-ref') !== '');
  await commits(at, 1);
  await committedEdit(at, session, 'b.txt', 'b\n');
  run(at, 'discard');
  expect([git(at, 'for-each-ref'), git(at, 'ls-files'), status(at)]).toEqual(['', '', []]);
  run(at, 'undo');
  expect([headlines(at).length, status(at)]).toEqual([2, []]);
  hook(at, 'pre-commit', 'exit 1');
  expect(at.retake.run(at.workspace, 'keep', '--yes', '--json').json.error.code).toBe('commit-refused');
  expect([headlines(at).length, status(at)]).toEqual([2, []]);
  hook(at, 'pre-commit', 'exit 0');
  keep(at);
  expect([headlines(at), status(at), sound(at)]).toEqual([['work'], [], '']);
});

describe('folding', () => {
  test("[GIT-1] keep makes one commit of the steps, with the person's hooks", async () => {
    const { at } = await worked();
    hook(at, 'commit-msg', 'echo "Reviewed: yes" >> "$1"');
    const tip = git(at, 'rev-parse', 'HEAD').trim();
    const tree = git(at, 'rev-parse', 'HEAD^{tree}');
    expect(at.retake.json(at.workspace, 'keep', '--dry-run').commits).toMatchObject([{ headline: 'first', turns: [1, 2] }]);
    const { commits: made } = keep(at);
    expect(made).toHaveLength(1);
    expect(headlines(at)).toEqual(['begin', 'first']);
    expect(messages(at).at(-1)).toContain('Reviewed: yes');
    expect(git(at, 'rev-parse', 'HEAD^{tree}')).toBe(tree);
    expect([status(at), sound(at)]).toEqual([[], '']);
    expect(at.retake.json(at.workspace, 'sessions').sessions[0].status).toBe('kept');
    const again = at.retake.run(at.workspace, 'keep', '--yes', '--json');
    expect(again.json.error.code).toBe('nothing-to-keep');
    expect(gitIn(join(dataOf(at), 'held.git'), 'cat-file', '-t', tip).trim()).toBe('commit');
  });

  test('[GIT-1] or one for each turn', async () => {
    const { at } = await worked();
    keep(at, '--each');
    expect(headlines(at)).toEqual(['begin', 'first', 'second']);
    expect([committed(at, 'a.txt', 'HEAD~1'), committed(at, 'a.txt')]).toEqual(['ONE\ntwo\nthree\n', 'ONE\ntwo\nTHREE\n']);
    expect([status(at), sound(at)]).toEqual([[], '']);
  });

  test('[GIT-1] a hook that fails leaves the commits of the steps', async () => {
    const { at } = await worked();
    hook(at, 'pre-commit', 'exit 1');
    const before = exactly(at);
    expect(at.retake.run(at.workspace, 'keep', '--yes', '--json').json.error.code).toBe('commit-refused');
    expect(exactly(at)).toEqual(before);
  });

  test('[GIT-1] commits that a rebase made anew are found', async () => {
    const { at, session } = await worked();
    git(at, 'checkout', '-q', '-b', 'newer', 'HEAD~3');
    commitOfPerson(at);
    git(at, 'checkout', '-q', 'main');
    git(at, 'rebase', '-q', 'newer');
    await committedEdit(at, session, 'c.txt', 'c\n');
    keep(at);
    expect(headlines(at)).toEqual(['begin', 'own', 'first']);
    expect(git(at, 'show', '--format=', '--name-only').trim().split('\n')).toEqual(['a.txt', 'b.txt', 'c.txt']);
    expect([status(at), sound(at)]).toEqual([[], '']);
  });

  test('[GIT-1] with commits of the person in between it is refused', async () => {
    const { at, session } = await worked();
    commitOfPerson(at);
    await committedEdit(at, session, 'c.txt', 'c\n');
    const before = exactly(at);
    const refused = at.retake.run(at.workspace, 'keep', '--yes', '--json');
    expect(refused.json.error).toMatchObject({ code: 'not-on-top', message: expect.stringContaining('lie below') });
    expect(exactly(at)).toEqual(before);
  });
});
