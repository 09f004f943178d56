import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lastMoves, readGitState, stagedPaths } from '../../src/usergit/index.ts';
import { commitAll, fingerprint, git, gitText, makeFifo, newDirectory, newRepository, repositoryOf, write } from './support.ts';

const underWay = (top: string): string | null => readGitState(repositoryOf(top)).underWay;

/** `main` and `other` disagree about file `a`. */
const diverged = (): string => {
  const top = newRepository();
  write(top, { a: 'base\n' });
  commitAll(top);
  git(top, ['checkout', '--quiet', '-b', 'other']);
  for (const text of ['theirs\n', 'theirs again\n']) {
    write(top, { a: text });
    commitAll(top);
  }
  git(top, ['checkout', '--quiet', 'main']);
  write(top, { a: 'ours\n' });
  commitAll(top);
  return top;
};

/** Something that stops at a conflict. */
const attempt = (top: string, ...args: string[]): void => expect(() => git(top, args)).toThrow();

describe('readGitState', () => {
  test('[GIT-2] nothing under way', () => {
    expect(readGitState(repositoryOf(newRepository()))).toEqual({ underWay: null, stash: null });
    expect(readGitState(repositoryOf(diverged()))).toEqual({ underWay: null, stash: null });
  });

  test.each([
    ['merge', ['merge', 'other']],
    ['rebase', ['rebase', 'other']],
    ['rebase', ['rebase', '--apply', 'other']],
    ['cherry-pick', ['cherry-pick', 'other']],
    ['revert', ['revert', '--no-edit', 'other~1']],
  ])('[GIT-2] %s by git %j, and no longer when it is aborted', (name, command) => {
    const top = diverged();
    attempt(top, ...command);
    expect(underWay(top)).toBe(name);
    git(top, [command[0] ?? '', '--abort']);
    expect(underWay(top)).toBeNull();
  });

  test('[GIT-2] am', () => {
    const top = diverged();
    const mail = git(top, ['format-patch', '--stdout', '-1', 'other']);
    expect(() => git(top, ['am'], mail)).toThrow();
    expect(underWay(top)).toBe('am');
  });

  test('[GIT-2] between two picks', () => {
    const top = diverged();
    attempt(top, 'cherry-pick', 'other~1', 'other');
    write(top, { a: 'solved\n' });
    commitAll(top);
    expect(readdirSync(join(top, '.git'))).not.toContain('CHERRY_PICK_HEAD');
    expect(underWay(top)).toBe('cherry-pick');
    git(top, ['cherry-pick', '--quit']);
    expect(underWay(top)).toBeNull();
  });

  test('[GIT-2] a bisection, and a conflict in the middle of a rebase', () => {
    const top = diverged();
    git(top, ['bisect', 'start']);
    expect(underWay(top)).toBe('bisect');
    attempt(top, 'cherry-pick', 'other');
    expect(underWay(top)).toBe('cherry-pick');
    git(top, ['cherry-pick', '--abort']);
    git(top, ['bisect', 'reset']);
    attempt(top, 'rebase', '--merge', 'other');
    write(top, { '.git/CHERRY_PICK_HEAD': `${gitText(top, 'rev-parse', 'other')}\n` });
    expect(underWay(top)).toBe('rebase');
  });

  test('[GIT-2] in a linked worktree of its own', () => {
    const top = diverged();
    const linked = join(newDirectory(), 'linked');
    git(top, ['worktree', 'add', '--quiet', '--detach', linked]);
    attempt(linked, 'merge', 'other');
    expect([underWay(top), underWay(linked)]).toEqual([null, 'merge']);
  });

  test('[GIT-2] the stash, loose and packed', () => {
    const top = diverged();
    write(top, { a: 'stashed\n' });
    git(top, ['stash', 'push', '--quiet']);
    const stash = gitText(top, 'rev-parse', 'refs/stash');
    expect(readGitState(repositoryOf(top)).stash).toBe(stash);
    git(top, ['pack-refs', '--all']);
    expect(readGitState(repositoryOf(top)).stash).toBe(stash);
    git(top, ['stash', 'drop', '--quiet']);
    expect(readGitState(repositoryOf(top)).stash).toBeNull();
  });
});

