import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import { commitAll, scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { edit, git, gitState, headlines, hook, keep, keepScene, read, sound, status, write } from './kept.ts';

const bareRemote = (): string => {
  const remote = temporaryDirectory();
  gitIn(remote, 'init', '-q', '--bare', '-b', 'main');
  return remote;
};

const namesAt = (directory: string, ref: string): string[] => gitIn(directory, 'ls-tree', '-r', '--name-only', ref).trim().split('\n');

describe('branch', () => {
  test('[GIT-5] has the files of a checkpoint on top of the commit of then, and touches nothing else', async () => {
    const { at, session } = await keepScene({ 'a.txt': 'a\n', '.gitignore': '.env\nbuild/\n', 'gone.txt': 'gone\n' });
    const then = git(at, 'rev-parse', 'HEAD').trim();
    write(at, '.env', 'SECRET=1\n');
    await session.prompt('Do it\nwell');
    await session.step('Bash', { command: 'rm' }, () => git(at, 'rm', '-q', 'gone.txt'));
    await edit(at, session, 'a.txt', 'agent\n');
    const { operations } = at.retake.json(at.workspace, 'log', '--limit', '1');
    write(at, 'a.txt', 'later\n');
    commitAll(at.workspace, 'later');
    write(at, 'a.txt', 'uncommitted\n');
    const before = [git(at, 'ls-files', '--stage'), git(at, 'rev-parse', 'HEAD'), status(at)];
    const made = at.retake.json(at.workspace, 'branch', operations[0].id);
    expect(made).toMatchObject({
      branch: `recovery/${session.id}`,
      parent: then,
      checkpoint: operations[0].id,
      leftOut: [{ path: '.env', reason: 'ignored' }],
      pushed: false,
    });
    expect(git(at, 'rev-parse', `${made.branch}~1`).trim()).toBe(then);
    expect(namesAt(at.workspace, made.branch)).toEqual(['.gitignore', 'a.txt']);
    expect(git(at, 'show', `${made.branch}:a.txt`)).toBe('agent\n');
    expect([git(at, 'ls-files', '--stage'), git(at, 'rev-parse', 'HEAD'), status(at)]).toEqual(before);
    expect(git(at, 'log', '-1', '--format=%s%n%b', made.branch)).toMatch(
      /^Do it\nwell\n\nSession: .*\nAgent: Claude Code\nTool: Write\nTool-Use-Id: toolu_.*\nCheckpoint: [0-9a-f]{40}\n/,
    );
    expect(at.retake.json(at.workspace, 'log', '--limit', '1').operations[0]).toMatchObject({ kind: 'branch', session: session.id });
    expect(sound(at)).toBe('');
  });

  test('[GIT-5] takes a free name, and never one that is taken or none', async () => {
    const { at, session } = await keepScene();
    const names = [1, 2, 3].map(() => at.retake.json(at.workspace, 'branch', '@-1').branch);
    expect(names).toEqual([`recovery/${session.id}`, `recovery/${session.id}-2`, `recovery/${session.id}-3`]);
    const before = gitState(at);
    for (const [name, code] of [
      ['main', 'branch-exists'],
      ['a..b', 'bad-branch'],
      ['@{-1}', 'bad-branch'],
      ['HEAD', 'bad-branch'],
      ['main/below', 'branch-exists'],
    ] as const) {
      const { code: exit, json } = at.retake.run(at.workspace, 'branch', '@-1', name, '--json');
      expect([exit, json.error.code], name).toEqual([1, code]);
    }
    expect(gitState(at)).toEqual(before);
    const prefixed = { ...at.retake.env, RETAKE_GIT_RECOVERY_PREFIX: 'saved-' };
    Object.assign(at.retake.env, prefixed);
    expect(at.retake.json(at.workspace, 'branch', '@-1').branch).toBe(`saved-${session.id}`);
  });

  test('[GIT-5] stands alone when the commit of then is gone, or there was none', async () => {
    const { at } = await keepScene({});
    write(at, 'a.txt', 'a\n');
    at.retake.json(at.workspace, 'checkpoint', '--name', 'unborn');
    commitAll(at.workspace, 'lost');
    at.retake.json(at.workspace, 'checkpoint', '--name', 'lost');
    git(at, 'update-ref', '-d', 'HEAD');
    git(at, 'reflog', 'expire', '--expire=now', '--all');
    git(at, 'gc', '-q', '--prune=now');
    for (const name of ['unborn', 'lost']) {
      expect(at.retake.json(at.workspace, 'branch', name, name).parent).toBeNull();
      expect([namesAt(at.workspace, name), git(at, 'rev-list', '--count', name).trim()]).toEqual([['a.txt'], '1']);
    }
    expect(sound(at)).toBe('');
  });

  test('[GIT-5] is pushed to a remote; a rejected push is told, and the branch stays here', async () => {
    const { at } = await keepScene();
    const remote = bareRemote();
    git(at, 'remote', 'add', 'backup', remote);
    expect(at.retake.json(at.workspace, 'branch', '@-1', 'one', '--push', 'backup').pushed).toBe(true);
    expect(gitIn(remote, 'rev-parse', 'one')).toBe(git(at, 'rev-parse', 'one'));
    hook({ ...at, workspace: remote }, 'pre-receive', 'echo "no branches today" >&2; exit 1');
    const { code, json } = at.retake.run(at.workspace, 'branch', '@-1', 'two', '--push', 'backup', '--json');
    expect([code, json.error.code, json.error.details.branch]).toEqual([1, 'push-rejected', 'two']);
    expect(json.error.details.output).toContain('no branches today');
    expect(git(at, 'rev-parse', 'two').trim()).toBe(json.error.details.commit);
    expect(() => gitIn(remote, 'rev-parse', '--verify', '--quiet', 'two')).toThrow();
  });

  test('[GIT-5] is refused outside of a repository', () => {
    const at = scene();
    at.retake.json(at.workspace, 'checkpoint');
    expect(at.retake.run(at.workspace, 'branch', '@-1', '--json').json.error.code).toBe('no-repository');
  });
});

describe('keep --push', () => {
  test('[GIT-3] goes to the upstream, else to the remote for pushes; rejected, the commits stay', async () => {
    const { at, session } = await keepScene();
    const [origin, other] = [bareRemote(), bareRemote()];
    await session.prompt('first');
    await edit(at, session, 'a.txt', 'agent\n');
    const nowhere = at.retake.run(at.workspace, 'keep', '--yes', '--push', '--json');
    expect([nowhere.json.error.code, headlines(at)]).toEqual(['no-remote', ['begin']]);
    git(at, 'remote', 'add', 'origin', origin);
    git(at, 'remote', 'add', 'other', other);
    expect(keep(at, '--push')).toMatchObject({ pushTo: 'origin', pushed: true });
    expect(gitIn(origin, 'rev-parse', 'main')).toBe(git(at, 'rev-parse', 'HEAD'));
    git(at, 'push', '-q', '-u', 'other', 'main:trunk');
    await edit(at, session, 'a.txt', 'agent again\n');
    keep(at, '--push');
    expect(gitIn(other, 'rev-parse', 'trunk')).toBe(git(at, 'rev-parse', 'HEAD'));
    // Somebody else was there first.
    const clone = join(temporaryDirectory(), 'clone');
    gitIn(other, 'clone', '-q', '-b', 'trunk', other, clone);
    gitIn(clone, 'commit', '-q', '--allow-empty', '-m', 'theirs');
    gitIn(clone, 'push', '-q');
    await edit(at, session, 'a.txt', 'agent once more\n');
    const rejected = at.retake.run(at.workspace, 'keep', '--yes', '--push', '--json');
    expect([rejected.code, rejected.json.error.code]).toEqual([1, 'push-rejected']);
    expect(rejected.json.error.details.output).toContain('rejected');
    expect(rejected.json.error.details.commits).toEqual([git(at, 'rev-parse', 'HEAD').trim()]);
    expect([headlines(at).length, status(at), read(at, 'a.txt')]).toEqual([4, [], 'agent once more\n']);
  });
});
