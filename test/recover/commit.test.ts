import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  committed,
  edit,
  git,
  gitState,
  headlines,
  hook,
  keepScene,
  LINES,
  messages,
  read,
  rolledBackScene,
  sound,
  status,
  write,
} from '../keep/kept.ts';
import { commitAll, type Scene } from '../support/scene.ts';
import { played, refusal, stepsOf, write as writeStep } from './played.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
const recover = (at: Scene, ...args: string[]): any => at.retake.json(at.workspace, 'recover', '--commit', '--yes', ...args);
const trailers = (at: Scene, commit = 'HEAD'): string[] =>
  git(at, 'log', '-1', '--format=%(trailers:only)', commit)
    .split('\n')
    .filter((line) => line !== '');

/** Two turns, of two steps and of one, all rolled back. */
const rolledBack = async () => {
  const { at, session } = await rolledBackScene('Change the first line\nand b');
  const [first, second, third] = stepsOf(at).map(({ id }) => id) as [string, string, string];
  return { at, session, first, second, third };
};

/** Two commits on a branch of their own; the person is on main. */
const onOther = async () => {
  const { at, session } = await keepScene({ 'a.txt': LINES });
  git(at, 'checkout', '-q', '-b', 'other');
  write(at, 'a.txt', LINES.replace('one', 'ONE'));
  commitAll(at.workspace, 'First change\n\nwith a reason\n\nSigned-off-by: A <a@example.com>');
  write(at, 'new.txt', 'new\n');
  commitAll(at.workspace, 'Second change');
  git(at, 'checkout', '-q', 'main');
  return { at, session };
};

