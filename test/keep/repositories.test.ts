import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { forkScene } from '../forks/forked.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, put, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { committed, edit, git, headlines, keep, keepScene, read, sound, status, write } from './kept.ts';

/** The same program in another directory, with a session of its own there. */
const elsewhere = async (at: Scene, workspace: string): Promise<{ at: Scene; session: PlayedSession }> => {
  const there = { ...at, workspace };
  const session = new PlayedSession(there);
  await session.start();
  return { at: there, session };
};

const work = async (at: Scene, session: PlayedSession, files: Readonly<Record<string, string>>): Promise<void> => {
  await session.prompt('work');
  for (const [path, content] of Object.entries(files)) await edit(at, session, path, content);
};

const inHead = (at: Scene): string[] => git(at, 'ls-tree', '-r', '--full-tree', '--name-only', 'HEAD').trim().split('\n');

describe('every kind of repository', () => {
  test.each([
    ['sha256', ['--object-format=sha256']],
    ['sha1', []],
  ])('[GIT-3] %s: kept, and a recovery branch', async (format, init) => {
    const { at, session } = await keepScene({ 'a.txt': 'a\n', 'other.txt': 'other\n' }, { init });
    await work(at, session, { 'a.txt': 'agent\n', 'b.txt': 'b\n' });
    write(at, 'other.txt', 'mine\n');
    keep(at);
    expect(committed(at, 'a.txt')).toBe('agent\n');
    expect(status(at)).toEqual([' M other.txt']);
    const made = at.retake.json(at.workspace, 'branch', '@-1', 'saved');
    expect(made.commit).toHaveLength(format === 'sha256' ? 64 : 40);
    expect(inHead(at)).toEqual(['a.txt', 'b.txt', 'other.txt']);
    expect(sound(at)).toBe('');
  });

  test('[GIT-3] a branch without commits: the first one is the agent’s', async () => {
    const { at, session } = await keepScene({});
    write(at, 'mine.txt', 'mine\n');
    await work(at, session, { 'a.txt': 'a\n' });
    keep(at);
    expect([inHead(at), status(at)]).toEqual([['a.txt'], ['?? mine.txt']]);
    expect(git(at, 'rev-list', '--count', 'HEAD').trim()).toBe('1');
  });

  test('[GIT-3] a detached HEAD goes on by itself', async () => {
    const { at, session } = await keepScene();
    git(at, 'checkout', '-q', '--detach');
    await work(at, session, { 'b.txt': 'b\n' });
    const push = at.retake.run(at.workspace, 'keep', '--yes', '--push', '--json');
    expect([push.code, push.json.error.code]).toEqual([1, 'bad-branch']);
    expect(keep(at).branch).toBeNull();
    expect(git(at, 'rev-parse', 'HEAD~1')).toBe(git(at, 'rev-parse', 'main'));
    expect(status(at)).toEqual([]);
  });

  test('[GIT-3] a linked worktree: its own HEAD and index, and no other', async () => {
    const { at: main } = await keepScene();
    const linked = join(temporaryDirectory(), 'linked');
    git(main, 'worktree', 'add', '-q', '-b', 'side', linked);
    const { at, session } = await elsewhere(main, linked);
    await work(at, session, { 'b.txt': 'b\n' });
    keep(at);
    expect([headlines(at), headlines(main)]).toEqual([['begin', 'work'], ['begin']]);
    expect([status(at), status(main)]).toEqual([[], []]);
    expect(at.retake.json(at.workspace, 'branch', '@-1').leftOut).toEqual([]);
    expect(sound(main)).toBe('');
  });

  test('[GIT-3] a shallow clone', async () => {
    const { at: origin } = await keepScene();
    write(origin, 'a.txt', 'later\n');
    commitAll(origin.workspace, 'later');
    const clone = join(temporaryDirectory(), 'clone');
    gitIn(origin.workspace, 'clone', '-q', '--depth=1', `file://${origin.workspace}`, clone);
    const { at, session } = await elsewhere(origin, clone);
    await work(at, session, { 'a.txt': 'agent\n' });
    keep(at);
    const made = at.retake.json(at.workspace, 'branch', '@-1', 'saved', '--push', 'origin');
    expect(made.pushed).toBe(true);
    expect(git(origin, 'show', 'saved:a.txt')).toBe('agent\n');
    expect([headlines(at), status(at), sound(at)]).toEqual([['later', 'work'], [], '']);
  });

  test('[GIT-3] a sparse checkout: what is not checked out stays in the commits', async () => {
    const { at, session } = await keepScene({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n', 'top.txt': 'top\n' });
    git(at, 'sparse-checkout', 'set', '--cone', 'in');
    expect(existsSync(join(at.workspace, 'out'))).toBe(false);
    await work(at, session, { 'in/a.txt': 'agent\n', 'in/new.txt': 'new\n' });
    keep(at);
    expect(inHead(at)).toEqual(['in/a.txt', 'in/new.txt', 'out/b.txt', 'top.txt']);
    expect([status(at), existsSync(join(at.workspace, 'out'))]).toEqual([[], false]);
    at.retake.json(at.workspace, 'branch', '@-1', 'saved');
    expect(git(at, 'diff', '--stat', 'main', 'saved')).toBe('');
    git(at, 'sparse-checkout', 'disable');
    expect([read(at, 'out/b.txt'), status(at)]).toEqual(['b\n', []]);
  });

  test('[GIT-3] a workspace that is a directory of the repository', async () => {
    const whole = forkScene();
    put(whole.workspace, 'pkg/a.txt', 'a\n');
    put(whole.workspace, 'other/b.txt', 'b\n');
    put(whole.workspace, '.gitattributes', '*.win eol=crlf\n');
    put(whole.workspace, '.gitignore', '*.out\n');
    // Known as a workspace before it came to lie in a repository.
    whole.retake.json(join(whole.workspace, 'pkg'), 'checkpoint');
    gitIn(whole.workspace, 'init', '-q', '-b', 'main');
    commitAll(whole.workspace, 'begin');
    write(whole, 'other/b.txt', 'mine\n');
    const { at, session } = await elsewhere(whole, join(whole.workspace, 'pkg'));
    await work(at, session, { 'a.txt': 'agent\n', 'new.win': 'new\r\n', 'made.out': 'made\n', '.env': 'S=1\n' });
    const result = keep(at);
    expect(result.leftOut).toEqual([{ path: 'made.out', reason: 'ignored' }]);
    expect(inHead(at)).toEqual(['.gitattributes', '.gitignore', 'other/b.txt', 'pkg/.env', 'pkg/a.txt', 'pkg/new.win']);
    expect([committed(at, 'pkg/a.txt'), committed(at, 'pkg/new.win'), committed(at, 'other/b.txt')]).toEqual(['agent\n', 'new\n', 'b\n']);
    expect(status(whole)).toEqual([' M other/b.txt']);
    at.retake.json(at.workspace, 'branch', '@-1', 'saved');
    expect(git(at, 'diff', 'main', 'saved')).toBe('');
  });

  test('[GIT-3] submodules and nested repositories are for their own commits', async () => {
    const library = temporaryDirectory();
    gitIn(library, 'init', '-q', '-b', 'main');
    put(library, 'lib.txt', 'lib\n');
    commitAll(library, 'lib');
    const { at, session } = await keepScene(undefined, {
      prepare: (scene) => {
        gitIn(scene.workspace, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'sub');
        gitIn(scene.workspace, 'commit', '-qm', 'submodule');
        gitIn(scene.workspace, 'init', '-q', 'nested');
      },
    });
    const pinned = git(at, 'rev-parse', 'HEAD:sub');
    await work(at, session, { 'sub/lib.txt': 'agent\n', 'nested/n.txt': 'agent\n', 'b.txt': 'b\n' });
    const result = keep(at);
    expect(result.commits[0].files.map(({ path }: { path: string }) => path)).toEqual(['b.txt']);
    expect(result.leftOut).toEqual([{ path: 'nested', reason: 'nested-repository' }]);
    expect(git(at, 'rev-parse', 'HEAD:sub')).toBe(pinned);
    const made = at.retake.json(at.workspace, 'branch', '@-1', 'saved');
    expect(made.leftOut).toEqual([{ path: 'nested', reason: 'nested-repository' }]);
    expect([git(at, 'rev-parse', 'saved:sub'), git(at, 'diff', 'main', 'saved')]).toEqual([pinned, '']);
    expect(sound(at)).toBe('');
  });
});

describe("the user's conversions", () => {
  test('[GIT-3] line ends: CRLF in the work tree, LF in the commits, attributes that come with the change', async () => {
    const { at, session } = await keepScene(
      { 'a.win': 'a\n' },
      {
        prepare: (scene) => {
          write(scene, '.gitattributes', '*.win text eol=crlf\n');
          commitAll(scene.workspace, 'attributes');
          git(scene, 'rm', '-q', '--cached', 'a.win');
          git(scene, 'reset', '-q', '--hard');
          gitIn(scene.workspace, 'checkout', '-q', 'HEAD', '--', 'a.win');
          write(scene, 'a.win', 'a\r\n');
        },
      },
    );
    expect(status(at)).toEqual([]);
    await work(at, session, {
      'a.win': 'a\r\nb\r\n',
      'new.win': 'new\r\n',
      '.gitattributes': '*.win text eol=crlf\n*.dos text eol=crlf\n',
      'c.dos': 'c\r\n',
    });
    keep(at);
    expect(['a.win', 'new.win', 'c.dos'].map((path) => committed(at, path))).toEqual(['a\nb\n', 'new\n', 'c\n']);
    expect([status(at), read(at, 'a.win')]).toEqual([[], 'a\r\nb\r\n']);
    at.retake.json(at.workspace, 'branch', '@-1', 'saved');
    expect(git(at, 'diff', 'main', 'saved')).toBe('');
  });

  test('[GIT-3] files that only the configuration normalizes, edited beside a line of the person’s', async () => {
    const { at, session } = await keepScene(undefined, {
      prepare: (scene) => {
        git(scene, 'config', 'core.autocrlf', 'input');
        write(scene, 'a.txt', 'one\r\ntwo\r\nthree\r\n');
      },
    });
    await work(at, session, { 'a.txt': 'ONE\r\ntwo\r\nthree\r\n' });
    write(at, 'a.txt', 'ONE\r\ntwo\r\nTHREE\r\n');
    keep(at);
    expect(committed(at, 'a.txt')).toBe('ONE\ntwo\nthree\n');
    expect(status(at)).toEqual([' M a.txt']);
  });

  test('[GIT-3] a filter of the user’s', async () => {
    const { at, session } = await keepScene(
      { '.gitattributes': '*.up filter=case\n' },
      {
        prepare: (scene) => {
          git(scene, 'config', 'filter.case.clean', 'tr a-z A-Z');
          git(scene, 'config', 'filter.case.smudge', 'tr A-Z a-z');
          write(scene, 'a.up', 'one\n2\n3\n4\nfive\n');
          commitAll(scene.workspace, 'up');
          // Uncommitted before the session: what is committed has to be asked for.
          write(scene, 'a.up', 'one\n2\n3\n4\nmine\n');
        },
      },
    );
    await work(at, session, { 'a.up': 'agent\n2\n3\n4\nmine\n', 'b.up': 'b\n' });
    keep(at);
    expect([committed(at, 'a.up'), committed(at, 'b.up')]).toEqual(['AGENT\n2\n3\n4\nFIVE\n', 'B\n']);
    expect(status(at)).toEqual([' M a.up']);
  });

  test('[GIT-3] a file system whose modes mean nothing', async () => {
    const { at, session } = await keepScene();
    git(at, 'config', 'core.fileMode', 'false');
    chmodSync(join(at.workspace, 'a.txt'), 0o755);
    await session.prompt('work');
    await session.step('Write', { file_path: join(at.workspace, 'a.txt') }, () => writeFileSync(join(at.workspace, 'a.txt'), 'agent\n'));
    await session.step('Bash', { command: 'sh' }, () => writeFileSync(join(at.workspace, 'new.txt'), 'new\n', { mode: 0o755 }));
    keep(at);
    expect(git(at, 'ls-tree', '--format=%(objectmode)', 'HEAD').trim().split('\n')).toEqual(['100644', '100644']);
    expect([status(at), readFileSync(join(at.workspace, 'new.txt'), 'utf8')]).toEqual([[], 'new\n']);
  });
});
