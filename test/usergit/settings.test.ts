import { appendFileSync, chownSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { fromBytes } from '../../src/model/index.ts';
import { readIgnoreSettings, readInfoExclude } from '../../src/usergit/index.ts';
import { bytes, commitAll, git, HOME, makeFifo, newDirectory, newRepository, repositoryOf, write } from './support.ts';

const setGlobal = (...args: string[]): Buffer => git(HOME, ['config', '--global', ...args]);

beforeEach(() => {
  for (const name of readdirSync(HOME)) rmSync(join(HOME, name), { recursive: true });
  delete process.env.XDG_CONFIG_HOME;
});

describe('readIgnoreSettings', () => {
  test('[CAP-2] without configuration the usual files count', async () => {
    const directory = newDirectory();
    expect(await readIgnoreSettings(bytes(directory))).toMatchObject({
      globalExcludes: null,
      ignoreCase: false,
      attributesFile: join(HOME, '.config/git/attributes'),
      attributesFromTree: false,
      problem: null,
    });
    write(HOME, { '.config/git/ignore': '*.log\n' });
    expect((await readIgnoreSettings(bytes(directory))).globalExcludes).toEqual({
      path: join(HOME, '.config/git/ignore'),
      text: '*.log\n',
    });
    const other = newDirectory();
    write(other, { 'git/ignore': '*.tmp\n' });
    process.env.XDG_CONFIG_HOME = other;
    expect((await readIgnoreSettings(bytes(directory))).globalExcludes).toEqual({ path: join(other, 'git/ignore'), text: '*.tmp\n' });
  });

  test('[CAP-2] core.excludesFile in its forms, the repository before the user', async () => {
    const top = newRepository();
    mkdirSync(join(top, 'sub'));
    write(HOME, { 'mine ü': 'a\n', '.config/git/ignore': 'unused\n' });
    write(top, { rules: 'b\n' });
    setGlobal('core.excludesFile', '~/mine ü');
    expect((await readIgnoreSettings(bytes(top))).globalExcludes).toEqual({ path: bytes(join(HOME, 'mine ü')), text: 'a\n' });
    git(top, ['config', 'core.excludesFile', 'rules']);
    expect((await readIgnoreSettings(bytes(join(top, 'sub')))).globalExcludes?.text).toBe('b\n');
    git(top, ['config', 'core.excludesFile', '']);
    expect((await readIgnoreSettings(bytes(top))).globalExcludes).toBeNull();
    git(top, ['config', 'core.excludesFile', '~nobody-of-that-name/x']);
    expect((await readIgnoreSettings(bytes(top))).globalExcludes).toBeNull();
  });

  test('[CAP-2] the user’s excludes may be a symlink, and must be a file', async () => {
    const directory = newDirectory();
    write(HOME, { real: 'a\n' });
    mkdirSync(join(HOME, '.config/git'), { recursive: true });
    symlinkSync(join(HOME, 'real'), join(HOME, '.config/git/ignore'));
    expect((await readIgnoreSettings(bytes(directory))).globalExcludes?.text).toBe('a\n');
    makeFifo(join(HOME, 'fifo'));
    setGlobal('core.excludesFile', '~/fifo');
    expect((await readIgnoreSettings(bytes(directory))).globalExcludes).toBeNull();
  });

  test.each([
    ['[core] ignorecase', true],
    ['[core]\nignoreCase = yes', true],
    ['[core]\nignorecase = 1', true],
    ['[core]\nignorecase = true\n[core]\nignorecase = off', false],
    ['[core]\nignorecase =', false],
  ])('%j says that case counts for nothing: %s', async (config, expected) => {
    const top = newRepository();
    appendFileSync(join(top, '.git/config'), `${config}\n`);
    expect((await readIgnoreSettings(bytes(top))).ignoreCase).toBe(expected);
  });

  test('attributes: the file that is named, and a tree', async () => {
    const top = newRepository();
    setGlobal('core.attributesFile', '~/attributes');
    git(top, ['config', 'attr.tree', 'HEAD']);
    expect(await readIgnoreSettings(bytes(top))).toMatchObject({ attributesFile: join(HOME, 'attributes'), attributesFromTree: true });
  });

  test('[CAP-7] a damaged configuration leaves the user’s own in force', async () => {
    const top = newRepository();
    write(HOME, { mine: 'a\n' });
    setGlobal('core.excludesFile', '~/mine');
    writeFileSync(join(top, '.git/config'), '[core\nbroken');
    const settings = await readIgnoreSettings(bytes(top));
    expect(settings.globalExcludes?.text).toBe('a\n');
    expect(settings.problem).toContain('bad config');
  });

  test.skipIf(process.getuid?.() !== 0)('[CAP-7] in somebody else’s repository only the user’s own configuration counts', async () => {
    const top = newRepository();
    git(top, ['config', 'core.excludesFile', '/etc/passwd']);
    for (const directory of [top, join(top, '.git')]) chownSync(directory, 12345, 12345);
    write(HOME, { '.config/git/ignore': 'a\n' });
    const settings = await readIgnoreSettings(bytes(top));
    expect(settings.globalExcludes?.text).toBe('a\n');
  });

  test('[CAP-8] in a directory whose name is not UTF-8', async () => {
    const top = newRepository();
    git(top, ['config', 'core.ignorecase', 'true']);
    const odd = Buffer.concat([Buffer.from(newDirectory()), Buffer.from([0x2f, 0x63, 0xe9])]);
    renameSync(top, odd);
    expect((await readIgnoreSettings(fromBytes(odd))).ignoreCase).toBe(true);
  });
});

describe('readInfoExclude', () => {
  test('[CAP-2] is shared by linked worktrees; a FIFO in its place is nothing', () => {
    const top = newRepository();
    commitAll(top);
    const linked = join(newDirectory(), 'linked');
    git(top, ['worktree', 'add', '--quiet', linked]);
    const file = join(top, '.git/info/exclude');
    writeFileSync(file, '*.o\n');
    expect(readInfoExclude(repositoryOf(linked))).toBe('*.o\n');
    rmSync(file);
    expect(readInfoExclude(repositoryOf(linked))).toBeNull();
    makeFifo(file);
    expect(readInfoExclude(repositoryOf(top))).toBeNull();
  });
});