describe('stagedPaths', () => {
  const staged = (top: string): Promise<string[]> => stagedPaths(repositoryOf(top));

  test('[CKP-2] added, changed, deleted; not what is only planned or not staged', async () => {
    const top = newRepository();
    write(top, { a: '1', b: '2', c: '3', 'new\nline': 'x' });
    expect(await staged(top)).toEqual([]);
    git(top, ['add', '--all']);
    expect(await staged(top)).toEqual(['a', 'b', 'c', 'new\nline']);
    commitAll(top);
    expect(await staged(top)).toEqual([]);
    write(top, { a: 'other', b: 'not staged', d: 'new', planned: 'later' });
    git(top, ['add', 'a', 'd']);
    git(top, ['add', '--intent-to-add', 'planned']);
    git(top, ['rm', '--quiet', '--cached', 'c']);
    expect(await staged(top)).toEqual(['a', 'c', 'd']);
  });

  test('[CKP-2] conflicts, a detached HEAD, sha256', async () => {
    const top = diverged();
    attempt(top, 'merge', 'other');
    expect(await staged(top)).toEqual(['a']);
    const other = newRepository('--object-format=sha256');
    write(other, { a: '1' });
    git(other, ['add', 'a']);
    expect(await staged(other)).toEqual(['a']);
    commitAll(other);
    git(other, ['checkout', '--quiet', '--detach']);
    git(other, ['rm', '--quiet', '--cached', 'a']);
    expect(await staged(other)).toEqual(['a']);
  });

  test('[CAP-10] nothing changes, nothing of the repository or its submodules runs', async () => {
    const top = newRepository();
    const inner = join(top, 'inner');
    mkdirSync(inner);
    git(inner, ['init', '--quiet']);
    commitAll(inner);
    write(top, { a: '1', '.gitattributes': '* filter=evil diff=evil\n' });
    commitAll(top);
    commitAll(inner);
    write(top, { a: '2' });
    git(top, ['add', 'a', 'inner']);
    const traces = newDirectory();
    const trap = `touch ${join(traces, 'ran')}`;
    for (const at of [top, inner]) {
      for (const key of ['core.fsmonitor', 'filter.evil.clean', 'diff.evil.textconv', 'diff.external', 'diff.evil.command'])
        git(at, ['config', key, trap]);
      write(join(at, '.git/hooks'), { 'post-index-change': `#!/bin/sh\n${trap}\n` });
      chmodSync(join(at, '.git/hooks/post-index-change'), 0o755);
    }
    git(top, ['config', 'diff.ignoreSubmodules', 'all']);
    const before = fingerprint(top);
    expect(await staged(top)).toEqual(['a', 'inner']);
    expect(readGitState(repositoryOf(top)).underWay).toBeNull();
    expect(fingerprint(top)).toBe(before);
    expect(readdirSync(traces)).toEqual([]);
  });

  test('[CAP-10] what a partial clone lacks is not fetched', async () => {
    const origin = diverged();
    git(origin, ['config', 'uploadpack.allowFilter', 'true']);
    const top = join(newDirectory(), 'partial');
    git(origin, ['clone', '--quiet', '--filter=tree:0', `file://${origin}`, top]);
    const traces = newDirectory();
    git(top, ['config', 'remote.origin.url', `ext::touch ${join(traces, 'ran')}`]);
    git(top, ['config', 'protocol.ext.allow', 'always']);
    writeFileSync(join(top, '.git/refs/heads/main'), `${gitText(top, 'rev-parse', 'origin/other')}\n`);
    expect(await staged(top)).toEqual([]);
    expect(readdirSync(traces)).toEqual([]);
    // git itself would have.
    expect(() => git(top, ['diff-index', '--cached', 'HEAD'])).toThrow();
    expect(readdirSync(traces)).toEqual(['ran']);
  });

  test('[REL-6] a HEAD that leads nowhere', async () => {
    const top = diverged();
    writeFileSync(join(top, '.git/HEAD'), `${'1'.repeat(40)}\n`);
    expect(await staged(top)).toEqual([]);
  });
});

