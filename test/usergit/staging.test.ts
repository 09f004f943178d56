import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RelativePath } from '../../src/model/index.ts';
import { decodeStaging, type StagedEntry, UserIndex, writeIndex } from '../../src/usergit/index.ts';
import { indexBytes } from '../../src/usergit/staging/index-bytes.ts';
import { parseIndex } from '../../src/usergit/staging/index-format.ts';
import { encodeColumns } from '../../src/usergit/staging/staging.ts';
import { commitAll, git, gitText, newDirectory, newRepository, path, repositoryOf, write } from './support.ts';

/** Entries that no index has, in the form of the store. */
const encodeStaging = (entries: readonly StagedEntry[]): Buffer[] => {
  const hashSize = (entries[0]?.id.length ?? 40) / 2;
  return encodeColumns(parseIndex(indexBytes(entries, hashSize), hashSize).columns);
};

const indexOf = (top: string): UserIndex => UserIndex.read(repositoryOf(top));

/** Files that were changed long before git looks at them. */
const writeOld = (top: string, files: Record<string, string>): void => {
  write(top, files);
  const hourAgo = Date.now() / 1000 - 3600;
  for (const name of Object.keys(files)) utimesSync(join(top, name), hourAgo, hourAgo);
};

/** What git itself says of the index. */
const observe = (top: string) => ({
  staged: git(top, ['ls-files', '--stage', '-v', '--sparse', '-z']).toString('latin1'),
  status: git(top, ['--no-optional-locks', 'status', '--porcelain=v2', '-z']).toString('latin1'),
  cached: git(top, ['--no-optional-locks', 'diff', '--cached', '--raw', '--abbrev=64', '--ita-visible-in-index', '-z']).toString('latin1'),
});

/** Without its flags, among which are some that only tell where an entry was read from. */
const statData = (top: string): string =>
  git(top, ['ls-files', '--stage', '--debug', '--sparse'])
    .toString('latin1')
    .replaceAll(/\tflags: .*/g, '');

/** Puts the index back over itself, and over none at all, and compares what git sees. */
const expectRoundTrip = (top: string): readonly StagedEntry[] => {
  const [before, stats] = [observe(top), statData(top)];
  const index = indexOf(top);
  expect(index.problem).toBeNull();
  const entries = index.entries();
  const chunks = index.staging();
  expect(decodeStaging(chunks)).toEqual(entries);
  expect(encodeStaging(entries)).toEqual(chunks);

  writeIndex(repositoryOf(top), entries);
  expect(statData(top)).toBe(stats);
  expect(observe(top)).toEqual(before);

  rmSync(join(top, gitText(top, 'rev-parse', '--git-path', 'index')), { force: true });
  writeIndex(repositoryOf(top), decodeStaging(chunks));
  expect(observe(top)).toEqual(before);
  expect(indexOf(top).entries()).toEqual(entries);
  return entries;
};

const committed = (...options: string[]): string => {
  const top = newRepository(...options);
  writeOld(top, { a: 'one\n', 'b/c': 'two\n', 'b/d': 'three\n', 'e-f': 'four\n' });
  commitAll(top);
  return top;
};

const conflicted = (): string => {
  const top = committed();
  git(top, ['checkout', '--quiet', '-b', 'other']);
  writeOld(top, { a: 'theirs\n', new: 'theirs\n' });
  git(top, ['rm', '--quiet', 'b/c']);
  commitAll(top);
  git(top, ['checkout', '--quiet', 'main']);
  writeOld(top, { a: 'ours\n', 'b/c': 'ours\n', new: 'ours\n' });
  commitAll(top);
  expect(() => git(top, ['merge', 'other'])).toThrow();
  return top;
};

/** In a process of its own that is killed before one of its effects; false when it has fewer. */
const dropFirstEntry = (top: string, killAt: number): boolean => {
  const from = (file: string): string => JSON.stringify(new URL(`../../${file}`, import.meta.url).href);
  const program = `
    import { runFaulty } from ${from('test/support/faults.ts')};
    import { findRepository, UserIndex, writeIndex } from ${from('src/usergit/index.ts')};
    const repository = findRepository(process.argv[1]);
    await runFaulty(async () => (writeIndex(repository, UserIndex.read(repository).entries().slice(1)), 0));`;
  const { signal, status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program, top], {
    env: { ...process.env, RETAKE_TEST_KILL_AT: `${killAt}` },
    encoding: 'utf8',
  });
  if (signal !== 'SIGKILL' && status !== 0) throw new Error(stderr);
  return signal === 'SIGKILL';
};

