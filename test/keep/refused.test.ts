import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commitAll, type Scene } from '../support/scene.ts';
import { committed, edit, git, gitState, headlines, hook, keep, keepScene, read, sound, status, write } from './kept.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
const refusal = (at: Scene, ...args: string[]): any => {
  const { code, json } = at.retake.run(at.workspace, 'keep', '--yes', '--json', ...args);
  expect(code).toBe(1);
  return json.error;
};

/** A session with two turns, and something staged and something not, and a file that is only meant to be added. */
const worked = async (files?: Readonly<Record<string, string>>) => {
  const { at, session } = await keepScene({ 'a.txt': 'a\n', 'own.txt': 'own\n', 'staged.txt': 'staged\n', ...files });
  write(at, 'own.txt', 'mine\n');
  write(at, 'staged.txt', 'mine, staged\n');
  git(at, 'add', 'staged.txt');
  await session.prompt('first');
  await edit(at, session, 'a.txt', 'agent\n');
  await session.answer('done');
  await session.prompt('second');
  await edit(at, session, 'b.txt', 'agent\n');
  git(at, 'add', '-N', 'b.txt');
  return { at, session };
};

describe('a commit that is refused', () => {
  test('[GIT-3] by a hook that changed files: branch, index and files are as they were', async () => {
    const { at } = await worked();
    hook(at, 'pre-commit', 'echo reformatted > a.txt; echo stray > stray.txt; git add -A; echo "the linter says no" >&2; exit 1');
    const before = gitState(at);
    const error = refusal(at);
    expect(error).toMatchObject({ code: 'commit-refused', details: { exitCode: 1 } });
    expect(error.details.output).toContain('the linter says no');
    expect(gitState(at)).toEqual(before);
    expect([read(at, 'a.txt'), read(at, 'stray.txt')]).toEqual(['agent\n', undefined]);
    // People see what the hook says.
    const shown = at.retake.run(at.workspace, 'keep', '--yes');
    expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining('the linter says no')]);
    expect(gitState(at)).toEqual(before);
    hook(at, 'pre-commit', 'exit 0');
    keep(at);
    expect(status(at)).toEqual([' M own.txt', 'M  staged.txt']);
    expect(sound(at)).toBe('');
  });

  test('[GIT-3] the second of two: the first goes too', async () => {
    const { at } = await worked();
    hook(at, 'commit-msg', 'grep -q first "$1"');
    const before = gitState(at);
    expect(refusal(at, '--each').code).toBe('commit-refused');
    expect(gitState(at)).toEqual(before);
    expect(git(at, 'log', '-g', '--format=%gs').split('\n')[0]).toBe('retake: keep taken back');
  });

  test.each([
    ['a signer that fails', (at: Scene) => ['commit.gpgSign true', `gpg.program ${failing(at)}`]],
    ['no identity', () => ['user.useConfigOnly true']],
  ])('[GIT-3] by %s', async (name, settings) => {
    const { at } = await worked();
    for (const setting of settings(at)) git(at, 'config', ...setting.split(' '));
    if (name === 'no identity')
      for (const key of Object.keys(at.retake.env)) if (/^GIT_(AUTHOR|COMMITTER)/.test(key)) delete at.retake.env[key];
    const before = gitState(at);
    expect(refusal(at).code).toBe('commit-refused');
    expect(gitState(at)).toEqual(before);
  });

  test('[GIT-3] on a branch without commits', async () => {
    const { at, session } = await keepScene({});
    await session.prompt('begin');
    await edit(at, session, 'a.txt', 'a\n');
    hook(at, 'pre-commit', 'exit 1');
    const before = gitState(at);
    expect(refusal(at).code).toBe('commit-refused');
    expect(gitState(at)).toEqual(before);
    hook(at, 'pre-commit', 'exit 0');
    hook(at, 'commit-msg', 'exit 0');
    keep(at);
    expect([headlines(at), status(at)]).toEqual([['begin'], []]);
  });
});