describe('lastMoves', () => {
  const log = (top: string): string => join(top, '.git/logs/HEAD');

  test('[CKP-2] what was appended, once', () => {
    const top = newRepository();
    const repository = repositoryOf(top);
    expect(lastMoves(repository, 0)).toEqual({ moves: [], offset: 0 });
    const first = commitAll(top);
    const start = lastMoves(repository, 0);
    expect(start.moves).toEqual([{ from: null, to: first, message: 'commit (initial): x' }]);
    expect(start.offset).toBe(statSync(log(top)).size);
    expect(lastMoves(repository, start.offset)).toEqual({ moves: [], offset: start.offset });
    expect(lastMoves(repository, Number.POSITIVE_INFINITY)).toEqual({ moves: [], offset: start.offset });
    const second = commitAll(top);
    git(top, ['reset', '--quiet', '--hard', first]);
    expect(lastMoves(repository, start.offset).moves).toEqual([
      { from: first, to: second, message: 'commit: x' },
      { from: second, to: first, message: `reset: moving to ${first}` },
    ]);
  });

  test('[REL-6] a torn line waits for its end, garbage is passed over', () => {
    const top = newRepository();
    const repository = repositoryOf(top);
    const commit = commitAll(top);
    const whole = readFileSync(log(top), 'latin1');
    writeFileSync(log(top), 'garbage\n\0\xff\n', 'latin1');
    appendFileSync(log(top), whole.slice(0, 60), 'latin1');
    const torn = lastMoves(repository, 0);
    expect(torn.moves).toEqual([]);
    appendFileSync(log(top), whole.slice(60), 'latin1');
    expect(lastMoves(repository, torn.offset)).toEqual({
      moves: [{ from: null, to: commit, message: 'commit (initial): x' }],
      offset: statSync(log(top)).size,
    });
  });

  test('[REL-6] a log that became shorter starts anew at its end', () => {
    const top = newRepository();
    const repository = repositoryOf(top);
    commitAll(top);
    const { offset } = lastMoves(repository, 0);
    truncateSync(log(top), 10);
    expect(lastMoves(repository, offset)).toEqual({ moves: [], offset: 10 });
    rmSync(log(top));
    expect(lastMoves(repository, offset)).toEqual({ moves: [], offset: 0 });
    makeFifo(log(top));
    expect(lastMoves(repository, offset)).toEqual({ moves: [], offset: 0 });
  });

  test('[CKP-2] of very many the newest', () => {
    const top = newRepository();
    const commit = commitAll(top);
    const line = (n: number): string => `${commit} ${commit} a <a@example.org> 1700000000 +0100\tmove ${n}\n`;
    writeFileSync(log(top), Array.from({ length: 5000 }, (_, n) => line(n)).join(''));
    const { moves, offset } = lastMoves(repositoryOf(top), 0);
    expect(moves.map((move) => move.message)).toEqual(Array.from({ length: 20 }, (_, n) => `move ${4980 + n}`));
    expect(offset).toBe(statSync(log(top)).size);
  });

  test('[CKP-2] a linked worktree has its own', () => {
    const top = newRepository();
    commitAll(top);
    const linked = join(newDirectory(), 'linked');
    git(top, ['worktree', 'add', '--quiet', '--detach', linked]);
    const { offset } = lastMoves(repositoryOf(linked), 0);
    const commit = commitAll(linked);
    expect(lastMoves(repositoryOf(linked), offset).moves).toEqual([expect.objectContaining({ to: commit })]);
    expect(lastMoves(repositoryOf(top), 0).moves).toHaveLength(1);
  });
});
