import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ByteString, type RelativePath, toFs } from '../../src/model/index.ts';
import { UserIndex } from '../../src/usergit/index.ts';
import { commitAll, git, gitText, newDirectory, newRepository, path, repositoryOf, write } from './support.ts';

const indexOf = (top: string): UserIndex => UserIndex.read(repositoryOf(top));

const versionOf = (top: string): number => readFileSync(join(top, '.git/index')).readUInt32BE(4);

/** Everything that git itself says about each entry. */
const theirs = (top: string): Map<string, { stages: string[]; facts: string; tag: string }> => {
  const found = new Map<string, { stages: string[]; facts: string; tag: string }>();
  // With -z, `--debug` puts the stat data of an entry between its name and the next entry.
  const output = git(top, ['ls-files', '--stage', '-v', '--debug', '-z']).toString('latin1');
  const entry =
    /([A-Za-z?]) (\d{6}) ([0-9a-f]+) (\d)\t([^\0]*)\0 {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: \d+\tino: (\d+)\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: \w+\n/gy;
  let read = 0;
  for (const [whole, tag = '', mode, id, stage = '', name = '', cs, cn, ms, mn, ino, size] of output.matchAll(entry)) {
    const times = [Number(cs) * 1000 + Number(cn) / 1e6, Number(ms) * 1000 + Number(mn) / 1e6];
    const facts = JSON.stringify([Number.parseInt(mode ?? '', 8), id, ...times, Number(ino), Number(size)]);
    found.set(name, { stages: [...(found.get(name)?.stages ?? []), stage], facts, tag });
    read += whole.length;
  }
  expect(read).toBe(output.length);
  return found;
};

const ours = (index: UserIndex, name: RelativePath): string | undefined => {
  const entry = index.entry(name);
  return entry && JSON.stringify([entry.mode, entry.id, entry.ctimeMs, entry.mtimeMs, entry.ino, entry.size]);
};

const expectAgreement = (top: string): UserIndex => {
  const index = indexOf(top);
  expect(index.problem).toBeNull();
  const expected = theirs(top);
  const names = [...expected.keys()].sort() as RelativePath[];
  const directories = new Set(
    names.flatMap((name) => name.split('/').map((_, i, parts) => parts.slice(0, i).join('/'))),
  ) as Set<RelativePath>;
  const wrong: string[] = [];
  for (const name of [...names, ...names.toReversed()]) {
    const { stages, facts, tag } = expected.get(name) as { stages: string[]; facts: string; tag: string };
    const entry = index.entry(name);
    if (!index.has(name)) wrong.push(`lost ${name}`);
    if (ours(index, name) !== (stages.includes('0') ? facts : undefined)) wrong.push(`entry ${name}`);
    if (entry && (entry.skipWorktree !== (tag.toUpperCase() === 'S') || entry.assumeUnchanged !== (tag !== tag.toUpperCase())))
      wrong.push(`flags ${name}`);
    for (const other of [`${name}x`, `${name}/x`, name.slice(0, -1), `${name}\xff`, `\x01${name}`] as RelativePath[]) {
      if (index.has(other) !== expected.has(other)) wrong.push(`invented ${other}`);
      if (index.hasUnder(other) !== directories.has(other)) wrong.push(`under ${other}`);
    }
  }
  for (const directory of directories) if (!index.hasUnder(directory)) wrong.push(`nothing under ${directory}`);
  expect(wrong).toEqual([]);
  return index;
};

/** Names of all kinds: shared beginnings, bytes that sort oddly, the longest that a flag can't count. */
const NAMES = ((): ByteString[] => {
  const parts = [
    'a',
    'b',
    'ab',
    'a.b',
    'a-b',
    'a0',
    'é',
    'new\nline',
    '-dash',
    '*',
    ':(top)',
    ' ',
    'Z',
    `long${'x'.repeat(200)}`,
    '\xff\xfe',
  ];
  const names = new Set<string>();
  let state = 1;
  const pick = (): string => {
    state = (state * 48271) % 2147483647;
    return parts[state % parts.length] as string;
  };
  while (names.size < 5000)
    names.add(`${Array.from({ length: 1 + (names.size % 3) }, () => `${pick().slice(0, 2)}d`).join('/')}/${pick()}${names.size % 700}`);
  return [...names] as ByteString[];
})();

const writeNames = (top: string): void => {
  const start = Date.now() / 1000 - 2 * NAMES.length;
  for (const [i, name] of NAMES.entries()) {
    const file = `${top}/${name}` as ByteString;
    mkdirSync(toFs(dirname(file) as ByteString), { recursive: true });
    writeFileSync(toFs(file), `${i % 97}`);
    utimesSync(toFs(file), start, start + i + i / NAMES.length);
  }
};

describe('UserIndex', () => {
  test('[CAP-7] a repository without an index', () => {
    const index = indexOf(newRepository());
    expect(index.problem).toBeNull();
    expect([index.has(path('a')), index.hasUnder(path('a')), index.hasUnder(path('')), index.entry(path('a'))]).toEqual([
      false,
      false,
      false,
      undefined,
    ]);
  });

  test('[CAP-7] 5,000 entries in versions 2, 3 and 4, whole and split, as git sees them', () => {
    const top = newRepository();
    writeNames(top);
    git(top, ['add', '--all']);
    expect(versionOf(top)).toBe(2);
    expectAgreement(top);

    git(top, ['update-index', '-z', '--skip-worktree', '--stdin'], Buffer.from(`${NAMES.slice(10, 40).join('\0')}\0`, 'latin1'));
    git(top, ['update-index', '-z', '--assume-unchanged', '--stdin'], Buffer.from(`${NAMES.slice(30, 50).join('\0')}\0`, 'latin1'));
    expect(versionOf(top)).toBe(3);
    expectAgreement(top);

    git(top, ['update-index', '--index-version', '4']);
    expect(versionOf(top)).toBe(4);
    expectAgreement(top);

    for (const version of ['2', '4']) {
      git(top, ['update-index', '--index-version', version]);
      git(top, ['update-index', '--split-index']);
      expectAgreement(top);
      // Deleted, replaced and added entries, all against the shared base.
      git(
        top,
        ['-c', 'splitIndex.maxPercentChange=100', 'update-index', '-z', '--force-remove', '--stdin'],
        Buffer.from(`${NAMES.slice(100, 300).join('\0')}\0`, 'latin1'),
      );
      for (const name of NAMES.slice(500, 900)) writeFileSync(toFs(`${top}/${name}` as ByteString), `changed in ${version}`);
      write(top, { 'added/one': '1', 'zzz/last': '2', '!first': '3' });
      git(top, ['-c', 'splitIndex.maxPercentChange=100', 'add', '--all', '--', ...(version === '2' ? ['added', 'zzz', '!first'] : [])]);
      git(top, ['-c', 'splitIndex.maxPercentChange=100', 'add', '--update']);
      expect(readFileSync(join(top, '.git/index')).includes('link')).toBe(true);
      expectAgreement(top);
      git(top, ['update-index', '--no-split-index']);
    }

    git(top, ['update-index', '--split-index']);
    git(top, ['-c', 'splitIndex.maxPercentChange=100', 'update-index', '-z', '--force-remove', '--stdin'], git(top, ['ls-files', '-z']));
    expect(readFileSync(join(top, '.git/index')).includes('link')).toBe(true);
    expect(expectAgreement(top).size).toBe(0);
  });

  test('[CAP-7] a name too long for its own length field', () => {
    const top = newRepository();
    const id = git(top, ['hash-object', '-w', '--stdin'], 'x').toString().trim();
    const names = ['b', `c/${'d'.repeat(4200)}`, `c/${'d'.repeat(4201)}e`, 'f'];
    for (const version of ['2', '4']) {
      git(top, ['update-index', '-z', '--index-info'], names.map((name) => `100644 ${id}\t${name}\0`).join(''));
      git(top, ['update-index', '--index-version', version]);
      expectAgreement(top);
    }
  });

  test('[CAP-7] sha256', () => {
    const top = newRepository('--object-format=sha256');
    write(top, { a: '1', 'b/c': '2' });
    git(top, ['add', '--all']);
    expect(expectAgreement(top).entry(path('a'))?.id).toHaveLength(64);
    git(top, ['update-index', '--split-index']);
    write(top, { a: 'other' });
    git(top, ['add', '--all']);
    expectAgreement(top);
  });

  test('[CAP-7] a linked worktree has an index of its own, split or not', () => {
    const top = newRepository();
    write(top, { a: '1' });
    commitAll(top);
    const linked = join(newDirectory(), 'linked');
    git(top, ['worktree', 'add', '--quiet', linked]);
    write(linked, { only: 'here' });
    git(linked, ['add', '--all']);
    git(linked, ['update-index', '--split-index']);
    expect(expectAgreement(linked).has(path('only'))).toBe(true);
    expect(expectAgreement(top).has(path('only'))).toBe(false);
  });

  test('[CAP-7] mid-merge: a file in conflict is tracked and has no one entry', () => {
    const top = newRepository();
    write(top, { both: 'base', 'deleted-there': 'base', calm: 'x' });
    commitAll(top);
    git(top, ['checkout', '--quiet', '-b', 'other']);
    write(top, { both: 'theirs' });
    rmSync(join(top, 'deleted-there'));
    commitAll(top);
    git(top, ['checkout', '--quiet', 'main']);
    write(top, { both: 'ours', 'deleted-there': 'ours' });
    commitAll(top);
    expect(() => git(top, ['merge', 'other'])).toThrow();
    const index = expectAgreement(top);
    for (const name of ['both', 'deleted-there']) expect([index.has(path(name)), index.entry(path(name))]).toEqual([true, undefined]);
    expect(index.entry(path('calm'))).toBeDefined();
    git(top, ['update-index', '--split-index']);
    expectAgreement(top);
  });

  test('[CAP-7] intent to add', () => {
    const top = newRepository();
    write(top, { planned: 'x', staged: 'y' });
    git(top, ['add', '--intent-to-add', 'planned']);
    git(top, ['add', 'staged']);
    const index = expectAgreement(top);
    expect(index.entry(path('planned'))?.intentToAdd).toBe(true);
    expect(index.entry(path('staged'))?.intentToAdd).toBe(false);
  });

  test('[CAP-7] a sparse index: a folded directory counts as tracked', () => {
    const top = newRepository();
    write(top, { 'in/a': '1', 'out/deep/b': '2', 'out/c': '3', 'out-file': '4', top: '5' });
    commitAll(top);
    git(top, ['sparse-checkout', 'init', '--cone', '--sparse-index']);
    git(top, ['sparse-checkout', 'set', 'in']);
    expect(git(top, ['ls-files', '--sparse']).toString()).toContain('out/\n');
    const index = indexOf(top);
    expect(index.problem).toBeNull();
    expect([index.has(path('in/a')), index.has(path('top')), index.has(path('out-file')), index.has(path('out'))]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([index.hasUnder(path('in')), index.hasUnder(path('out')), index.hasUnder(path('o'))]).toEqual([true, true, false]);
  });

  test('[STO-2] times are those of Node, and a file changed with the index is racy', () => {
    const top = newRepository();
    write(top, { old: 'x', late: 'y', whole: 'z' });
    const second = Math.floor(Date.now() / 1000);
    utimesSync(join(top, 'old'), second, second + 0.25);
    utimesSync(join(top, 'late'), second, second + 0.75);
    utimesSync(join(top, 'whole'), second, second);
    git(top, ['add', '--all']);
    utimesSync(join(top, '.git/index'), second, second + 0.5);
    const read = indexOf(top);
    for (const name of ['old', 'late', 'whole']) {
      const stat = lstatSync(join(top, name));
      expect(read.entry(path(name))).toMatchObject({ mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, ino: stat.ino % 2 ** 32 });
    }
    expect(['old', 'late', 'whole'].map((name) => read.entry(path(name))?.racy)).toEqual([false, true, true]);
  });

  test('[CAP-7] a damaged, foreign or unreadable index counts as empty and says why', () => {
    const top = newRepository();
    write(top, { 'a/b': '1', 'a/c': '2', d: '3' });
    git(top, ['add', '--all']);
    const file = join(top, '.git/index');
    const good = readFileSync(file);
    const withExtension = (name: string): Buffer =>
      Buffer.concat([good.subarray(0, -20), Buffer.from(`${name}\0\0\0\x02xx`), good.subarray(-20)]);
    const changed = (change: (bytes: Buffer) => unknown): Buffer => {
      const bytes = Buffer.from(good);
      change(bytes);
      return bytes;
    };
    writeFileSync(file, withExtension('WHAT'));
    expect(indexOf(top).has(path('d'))).toBe(true);
    const damages: Record<string, Buffer> = {
      'nothing in it': Buffer.alloc(0),
      'not an index': randomBytes(400),
      'cut in an entry': good.subarray(0, 100),
      'cut in an extension': Buffer.concat([withExtension('WHAT').subarray(0, -21), good.subarray(-20)]),
      'an extension that may not be ignored': withExtension('what'),
      'more entries than bytes': changed((bytes) => bytes.writeUInt32BE(0xffffffff, 8)),
      'version 5': changed((bytes) => bytes.writeUInt32BE(5, 4)),
      'out of order': changed((bytes) => bytes.write('z', bytes.indexOf('a/b'))),
    };
    for (const [name, bytes] of Object.entries(damages)) {
      writeFileSync(file, bytes);
      const index = indexOf(top);
      expect([name, index.problem]).toEqual([name, expect.any(String)]);
      expect(index.has(path('d'))).toBe(false);
    }
    rmSync(file);
    mkdirSync(file);
    expect(indexOf(top).problem).toEqual(expect.any(String));
  });

  test('[CAP-7] a split index without its base', () => {
    const top = newRepository();
    write(top, { a: '1' });
    git(top, ['add', '--all']);
    git(top, ['update-index', '--split-index']);
    const shared = gitText(top, 'rev-parse', '--shared-index-path');
    renameSync(join(top, shared), join(top, 'elsewhere'));
    expect(indexOf(top).problem).toContain('base');
  });

  test('[CAP-7] any cut or flipped byte of an index ends in an answer', () => {
    const top = newRepository();
    write(top, { 'a/b': '1', 'a/c': '2', d: '3' });
    git(top, ['add', '--all']);
    git(top, ['update-index', '--split-index']);
    write(top, { 'a/b': 'x', e: '4' });
    git(top, ['add', '--all']);
    git(top, ['update-index', '--index-version', '4']);
    const file = join(top, '.git/index');
    const good = readFileSync(file);
    const repository = repositoryOf(top);
    for (let at = 0; at < good.length; at++) {
      for (const bytes of [good.subarray(0, at), Buffer.from(good)]) {
        if (bytes.length === good.length) bytes[at] = (bytes[at] as number) ^ 0xff;
        writeFileSync(file, bytes);
        expect(typeof UserIndex.read(repository).has(path('d'))).toBe('boolean');
      }
    }
  });
});
