import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ByteString, fromBytes, fromText, toText } from '../../src/model/index.ts';
import { findRepository, repositoryAt, UserIndex } from '../../src/usergit/index.ts';
import { bytes, commitAll, git, gitText, newDirectory, newRepository, path, write } from './support.ts';

const tops = (directory: string): { ours: string | undefined; theirs: string | undefined } => {
  let theirs: string | undefined;
  try {
    theirs = gitText(directory, 'rev-parse', '--show-toplevel');
  } catch {
    theirs = undefined;
  }
  const ours = findRepository(fromText(directory));
  return { ours: ours && toText(ours.top), theirs };
};

const agreed = (directory: string): string | undefined => {
  const { ours, theirs } = tops(directory);
  expect(ours).toBe(theirs);
  return ours;
};

describe('findRepository', () => {
  test('[CAP-7] a directory without git has none', () => {
    expect(agreed(newDirectory())).toBeUndefined();
  });

  test('[CAP-7] from the top, from a subdirectory, and through a symlink', () => {
    const top = newRepository();
    write(top, { 'a/b/c.txt': '' });
    const link = join(newDirectory(), 'link');
    symlinkSync(join(top, 'a'), link);
    expect(agreed(top)).toBe(top);
    expect(agreed(join(top, 'a/b'))).toBe(top);
    expect(agreed(join(link, 'b'))).toBe(top);
  });

  test('[CAP-7] a linked worktree has its own git directory and shares the common one', () => {
    const top = newRepository();
    commitAll(top);
    const linked = join(newDirectory(), 'linked');
    git(top, ['worktree', 'add', '--quiet', linked]);
    expect(agreed(linked)).toBe(linked);
    expect(findRepository(bytes(linked))).toMatchObject({
      gitDirectory: join(top, '.git/worktrees/linked'),
      commonDirectory: join(top, '.git'),
    });
  });

  test('[CAP-7] a worktree of a bare repository, whose configuration says bare', () => {
    const bare = newRepository('--bare');
    const linked = join(newDirectory(), 'linked');
    const tree = git(bare, ['mktree'], '').toString().trim();
    gitText(bare, 'update-ref', 'refs/heads/main', gitText(bare, 'commit-tree', tree, '-m', 'x'));
    git(bare, ['worktree', 'add', '--quiet', linked, 'main']);
    expect(agreed(linked)).toBe(linked);
    expect(agreed(bare)).toBeUndefined();
  });

  test('[CAP-7] a submodule is a repository of its own', () => {
    const inner = newRepository();
    write(inner, { 'f.txt': 'x' });
    commitAll(inner);
    const outer = newRepository();
    git(outer, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub']);
    expect(agreed(join(outer, 'sub'))).toBe(join(outer, 'sub'));
    expect(repositoryAt(bytes(join(outer, 'sub')))?.gitDirectory).toBe(join(outer, '.git/modules/sub'));
    expect(repositoryAt(bytes(outer))?.top).toBe(outer);
  });

  test('[CAP-7] sha256 is told from sha1', () => {
    expect(findRepository(bytes(newRepository()))?.objectFormat).toBe('sha1');
    expect(findRepository(bytes(newRepository('--object-format=sha256')))?.objectFormat).toBe('sha256');
  });

  test('a `.git` directory that is none is passed over, a `.git` file that leads nowhere ends the search', () => {
    const top = newRepository();
    mkdirSync(join(top, 'empty/.git'), { recursive: true });
    write(top, { 'lost/.git': 'gitdir: /nowhere\n', 'garbage/.git': 'hello\n' });
    expect(agreed(join(top, 'empty'))).toBe(top);
    expect(repositoryAt(bytes(join(top, 'empty')))).toBeUndefined();
    expect(agreed(join(top, 'lost'))).toBeUndefined();
    expect(agreed(join(top, 'garbage'))).toBeUndefined();
  });

  test('inside a git directory there is no work tree', () => {
    const top = newRepository();
    expect(agreed(join(top, '.git/objects'))).toBeUndefined();
  });

  test.each(['HEAD', 'objects', 'refs'])('a repository without its %s is none', (name) => {
    const top = newRepository();
    rmSync(join(top, '.git', name), { recursive: true });
    expect(agreed(top)).toBeUndefined();
  });

  test('core.bare and core.worktree are obeyed', () => {
    const bare = newRepository();
    git(bare, ['config', 'core.bare', 'true']);
    expect(agreed(bare)).toBeUndefined();

    const moved = newRepository();
    mkdirSync(join(moved, 'sub'));
    renameSync(join(moved, '.git'), join(moved, 'sub/.git'));
    const config = join(moved, 'sub/.git/config');
    writeFileSync(config, '[core] ; comment\n\tworktree = "..\\\n/.." # top\n');
    expect(agreed(join(moved, 'sub'))).toBe(join(moved, 'sub'));
    appendFileSync(config, '\trepositoryFormatVersion = 0\n');
    expect(agreed(join(moved, 'sub'))).toBe(moved);
    expect(repositoryAt(bytes(join(moved, 'sub')))).toBeUndefined();
  });

  test('a relative gitdir, a symlinked HEAD', () => {
    const top = newRepository();
    commitAll(top);
    renameSync(join(top, '.git'), join(top, 'elsewhere'));
    write(top, { '.git': 'gitdir: elsewhere\r\n' });
    expect(agreed(top)).toBe(top);
    rmSync(join(top, 'elsewhere/HEAD'));
    symlinkSync('refs/heads/main', join(top, 'elsewhere/HEAD'));
    expect(agreed(top)).toBe(top);
  });

  test('[CAP-8] a directory whose name is not UTF-8', () => {
    const top = newRepository();
    write(top, { 'f.txt': 'x' });
    commitAll(top);
    const odd = Buffer.concat([Buffer.from(newDirectory()), Buffer.from([0x2f, 0x63, 0xe9])]);
    renameSync(top, odd);
    const found = findRepository(fromBytes(odd));
    expect(found?.top).toBe(odd.toString('latin1') as ByteString);
    expect(found && UserIndex.read(found).has(path('f.txt'))).toBe(true);
  });
});