describe('what is recovered becomes commits', () => {
  test('[GIT-6] one for each step, with where it comes from', async () => {
    const { at, session, first, second } = await rolledBack();
    write(at, 'a.txt', LINES.replace('five', 'mine'));
    const dry = at.retake.json(at.workspace, 'recover', second, first, '--commit', '--dry-run');
    expect(dry.commits.map(({ headline }: { headline: string }) => headline)).toEqual([
      'Claude Code [Write]: Write a.txt',
      'Claude Code [Write]: Write b.txt',
    ]);
    expect([headlines(at), status(at)]).toEqual([['begin'], [' M a.txt']]);
    const done = recover(at, second, first);
    expect(headlines(at)).toEqual(['begin', 'Claude Code [Write]: Write a.txt', 'Claude Code [Write]: Write b.txt']);
    expect(done.commits.map(({ id }: { id: string }) => id)).toEqual([
      git(at, 'rev-parse', 'HEAD~1').trim(),
      git(at, 'rev-parse', 'HEAD').trim(),
    ]);
    expect(done).toMatchObject({ branch: 'main', leftOut: [], rollbackId: expect.any(String) });
    expect(trailers(at, 'HEAD~1')).toEqual([
      `Session: ${session.id}`,
      'Agent: Claude Code',
      'Tool: Write',
      expect.stringMatching(/^Tool-Use-Id: toolu_/),
      `Checkpoint: ${first}`,
    ]);
    // What the person changed in the same file stays theirs.
    expect([committed(at, 'a.txt'), committed(at, 'b.txt')]).toEqual([LINES.replace('one', 'ONE'), 'agent\n']);
    expect(read(at, 'a.txt')).toBe(LINES.replace('one', 'ONE').replace('five', 'mine'));
    expect([status(at), sound(at)]).toEqual([[' M a.txt'], '']);
    expect(refusal(at, 'recover', '--continue').code).toBe('nothing-to-recover');
  });

  test('[GIT-6] one for each turn, by its prompt; the session counts as kept', async () => {
    const { at, session } = await rolledBack();
    recover(at, 't1', 't2');
    expect(headlines(at)).toEqual(['begin', 'Change the first line', 'Add c']);
    expect(messages(at)[1]).toContain('Change the first line\n\nand b\n\nSession: ');
    expect(git(at, 'show', '--format=', '--name-only', 'HEAD~1').trim().split('\n')).toEqual(['a.txt', 'b.txt']);
    expect(status(at)).toEqual([]);
    expect(at.retake.json(at.workspace, 'sessions', session.id).status).toBe('kept');
  });

  test('[GIT-6] all as one', async () => {
    const { at, third } = await rolledBack();
    recover(at, 't1', third, '--squash');
    expect(headlines(at)).toEqual(['begin', 'Change the first line']);
    expect(messages(at)[1]).toContain('Change the first line\n\nand b\n\nClaude Code [Write]: Write c.txt\n\nSession: ');
    expect(status(at)).toEqual([]);
  });

  test('[GIT-6] what a rollback took back, by the prompts of its turns', async () => {
    const { at } = await rolledBack();
    const [{ id }] = at.retake.json(at.workspace, 'rollbacks').rollbacks;
    recover(at, id);
    expect(headlines(at)).toEqual(['begin', 'Change the first line']);
    expect(messages(at)[1]).toContain('\n\nAdd c\n\nSession: ');
    expect(status(at)).toEqual([]);
  });

  test('[GIT-6] commits keep their messages', async () => {
    const { at, session } = await onOther();
    recover(at, 'other', 'other~1');
    expect(headlines(at)).toEqual(['begin', 'First change', 'Second change']);
    expect(messages(at)[1]).toMatch(/^First change\n\nwith a reason\n\nSigned-off-by: A <a@example.com>\n/);
    expect(trailers(at, 'HEAD~1')[0]).toBe('Signed-off-by: A <a@example.com>');
    expect(trailers(at)).toContainEqual(expect.stringMatching(/^Checkpoint: [0-9a-f]{40}$/));
    expect(trailers(at).filter((line) => line.startsWith('Session: ') && line !== `Session: ${session.id}`)).toEqual([]);
    expect([git(at, 'diff', 'main', 'other'), status(at), sound(at)]).toEqual(['', [], '']);
  });

  test('[GIT-6] commits as one', async () => {
    const { at } = await onOther();
    recover(at, 'other', 'other~1', '--squash');
    expect(headlines(at)).toEqual(['begin', 'First change']);
    expect(messages(at)[1]).toContain('Second change');
    expect(git(at, 'diff', 'main', 'other')).toBe('');
  });

  test('[GIT-6] what is staged stays so, ignored files are left out and named', async () => {
    const { at, session } = await keepScene({ 'a.txt': 'a\n', 'own.txt': 'own\n', '.gitignore': '*.env\n' });
    await session.prompt('work');
    await edit(at, session, 'secret.env', 'S=1\n');
    await edit(at, session, 'a.txt', 'agent\n');
    at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'code', '--no-keep-mine', '--yes');
    rmSync(join(at.workspace, 'secret.env'), { force: true });
    write(at, 'own.txt', 'staged\n');
    git(at, 'add', 'own.txt');
    const done = recover(at, 't1');
    expect(done.leftOut).toEqual([{ path: 'secret.env', reason: 'ignored' }]);
    expect([status(at), read(at, 'secret.env')]).toEqual([['M  own.txt'], 'S=1\n']);
    expect(git(at, 'show', '--format=', '--name-only').trim()).toBe('a.txt');
  });

  test('[GIT-6] [GIT-3] the rest of the session can still be kept, with what the person changed in between', async () => {
    const { at, session } = await keepScene({ 'a.txt': 'a\n', 'own.txt': 'own\n' });
    await session.prompt('first');
    await edit(at, session, 'a.txt', 'agent\n');
    await session.answer('done');
    write(at, 'own.txt', 'mine\n');
    await session.prompt('second');
    await edit(at, session, 'b.txt', 'b\n');
    await session.answer('done');
    at.retake.json(at.workspace, 'rewind', 't2', '--yes');
    recover(at, 't2');
    expect([headlines(at), status(at)]).toEqual([
      ['begin', 'second'],
      [' M a.txt', ' M own.txt'],
    ]);
    at.retake.json(at.workspace, 'keep', '--all', '--yes');
    expect([headlines(at), status(at)]).toEqual([['begin', 'second', 'first'], []]);
  });

  test('[GIT-6] people are asked, and told', async () => {
    const { at, first } = await rolledBack();
    expect(refusal(at, 'recover', first, '--commit').code).toBe('needs-confirmation');
    const shown = at.retake.run(at.workspace, 'recover', first, '--commit', '--dry-run');
    expect(shown.stdout).toContain('1 commit on branch main');
    const done = at.retake.run(at.workspace, 'recover', first, '--commit', '--yes');
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('1 commit (')]);
  });
});