describe('the index, put back', () => {
  test('[GIT-2] partially staged, added, deleted, made executable', () => {
    const top = committed();
    writeOld(top, { a: 'staged\n', added: 'new\n' });
    git(top, ['add', 'a', 'added']);
    git(top, ['update-index', '--chmod=+x', 'e-f']);
    git(top, ['rm', '--quiet', '--cached', 'b/c']);
    writeOld(top, { a: 'staged and more\n', untracked: 'x' });
    const entries = expectRoundTrip(top);
    expect(entries.map((entry) => entry.path)).toEqual(['a', 'added', 'b/d', 'e-f']);
    expect(gitText(top, 'show', ':a')).toBe('staged');
  });

  test('[GIT-2] intent to add, skip-worktree, assume-unchanged', () => {
    const top = committed();
    writeOld(top, { planned: 'x\n' });
    git(top, ['add', '--intent-to-add', 'planned']);
    git(top, ['update-index', '--skip-worktree', 'a', 'b/c']);
    git(top, ['update-index', '--assume-unchanged', 'b/c', 'b/d']);
    writeOld(top, { a: 'unseen\n', 'b/d': 'unseen\n' });
    const flags = expectRoundTrip(top).map((entry) => [entry.path, entry.intentToAdd, entry.skipWorktree, entry.assumeUnchanged]);
    expect(flags).toEqual([
      ['a', false, true, false],
      ['b/c', false, true, true],
      ['b/d', false, false, true],
      ['e-f', false, false, false],
      ['planned', true, false, false],
    ]);
  });

  test('[GIT-2] conflicts', () => {
    const entries = expectRoundTrip(conflicted());
    expect(entries.filter((entry) => entry.stage !== 0).map((entry) => [entry.path, entry.stage])).toEqual([
      ['a', 1],
      ['a', 2],
      ['a', 3],
      ['b/c', 1],
      ['b/c', 2],
      ['new', 2],
      ['new', 3],
    ]);
  });

  test('[GIT-2] a sparse index with folded directories', () => {
    const top = committed();
    git(top, ['sparse-checkout', 'init', '--cone', '--sparse-index']);
    const entries = expectRoundTrip(top);
    expect(entries.map((entry) => [entry.path, entry.mode])).toContainEqual(['b/', 0o040000]);
    git(top, ['sparse-checkout', 'disable']);
    expect(gitText(top, 'status', '--porcelain')).toBe('');
  });

  test.each([['--split-index'], ['--index-version', '4']])('[GIT-2] an index made by update-index %s %s', (...options) => {
    const top = committed();
    git(top, ['update-index', ...options.filter((word) => word !== undefined)]);
    writeOld(top, { a: 'staged\n', new: 'new\n' });
    git(top, ['-c', 'splitIndex.maxPercentChange=100', 'add', 'a', 'new']);
    expectRoundTrip(top);
    expect(gitText(top, 'fsck')).toBe('');
  });

  test('[GIT-2] a submodule at another commit', () => {
    const top = committed();
    const inner = committed();
    git(top, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'inner']);
    commitAll(top);
    utimesSync(join(top, '.gitmodules'), 1e9, 1e9);
    utimesSync(join(top, 'inner'), 1e9, 1e9);
    git(top, ['add', '.gitmodules']);
    writeOld(join(top, 'inner'), { a: 'newer\n' });
    commitAll(join(top, 'inner'));
    utimesSync(join(top, 'inner'), 1e9, 1e9);
    git(top, ['add', 'inner']);
    expect(expectRoundTrip(top)).toContainEqual(expect.objectContaining({ path: 'inner', mode: 0o160000 }));
  });

  test('[GIT-2] sha256', () => {
    const top = committed('--object-format=sha256');
    writeOld(top, { a: 'staged\n' });
    git(top, ['add', 'a']);
    expect(expectRoundTrip(top)[0]?.id).toHaveLength(64);
  });

  test('[GIT-2] names of any bytes and any length', () => {
    const top = newRepository();
    const id = git(top, ['hash-object', '-w', '--stdin'], 'x').toString().trim();
    const names = ['\x01', ' ', '"', '-dash', ':(top)', 'a\tb', 'new\nline', '\xff\xfe', `long/${'d'.repeat(4200)}`, 'é/ü'];
    const info = names.map((name) => `100644 ${id}\t${name}\0`).join('');
    git(top, ['update-index', '-z', '--index-info'], Buffer.from(info, 'latin1'));
    expect(expectRoundTrip(top).map((entry) => entry.path)).toEqual(names.toSorted());
  });

  test('[GIT-2] an index without entries, and none at all', () => {
    const top = committed();
    git(top, ['rm', '--quiet', '--cached', '-r', '.']);
    expect(expectRoundTrip(top)).toEqual([]);
    const unborn = newRepository();
    expect(expectRoundTrip(unborn)).toEqual([]);
    expect(git(unborn, ['status', '--porcelain']).toString()).toBe('');
  });

  test('[GIT-2] a linked worktree has its own', () => {
    const top = committed();
    const linked = join(newDirectory(), 'linked');
    git(top, ['worktree', 'add', '--quiet', linked]);
    writeOld(linked, { a: 'staged here\n' });
    git(linked, ['add', 'a']);
    const before = observe(top);
    const entries = indexOf(linked).entries();
    git(linked, ['reset', '--quiet']);
    writeIndex(repositoryOf(linked), entries);
    expect(gitText(linked, 'diff', '--cached', '--name-only')).toBe('a');
    expect(observe(top)).toEqual(before);
  });

  test('[GIT-2] git reads no file again whose entry stayed', () => {
    const top = committed();
    const entries = indexOf(top).entries();
    git(top, ['reset', '--quiet']);
    writeIndex(repositoryOf(top), entries);
    // Were it read, it would be seen to differ.
    const { mtimeMs } = lstatSync(join(top, 'a'));
    git(top, ['config', 'core.trustctime', 'false']);
    writeFileSync(join(top, 'a'), 'ONE\n');
    utimesSync(join(top, 'a'), mtimeMs / 1000, mtimeMs / 1000);
    expect(gitText(top, 'status', '--porcelain')).toBe('');
  });

  test.each(['whole', 'split'])(
    '[GIT-2] a file changed in the second in which git looked at it, by a file of the same size: %s',
    (kind) => {
      const top = committed();
      git(top, ['config', 'core.trustctime', 'false']);
      const second = Math.floor(Date.now() / 1000) - 100;
      utimesSync(join(top, 'a'), second, second + 0.25);
      git(top, ['add', 'a']);
      if (kind === 'split') git(top, ['update-index', '--split-index']);
      for (const name of readdirSync(join(top, '.git')).filter((each) => each.includes('index')))
        utimesSync(join(top, '.git', name), second, second + 0.5);
      writeFileSync(join(top, 'a'), 'ONE\n');
      utimesSync(join(top, 'a'), second, second + 0.25);
      expect(gitText(top, '--no-optional-locks', 'status', '--porcelain')).toBe(' M a');
      writeIndex(repositoryOf(top), indexOf(top).entries());
      expect(gitText(top, '--no-optional-locks', 'status', '--porcelain')).toBe(' M a');
    },
  );
});