describe('hooks that have a say', () => {
  test('[GIT-3] what they make of the files is committed, and the next turn comes on top of it', async () => {
    const { at, session } = await keepScene({ 'a.txt': '1\n2\n3\n4\n5\n' });
    await session.prompt('first');
    await edit(at, session, 'a.txt', 'one\n2\n3\n4\n5\n');
    await session.answer('done');
    await session.prompt('second');
    await edit(at, session, 'a.txt', 'one\n2\n3\n4\nfive\n');
    hook(
      at,
      'pre-commit',
      '[ -e .git/acted ] && exit 0; touch .git/acted; sed -i s/one/ONE/ a.txt; git show :a.txt | sed s/one/ONE/ > .x; git update-index --add --cacheinfo 100644,$(git hash-object -w .x),a.txt; rm .x; echo $RANDOM$$ > stamp; git add stamp',
    );
    hook(at, 'prepare-commit-msg', 'printf "\\nTicket: 7\\n" >> "$1"');
    hook(at, 'post-commit', 'echo after >> .git/after');
    keep(at, '--each');
    expect(headlines(at)).toEqual(['begin', 'first', 'second']);
    expect([committed(at, 'a.txt', 'HEAD~1'), committed(at, 'a.txt')]).toEqual(['ONE\n2\n3\n4\n5\n', 'ONE\n2\n3\n4\nfive\n']);
    expect(status(at)).toEqual([]);
    expect(git(at, 'log', '-1', '--format=%(trailers:key=Ticket,valueonly)').trim()).toBe('7');
    expect(read(at, '.git/after')).toBe('after\nafter\n');
  });

  test('[GIT-3] they see the index that is committed, and the work tree', async () => {
    const { at } = await worked();
    hook(
      at,
      'pre-commit',
      'git diff --cached --name-only > .git/seen; cat own.txt >> .git/seen; git rev-parse --show-toplevel >> .git/seen',
    );
    keep(at);
    expect(read(at, '.git/seen')).toBe(`a.txt\nb.txt\nmine\n${at.workspace}\n`);
  });
});

describe('the environment that Retake is started in', () => {
  test('[GIT-3] variables that lead to another repository do not: the commit is made here, and nothing there', async () => {
    const { at } = await worked();
    const { at: other } = await keepScene({ 'other.txt': 'other\n' });
    const before = gitState(other);
    const git = join(other.workspace, '.git');
    Object.assign(at.retake.env, {
      GIT_DIR: git,
      GIT_WORK_TREE: other.workspace,
      GIT_INDEX_FILE: join(git, 'index'),
      GIT_OBJECT_DIRECTORY: join(git, 'objects'),
      GIT_COMMON_DIR: git,
      GIT_NAMESPACE: 'elsewhere',
      GIT_PREFIX: 'sub/',
    });
    keep(at);
    at.retake.json(at.workspace, 'branch', '@-1', 'saved');
    expect(headlines(at)).toEqual(['begin', 'first']);
    expect(status(at)).toEqual([' M own.txt', 'M  staged.txt']);
    expect(gitState(other)).toEqual(before);
  });

  test('[GIT-3] a hook that leaves a process behind is not waited for', async () => {
    const { at } = await worked();
    hook(at, 'post-commit', 'sleep 600 & echo $! > .git/left');
    keep(at);
    const left = Number(read(at, '.git/left'));
    // It still runs: we came to our end before it came to its own.
    expect(() => process.kill(left, 0)).not.toThrow();
    process.kill(left);
    expect(headlines(at)).toEqual(['begin', 'first']);
  });
});

describe('no commit is tried', () => {
  test.each([
    ['a merge is under way', 'merge'],
    ['a rebase is under way', 'rebase'],
  ])('[GIT-3] when %s', async (_, verb) => {
    const { at, session } = await keepScene({ 'a.txt': 'a\n' });
    git(at, 'checkout', '-qb', 'other');
    write(at, 'a.txt', 'other\n');
    commitAll(at.workspace, 'other');
    git(at, 'checkout', '-q', 'main');
    write(at, 'a.txt', 'main\n');
    commitAll(at.workspace, 'main');
    await session.prompt('work');
    await edit(at, session, 'b.txt', 'b\n');
    expect(() => git(at, verb, 'other')).toThrow();
    const before = git(at, 'status', '--porcelain=v2');
    expect(refusal(at)).toMatchObject({ code: 'git-under-way', message: expect.stringContaining(verb) });
    expect(git(at, 'status', '--porcelain=v2')).toBe(before);
  });

  test('[GIT-3] outside of a repository, or without a session', async () => {
    const { at, session } = await keepScene({ 'a.txt': 'a\n' });
    expect(refusal(at).code).toBe('nothing-to-keep');
    expect(refusal(at, '--session', 'nobody').code).toBe('unknown-id');
    await session.prompt('work');
    await edit(at, session, 'b.txt', 'b\n');
    git(at, 'config', 'core.bare', 'true');
    expect(refusal(at).code).toBe('no-repository');
  });

  test('[GIT-3] while another git has the index', async () => {
    const { at } = await worked();
    const before = gitState(at);
    writeFileSync(join(at.workspace, '.git/index.lock'), '');
    expect(refusal(at).message).toContain('index.lock');
    rmSync(join(at.workspace, '.git/index.lock'));
    expect(gitState(at)).toEqual(before);
    // Nothing is left to heal.
    expect(at.retake.run(at.workspace, 'log').stderr).toBe('');
    keep(at);
    expect(headlines(at)).toEqual(['begin', 'first']);
  });
});

/** A program that fails. */
const failing = (at: Scene): string => {
  hook(at, 'signer', 'echo "no secret key" >&2; exit 2');
  return join(at.workspace, '.git/hooks/signer');
};