describe('when it is refused', () => {
  test('[GIT-6] by a hook, at the second of two: files, branch and index are as they were', async () => {
    const { at, first, second } = await rolledBack();
    write(at, 'b.txt', 'b\nmine\n');
    git(at, 'add', 'b.txt');
    write(at, 'b.txt', 'b\n');
    hook(
      at,
      'pre-commit',
      'echo stray > stray.txt; if git diff --cached --quiet -- b.txt; then exit 0; fi; echo "the linter says no" >&2; exit 1',
    );
    const before = gitState(at);
    const error = refusal(at, 'recover', first, second, '--commit', '--yes');
    expect(error).toMatchObject({ exit: 1, code: 'commit-refused', details: { exitCode: 1 } });
    expect(error.details.output).toContain('the linter says no');
    expect(gitState(at)).toEqual(before);
    expect(['a.txt', 'b.txt', 'stray.txt'].map((path) => read(at, path))).toEqual([LINES, 'b\n', undefined]);
    expect(stepsOf(at).map(({ state }) => state)).toEqual(['recoverable', 'recoverable', 'recoverable']);
    const shown = at.retake.run(at.workspace, 'recover', first, second, '--commit', '--yes');
    expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining('the linter says no')]);
    hook(at, 'pre-commit', 'exit 0');
    recover(at, first, second);
    expect(headlines(at)).toHaveLength(3);
  });

  test('[GIT-6] while a merge is under way, before anything is done', async () => {
    const { at, first } = await rolledBack();
    git(at, 'checkout', '-q', '-b', 'side');
    write(at, 'side.txt', 'side\n');
    commitAll(at.workspace, 'side');
    git(at, 'checkout', '-q', 'main');
    git(at, 'merge', '-q', '--no-commit', '--no-ff', 'side');
    const before = gitState(at);
    expect(refusal(at, 'recover', first, '--commit', '--yes')).toMatchObject({ exit: 1, code: 'git-under-way' });
    expect([gitState(at), read(at, 'a.txt')]).toEqual([before, LINES]);
  });

  test('[GIT-6] where it builds on what is not committed: the files go back', async () => {
    const { at, second } = await rolledBack();
    write(at, 'b.txt', 'mine\n');
    const error = refusal(at, 'recover', second, '--commit', '--on-conflict', 'theirs', '--yes');
    expect(error).toMatchObject({ exit: 1, code: 'conflicts', details: { conflicts: [{ path: 'b.txt' }] } });
    expect([read(at, 'b.txt'), headlines(at)]).toEqual(['mine\n', ['begin']]);
    expect(refusal(at, 'recover', '--continue').code).toBe('nothing-to-recover');
  });
});

describe('when it is cut short', () => {
  /** The program is killed while its second commit is made. */
  const killed = async () => {
    const { at, first, second } = await rolledBack();
    hook(at, 'pre-commit', 'git diff --cached --quiet -- b.txt && exit 0; kill -9 $(cut -d " " -f 4 /proc/$PPID/stat); exit 1');
    expect(at.retake.spawn(at.workspace, 'recover', first, second, '--commit', '--yes').code).not.toBe(0);
    hook(at, 'pre-commit', 'exit 0');
    expect(headlines(at)).toEqual(['begin', 'Claude Code [Write]: Write a.txt']);
    return { at, first };
  };

  test('[GIT-6] what is not committed yet is gone on with', async () => {
    const { at, first } = await killed();
    expect(refusal(at, 'recover', first, '--yes').code).toBe('recover-under-way');
    expect(at.retake.json(at.workspace, 'recover', '--continue', '--dry-run').commits).toHaveLength(1);
    // What is left is to make commits, which is asked about like anything else.
    expect(refusal(at, 'recover', '--continue').code).toBe('needs-confirmation');
    expect(at.retake.json(at.workspace, 'recover', '--continue', '--yes').commits).toHaveLength(1);
    expect(headlines(at).slice(1)).toEqual(['a', 'b'].map((name) => `Claude Code [Write]: Write ${name}.txt`));
    expect([status(at), sound(at)]).toEqual([[], '']);
    expect(refusal(at, 'recover', '--continue').code).toBe('nothing-to-recover');
  });

  test('[GIT-6] or the files go back by --abort; commits that were made stay', async () => {
    const { at } = await killed();
    at.retake.json(at.workspace, 'recover', '--abort', '--yes');
    expect([read(at, 'a.txt'), read(at, 'b.txt')]).toEqual([LINES, 'b\n']);
    expect(headlines(at)).toHaveLength(2);
    expect(refusal(at, 'recover', '--continue').code).toBe('nothing-to-recover');
  });
});

describe('with the daemon', () => {
  test('[GIT-6] steps and commits of the user are recovered and committed alike', async () => {
    const it = await played({ 'a.txt': LINES }, { RETAKE_DAEMON_ENABLED: 'true' });
    const { at } = it;
    git(at, 'init', '-q', '-b', 'main');
    commitAll(at.workspace, 'begin');
    await it.session.prompt('Change');
    await writeStep(it, 'a.txt', LINES.replace('one', 'ONE'));
    at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'code', '--no-keep-mine', '--yes');
    write(at, 'b.txt', 'b\n');
    commitAll(at.workspace, 'lost');
    git(at, 'reset', '-q', '--hard', 'HEAD~1');
    const done = recover(at, 't1', 'HEAD@{1}');
    expect(done.commits).toHaveLength(2);
    expect(headlines(at).toSorted()).toEqual(['Change', 'begin', 'lost']);
    expect(status(at)).toEqual([]);
  });
});