describe('writing the index', () => {
  test('[GIT-2] a lock of git is respected and named; the index stays', () => {
    const top = committed();
    const repository = repositoryOf(top);
    const before = readFileSync(join(top, '.git/index'));
    write(top, { '.git/index.lock': '' });
    expect(() => writeIndex(repository, [])).toThrow(
      expect.objectContaining({ code: 'git-busy', message: expect.stringContaining('index.lock') }),
    );
    expect(readFileSync(join(top, '.git/index'))).toEqual(before);
    expect(readdirSync(join(top, '.git')).filter((name) => name.startsWith('tmp_'))).toEqual([]);
    expect(lstatSync(join(top, '.git/index.lock')).size).toBe(0);
  });

  test('[REL-2] killed before any of its steps, it leaves a whole index, and the next run clears up', () => {
    const top = committed();
    const repository = repositoryOf(top);
    const old = indexOf(top).entries();
    const wanted = old.slice(1);
    let killed = 0;
    for (; killed < 50; killed++) {
      writeIndex(repository, old);
      if (!dropFirstEntry(top, killed + 1)) break;
      expect([old.length, wanted.length]).toContain(gitText(top, 'ls-files').split('\n').length);
      writeIndex(repository, wanted);
      expect(indexOf(top).entries()).toEqual(wanted);
      expect(readdirSync(join(top, '.git')).filter((name) => /^tmp_|lock$/.test(name))).toEqual([]);
    }
    expect(killed).toBeGreaterThan(4);
    expect(killed).toBeLessThan(50);
    expect(indexOf(top).entries()).toEqual(wanted);
  });

  test('[GIT-2] permission bits stay, a symlink is followed', () => {
    const top = committed();
    const elsewhere = join(newDirectory(), 'index');
    writeFileSync(elsewhere, readFileSync(join(top, '.git/index')), { mode: 0o640 });
    rmSync(join(top, '.git/index'));
    symlinkSync(elsewhere, join(top, '.git/index'));
    writeIndex(repositoryOf(top), indexOf(top).entries().slice(1));
    expect(lstatSync(join(top, '.git/index')).isSymbolicLink()).toBe(true);
    expect(lstatSync(elsewhere).mode & 0o777).toBe(0o640);
    expect(gitText(top, 'diff', '--cached', '--name-status')).toBe('D\ta');
  });

  test('[GIT-2] entries of another object format are refused', () => {
    const other = indexOf(committed('--object-format=sha256')).entries();
    expect(() => writeIndex(repositoryOf(committed()), other)).toThrow(expect.objectContaining({ code: 'store-damaged' }));
  });
});

