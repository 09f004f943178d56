import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readHead } from '../../src/usergit/index.ts';
import { commitAll, git, gitText, newDirectory, newRepository, repositoryOf } from './support.ts';

describe('readHead', () => {
  test('[CAP-7] a repository without commits', async () => {
    expect(await readHead(repositoryOf(newRepository()))).toEqual({ branch: 'main', commit: null });
  });

  test('[CAP-7] a branch, loose and packed, and again loose', async () => {
    const top = newRepository();
    const first = commitAll(top);
    git(top, ['checkout', '--quiet', '-b', 'feature/ü']);
    expect(await readHead(repositoryOf(top))).toEqual({ branch: 'feature/ü', commit: first });
    git(top, ['pack-refs', '--all']);
    expect(await readHead(repositoryOf(top))).toEqual({ branch: 'feature/ü', commit: first });
    const second = commitAll(top);
    expect(await readHead(repositoryOf(top))).toEqual({ branch: 'feature/ü', commit: second });
  });

  test('[CAP-7] a packed branch whose name another one ends with', async () => {
    const top = newRepository();
    commitAll(top);
    git(top, ['branch', 'a/main']);
    const second = commitAll(top);
    git(top, ['tag', '-a', '-m', 'x', 'v1']);
    git(top, ['pack-refs', '--all']);
    expect(await readHead(repositoryOf(top))).toEqual({ branch: 'main', commit: second });
  });

  test('[CAP-7] detached', async () => {
    const top = newRepository();
    const commit = commitAll(top);
    git(top, ['checkout', '--quiet', '--detach']);
    expect(await readHead(repositoryOf(top))).toEqual({ branch: null, commit });
  });

  test('[CAP-7] sha256', async () => {
    const top = newRepository('--object-format=sha256');
    const commit = commitAll(top);
    expect(commit).toHaveLength(64);
    expect(await readHead(repositoryOf(top))).toEqual({ branch: 'main', commit });
  });

  test('[CAP-7] a linked worktree has its own HEAD and shares branches', async () => {
    const top = newRepository();
    const commit = commitAll(top);
    const linked = join(newDirectory(), 'linked');
    git(top, ['worktree', 'add', '--quiet', '-b', 'other', linked]);
    expect(await readHead(repositoryOf(linked))).toEqual({ branch: 'other', commit });
    const newer = commitAll(linked);
    expect(await readHead(repositoryOf(linked))).toEqual({ branch: 'other', commit: newer });
    expect(await readHead(repositoryOf(top))).toEqual({ branch: 'main', commit });
  });

  test('a branch that is a symbolic ref, and HEAD as a symlink', async () => {
    const top = newRepository();
    const commit = commitAll(top);
    git(top, ['symbolic-ref', 'refs/heads/alias', 'refs/heads/main']);
    git(top, ['symbolic-ref', 'HEAD', 'refs/heads/alias']);
    expect(await readHead(repositoryOf(top))).toEqual({ branch: 'alias', commit });
    rmSync(join(top, '.git/HEAD'));
    symlinkSync('refs/heads/main', join(top, '.git/HEAD'));
    expect(await readHead(repositoryOf(top))).toEqual({ branch: 'main', commit });
  });

  test('what leads nowhere reads as a branch without commits', async () => {
    const top = newRepository();
    commitAll(top);
    const head = join(top, '.git/HEAD');
    writeFileSync(join(top, '.git/refs/heads/loop'), 'ref: refs/heads/loop\n');
    writeFileSync(join(top, '.git/refs/heads/garbage'), 'garbage\n');
    for (const name of ['loop', 'garbage', '../../../outside']) {
      writeFileSync(head, `ref: refs/heads/${name}\n`);
      expect((await readHead(repositoryOf(top))).commit).toBeNull();
    }
  });

  test('where only git knows the refs, git is asked', async () => {
    const top = newRepository();
    writeFileSync(join(top, '.git/HEAD'), 'ref: refs/heads/.invalid\n');
    // A git that knows reftables would answer here; this repository has none, so nobody can.
    const head = await readHead(repositoryOf(top));
    expect(head.commit).toBeNull();
    expect(gitText(top, 'status', '--porcelain')).toBe('');
  });
});
