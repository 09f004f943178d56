import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RefChange } from '../../src/model/index.ts';
import { branchElsewhere, moveRefs } from '../../src/usergit/index.ts';
import { bytes, commitAll, fingerprint, git, gitText, newDirectory, newRepository, repositoryOf, write } from './support.ts';

/** `main` with two commits. */
const scene = (...options: string[]): { top: string; first: string; second: string } => {
  const top = newRepository(...options);
  write(top, { a: '1' });
  const first = commitAll(top);
  write(top, { a: '2' });
  return { top, first, second: commitAll(top) };
};

const refsOf = (top: string): string[] => gitText(top, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n').filter(Boolean);

const headOf = (top: string): string => gitText(top, 'rev-parse', '--symbolic-full-name', 'HEAD');

const move = (top: string, head: { branch: string | null; commit: string | null }, ...refs: RefChange[]): Promise<void> =>
  moveRefs(repositoryOf(top), { head, refs }, 'retake: rewind');

describe('moveRefs', () => {
  test.each([['sha1'], ['sha256']])('[GIT-2] updates, creates and deletes, and again: %s', async (format) => {
    const { top, first, second } = scene(`--object-format=${format}`);
    git(top, ['branch', 'gone']);
    const moves = [
      { ref: 'refs/heads/main', from: second, to: first },
      { ref: 'refs/heads/gone', from: second, to: null },
      { ref: 'refs/heads/neu/ü', from: null, to: second },
    ];
    for (let again = 0; again < 2; again++) {
      await move(top, { branch: 'main', commit: first }, ...moves);
      expect(refsOf(top)).toEqual([`refs/heads/main ${first}`, `refs/heads/neu/ü ${second}`]);
      expect(headOf(top)).toBe('refs/heads/main');
    }
    expect(gitText(top, 'reflog', '-1', '--format=%gs', 'HEAD')).toBe('retake: rewind');
    expect(gitText(top, 'reflog', '--format=%gs', 'main').split('\n')[0]).toBe('retake: rewind');
    // Files and index are not its business.
    expect(gitText(top, 'status', '--porcelain')).toBe('M  a');
  });

  test('[GIT-2] HEAD to a branch, to a commit, and to a branch without commits', async () => {
    const { top, first, second } = scene();
    git(top, ['branch', 'other', first]);
    await move(top, { branch: 'other', commit: first });
    expect([headOf(top), gitText(top, 'rev-parse', 'HEAD')]).toEqual(['refs/heads/other', first]);
    for (let again = 0; again < 2; again++) {
      await move(top, { branch: null, commit: second });
      expect([headOf(top), gitText(top, 'rev-parse', 'HEAD')]).toEqual(['HEAD', second]);
    }
    expect(refsOf(top)).toEqual([`refs/heads/main ${second}`, `refs/heads/other ${first}`]);
    await move(top, { branch: 'main', commit: null }, { ref: 'refs/heads/main', from: second, to: null });
    expect(gitText(top, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main');
    expect(refsOf(top)).toEqual([`refs/heads/other ${first}`]);
  });

  test('[GIT-2] the branch that HEAD is on may vanish', async () => {
    const { top, second } = scene();
    git(top, ['checkout', '--quiet', '-b', 'feature']);
    const work = commitAll(top);
    await move(top, { branch: 'main', commit: second }, { ref: 'refs/heads/feature', from: work, to: null });
    expect([headOf(top), ...refsOf(top)]).toEqual(['refs/heads/main', `refs/heads/main ${second}`]);
  });

  test('[GIT-2] a branch gives way to one below its name, and the other way round', async () => {
    const { top, second } = scene();
    git(top, ['branch', 'a']);
    const there = { ref: 'refs/heads/a/b', from: null, to: second };
    await move(top, { branch: 'main', commit: second }, there, { ref: 'refs/heads/a', from: second, to: null });
    expect(refsOf(top)).toEqual([`refs/heads/a/b ${second}`, `refs/heads/main ${second}`]);
    const back = { ref: 'refs/heads/a', from: null, to: second };
    await move(top, { branch: 'main', commit: second }, back, { ref: 'refs/heads/a/b', from: second, to: null });
    expect(refsOf(top)).toEqual([`refs/heads/a ${second}`, `refs/heads/main ${second}`]);
  });

  test('[GIT-2] what somebody else moved stays, and so does everything else', async () => {
    const { top, first, second } = scene();
    git(top, ['branch', 'other', first]);
    const third = commitAll(top);
    const before = [headOf(top), ...refsOf(top)];
    const refusal = expect.objectContaining({ code: 'git-moved' });
    const moves = [
      { ref: 'refs/heads/other', from: first, to: second },
      { ref: 'refs/heads/main', from: second, to: first },
    ];
    await expect(move(top, { branch: null, commit: first }, ...moves)).rejects.toThrow(refusal);
    // Also when it is only HEAD that goes there.
    await expect(move(top, { branch: 'main', commit: second })).rejects.toThrow(refusal);
    await expect(move(top, { branch: 'none', commit: second })).rejects.toThrow(refusal);
    expect([headOf(top), ...refsOf(top)]).toEqual(before);
    expect(before).toContain(`refs/heads/main ${third}`);
  });

  test('[GIT-2] a lock of git is respected and named', async () => {
    const { top, first, second } = scene();
    write(top, { '.git/refs/heads/main.lock': '' });
    const before = fingerprint(top);
    await expect(move(top, { branch: 'main', commit: first }, { ref: 'refs/heads/main', from: second, to: first })).rejects.toThrow(
      expect.objectContaining({ code: 'git-busy', message: expect.stringContaining('main.lock') }),
    );
    expect(fingerprint(top)).toBe(before);
  });

  test('[GIT-2] a commit that is not there is no place to go', async () => {
    const { top, second } = scene();
    const nowhere = '1'.repeat(40);
    await expect(move(top, { branch: 'main', commit: nowhere }, { ref: 'refs/heads/main', from: second, to: nowhere })).rejects.toThrow(
      expect.objectContaining({ code: 'git-failed' }),
    );
    expect(refsOf(top)).toEqual([`refs/heads/main ${second}`]);
  });

  test('[GIT-2] no hook runs', async () => {
    const { top, first, second } = scene();
    const traces = newDirectory();
    for (const hook of ['reference-transaction', 'post-checkout', 'post-index-change']) {
      write(top, { [`.git/hooks/${hook}`]: `#!/bin/sh\ntouch ${join(traces, hook)}\n` });
      chmodSync(join(top, '.git/hooks', hook), 0o755);
    }
    await move(top, { branch: 'new', commit: second }, { ref: 'refs/heads/new', from: null, to: second });
    await move(top, { branch: null, commit: first });
    expect(readdirSync(traces)).toEqual([]);
    git(top, ['update-ref', 'refs/heads/probe', first]);
    expect(readdirSync(traces)).toEqual(['reference-transaction']);
  });
});

describe('branchElsewhere', () => {
  test('[GIT-2] the work tree that has a branch, seen from the others', async () => {
    const { top } = scene();
    const linked = join(newDirectory(), 'linked ü');
    const inner = join(linked, 'inner');
    git(top, ['worktree', 'add', '--quiet', '-b', 'other', linked]);
    git(top, ['worktree', 'add', '--quiet', '--detach', inner]);
    expect(await branchElsewhere(repositoryOf(top), 'other')).toBe(bytes(linked));
    expect(await branchElsewhere(repositoryOf(top), 'main')).toBeNull();
    expect(await branchElsewhere(repositoryOf(linked), 'main')).toBe(bytes(top));
    expect(await branchElsewhere(repositoryOf(linked), 'other')).toBeNull();
    expect(await branchElsewhere(repositoryOf(inner), 'main')).toBe(bytes(top));
    expect(await branchElsewhere(repositoryOf(inner), 'other')).toBe(bytes(linked));
    expect(await branchElsewhere(repositoryOf(top), 'oth')).toBeNull();
  });
});