describe('wholeTree', () => {
  test('[GIT-2] the tree of a commit, as long as nothing is staged', () => {
    const top = committed();
    const tree = gitText(top, 'rev-parse', 'HEAD^{tree}');
    expect(indexOf(top).wholeTree).toBe(tree);
    writeOld(top, { a: 'staged\n' });
    git(top, ['add', 'a']);
    expect(indexOf(top).wholeTree).toBeNull();
    const written = gitText(top, 'write-tree');
    expect(indexOf(top).wholeTree).toBe(written);
    git(top, ['update-index', '--split-index']);
    expect(indexOf(top).wholeTree).toBe(written);
  });

  test('[GIT-2] none where the index says more than a tree can', () => {
    const flagged = committed();
    git(flagged, ['update-index', '--assume-unchanged', 'a']);
    expect(indexOf(flagged).wholeTree).toBeNull();
    const skipping = committed();
    git(skipping, ['update-index', '--skip-worktree', 'a']);
    expect(indexOf(skipping).wholeTree).toBeNull();
    expect(indexOf(conflicted()).wholeTree).toBeNull();
    expect(indexOf(newRepository()).wholeTree).toBeNull();
  });

  test('[GIT-2] sha256', () => {
    const top = committed('--object-format=sha256');
    expect(indexOf(top).wholeTree).toBe(gitText(top, 'rev-parse', 'HEAD^{tree}'));
  });
});

describe('chunks', () => {
  const entry = (name: string, id = '1'.repeat(40)): StagedEntry => ({
    path: path(name),
    mode: 0o100644,
    id,
    stage: 0,
    intentToAdd: false,
    skipWorktree: false,
    assumeUnchanged: false,
  });
  const many = Array.from({ length: 20_000 }, (_, i) => entry(`src/part-${String(i >> 6).padStart(4, '0')}/file-${i}.ts`)).sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
  const texts = (entries: readonly StagedEntry[]): string[] => encodeStaging(entries).map((chunk) => chunk.toString('latin1'));

  test('[STO-2] one change makes one other chunk', () => {
    const before = new Set(texts(many));
    expect(before.size).toBeGreaterThan(20);
    expect(before.size).toBeLessThan(80);
    const changed = many.with(7000, entry(many[7000]?.path ?? '', '2'.repeat(40)));
    const added = many.toSpliced(9000, 0, entry(`${many[8999]?.path}x`));
    for (const entries of [changed, added, many.toSpliced(12_000, 1)]) {
      const fresh = texts(entries).filter((text) => !before.has(text));
      // Two where the changed entry is one after which a chunk ends.
      expect(fresh.length).toBeGreaterThan(0);
      expect(fresh.length).toBeLessThanOrEqual(2);
    }
    const flagged = texts(many.with(3, { ...entry(many[3]?.path ?? ''), skipWorktree: true }));
    expect(flagged.filter((text) => !before.has(text))).toEqual([`s 0\t${many[3]?.path}\0`]);
  });

  test('[GIT-2] git reads them', () => {
    const top = newRepository();
    const id = git(top, ['hash-object', '-w', '--stdin'], 'x').toString().trim();
    const entries = ['a', 'b/new\nline', 'c\xff'].map((name) => ({ ...entry(name, id), path: name as RelativePath }));
    git(top, ['update-index', '-z', '--index-info'], Buffer.concat(encodeStaging(entries)));
    expect(indexOf(top).entries()).toEqual(entries);
  });

  test('[REL-6] damaged chunks are refused as such', () => {
    const good = Buffer.concat(encodeStaging(many.slice(0, 3)));
    for (const bad of [good.subarray(0, -1), good.subarray(1), Buffer.from('x'), Buffer.from('q 0\ta\0'), Buffer.from('100644 12 0\ta\0')])
      expect(() => decodeStaging([bad])).toThrow(expect.objectContaining({ code: 'store-damaged' }));
  });

  test('[GIT-2] entries that are not in order never become an index', () => {
    const top = newRepository();
    expect(() => writeIndex(repositoryOf(top), [entry('b'), entry('a')])).toThrow('order');
    expect(readdirSync(join(top, '.git')).filter((name) => /index|^tmp_|lock$/.test(name))).toEqual([]);
  });
});