describe('conflicts', () => {
  /** The person committed something else in the place of the second step. */
  const inConflict = async () => {
    const it = await rolledBack();
    write(it.at, 'b.txt', 'mine\n');
    commitAll(it.at.workspace, 'mine');
    return it;
  };

  test.each([
    ['theirs', 'agent\n', ['begin', 'mine', 'Claude Code [Write]: Write a.txt', 'Claude Code [Write]: Write b.txt']],
    ['ours', 'mine\n', ['begin', 'mine', 'Claude Code [Write]: Write a.txt']],
    ['skip', 'mine\n', ['begin', 'mine', 'Claude Code [Write]: Write a.txt']],
  ])('[GIT-6] [RST-9] as chosen: %s', async (choice, content, expected) => {
    const { at, first, second } = await inConflict();
    expect(refusal(at, 'recover', first, second, '--commit', '--yes').code).toBe('conflicts');
    expect(at.retake.json(at.workspace, 'recover', first, second, '--commit', '--dry-run').commits).toBeNull();
    recover(at, first, second, '--on-conflict', choice);
    expect([headlines(at), read(at, 'b.txt'), committed(at, 'b.txt'), status(at)]).toEqual([expected, content, content, []]);
  });

  test('[GIT-6] by hand: nothing is committed before it is gone on with, then each by itself', async () => {
    const { at, first, second, third } = await inConflict();
    const stopped = recover(at, first, second, third, '--on-conflict', 'manual');
    expect(stopped).toMatchObject({ commits: null, left: { steps: [third], marked: [{ path: 'b.txt' }] } });
    expect(headlines(at)).toEqual(['begin', 'mine']);
    expect(refusal(at, 'recover', '--continue', '--yes').code).toBe('markers-left');
    write(at, 'b.txt', 'both\n');
    write(at, 'own.txt', 'own\n');
    const dry = at.retake.json(at.workspace, 'recover', '--continue', '--dry-run');
    expect(dry.commits).toHaveLength(3);
    const done = at.retake.json(at.workspace, 'recover', '--continue', '--yes');
    expect(done.commits).toHaveLength(3);
    expect(headlines(at).slice(2)).toEqual(['a', 'b', 'c'].map((name) => `Claude Code [Write]: Write ${name}.txt`));
    expect(committed(at, 'b.txt', 'HEAD~2')).toBe('mine\n');
    expect([committed(at, 'b.txt', 'HEAD~1'), status(at)]).toEqual(['both\n', ['?? own.txt']]);
    expect(refusal(at, 'recover', '--continue').code).toBe('nothing-to-recover');
  });

  test('[GIT-6] by hand, the last of it: a hook may refuse and be asked again', async () => {
    const { at } = await inConflict();
    recover(at, 't1', '--on-conflict', 'manual');
    expect(refusal(at, 'recover', 't2', '--yes').code).toBe('recover-under-way');
    write(at, 'b.txt', 'both\n');
    hook(at, 'pre-commit', 'exit 1');
    const before = gitState(at);
    expect(refusal(at, 'recover', '--continue', '--yes').code).toBe('commit-refused');
    expect([gitState(at), read(at, 'b.txt')]).toEqual([before, 'both\n']);
    hook(at, 'pre-commit', 'exit 0');
    expect(at.retake.json(at.workspace, 'recover', '--continue', '--yes').commits).toMatchObject([{ headline: 'Change the first line' }]);
    expect([headlines(at), status(at)]).toEqual([['begin', 'mine', 'Change the first line'], []]);
  });

  test('[GIT-6] a turn that was stopped in its midst is one commit; gone on with and refused, the rest goes back', async () => {
    const { at, session } = await keepScene({ 'a.txt': 'zero\n', 'b.txt': 'b\n' });
    await session.prompt('A turn');
    await edit(at, session, 'a.txt', 'first\n');
    write(at, 'own.txt', '1\n');
    await edit(at, session, 'b.txt', 'agent\n');
    at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'code', '--no-keep-mine', '--yes');
    write(at, 'a.txt', 'mine\n');
    git(at, 'commit', '-qam', 'mine');
    recover(at, 't1', '--on-conflict', 'manual');
    write(at, 'a.txt', 'both\n');
    hook(at, 'pre-commit', 'exit 1');
    expect(refusal(at, 'recover', '--continue', '--yes').code).toBe('commit-refused');
    expect([read(at, 'a.txt'), read(at, 'b.txt')]).toEqual(['both\n', 'b\n']);
    hook(at, 'pre-commit', 'exit 0');
    at.retake.json(at.workspace, 'recover', '--continue', '--yes');
    expect(headlines(at)).toEqual(['begin', 'mine', 'A turn']);
    expect([committed(at, 'a.txt'), committed(at, 'b.txt'), status(at)]).toEqual(['both\n', 'agent\n', []]);
  });
});
