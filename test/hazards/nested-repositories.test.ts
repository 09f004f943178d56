import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import { observeDirectory } from '../support/oracle.ts';
import { storedBytes, storedEntries } from '../support/private-store.ts';
import { commitAll, gitState, put, repositoryScene, roundTrip, type Scene, scene, steps, storeOf } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const gitlinks = ({ retake, workspace }: Scene, id: string): string[] =>
  [...storedEntries(storeOf({ retake, workspace }), id)]
    .filter(([, { mode, type }]) => mode === '160000' || type === 'commit')
    .map(([path]) => path);

const sourceRepository = (): string => {
  const source = temporaryDirectory();
  gitIn(source, 'init', '-q', '-b', 'main');
  put(source, 'lib.c', 'int main;\n');
  put(source, 'deep/er.c', 'int deeper;\n');
  commitAll(source);
  return source;
};

test('[CAP-3] a nested repository without commits is captured as plain files', () => {
  const at = repositoryScene();
  put(at.workspace, 'top.txt', 'top');
  commitAll(at.workspace);
  mkdirSync(join(at.workspace, 'vendor/fresh'), { recursive: true });
  gitIn(join(at.workspace, 'vendor/fresh'), 'init', '-q');
  put(at.workspace, 'vendor/fresh/a.txt', 'a');
  put(at.workspace, 'vendor/fresh/sub/b.txt', 'b');
  const nested = gitState(join(at.workspace, 'vendor/fresh/.git'));
  const { id, status } = roundTrip(at, { git: join(at.workspace, '.git') });
  expect(status).toBe('complete');
  expect(gitlinks(at, id)).toEqual([]);
  expect([...storedEntries(storeOf(at), id).keys()]).toEqual([
    'top.txt',
    'vendor',
    'vendor/fresh',
    'vendor/fresh/a.txt',
    'vendor/fresh/sub',
    'vendor/fresh/sub/b.txt',
  ]);
  expect(gitState(join(at.workspace, 'vendor/fresh/.git'))).toEqual(nested);
});

test('[CAP-3] a nested repository with commits is captured as plain files, also where the outer index holds a gitlink', () => {
  const at = repositoryScene();
  const nested = join(at.workspace, 'nested');
  gitIn(at.workspace, 'clone', '-q', sourceRepository(), nested);
  put(at.workspace, 'nested/untracked', 'u');
  put(at.workspace, 'nested/lib.c', 'int changed;\n');
  commitAll(at.workspace);
  expect(gitIn(at.workspace, 'ls-files', '-s', 'nested')).toMatch(/^160000/);
  const { id } = roundTrip(at, { git: join(at.workspace, '.git') });
  expect(gitlinks(at, id)).toEqual([]);
  expect(storedBytes(storeOf(at), id, 'nested/lib.c').toString()).toBe('int changed;\n');
  expect(storedBytes(storeOf(at), id, 'nested/untracked').toString()).toBe('u');
});

test('[CAP-2] [CAP-3] a submodule is captured as plain files and its pointer file comes back after deletion', () => {
  const at = repositoryScene();
  gitIn(at.workspace, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sourceRepository(), 'sub');
  commitAll(at.workspace);
  const pointer = readFileSync(join(at.workspace, 'sub/.git'), 'utf8');
  const { id } = roundTrip(at, { git: join(at.workspace, '.git') });
  expect(gitlinks(at, id)).toEqual([]);
  expect(storedBytes(storeOf(at), id, 'sub/deep/er.c').toString()).toBe('int deeper;\n');

  rmSync(join(at.workspace, 'sub'), { recursive: true });
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(readFileSync(join(at.workspace, 'sub/.git'), 'utf8')).toBe(pointer);
  expect(gitIn(join(at.workspace, 'sub'), 'status', '--short')).toBe('');
});

test('[CAP-2] [CAP-7] a linked worktree as workspace: its pointer file is remembered and comes back', () => {
  const main = sourceRepository();
  const at = scene();
  rmSync(at.workspace, { recursive: true });
  gitIn(main, 'worktree', 'add', '-q', '-b', 'side', at.workspace);
  put(at.workspace, 'untracked', 'u');
  const pointer = readFileSync(join(at.workspace, '.git'), 'utf8');
  const { id } = roundTrip(at, { git: join(main, '.git') });
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  rmSync(join(at.workspace, '.git'));
  expect(steps(at.retake.json(at.workspace, 'rewind', id, '--dry-run'))).toEqual(['create .git']);
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(readFileSync(join(at.workspace, '.git'), 'utf8')).toBe(pointer);
  expect(gitIn(at.workspace, 'branch', '--show-current').trim()).toBe('side');
  expect(at.retake.json(at.workspace, 'check', '--full').damage).toEqual([]);
});

test('[CAP-2] [CAP-3] a linked worktree inside the workspace comes back whole after it was deleted', () => {
  const at = repositoryScene();
  put(at.workspace, 'a.txt', 'a');
  commitAll(at.workspace);
  gitIn(at.workspace, 'worktree', 'add', '-q', '-b', 'inner', 'trees/inner');
  put(at.workspace, 'trees/inner/a.txt', 'changed in the inner one');
  const whole = observeDirectory(join(at.workspace, 'trees'));
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  expect(gitlinks(at, id)).toEqual([]);
  rmSync(join(at.workspace, 'trees'), { recursive: true });
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(observeDirectory(join(at.workspace, 'trees'))).toEqual(whole);
  expect(gitIn(join(at.workspace, 'trees/inner'), 'status', '--short')).toBe(' M a.txt\n');
});

test('[RST-5] a pointer file is not restored over a real .git directory that took its place', () => {
  const at = scene();
  put(at.workspace, 'sub/.git', 'gitdir: ../elsewhere\n');
  put(at.workspace, 'sub/file', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  rmSync(join(at.workspace, 'sub/.git'));
  gitIn(join(at.workspace, 'sub'), 'init', '-q');
  const nested = gitState(join(at.workspace, 'sub/.git'));
  put(at.workspace, 'sub/file', '2');
  const run = at.retake.run(at.workspace, 'rewind', id, '--yes', '--json');
  expect(run.json.error?.code).toBe('in-the-way');
  expect(gitState(join(at.workspace, 'sub/.git'))).toEqual(nested);
  expect(readFileSync(join(at.workspace, 'sub/file'), 'utf8')).toBe('2');
});

test('[CAP-5] a symlink named .git comes back after deletion, or the checkpoint says that it is partial', () => {
  const at = scene();
  const elsewhere = sourceRepository();
  symlinkSync(join(elsewhere, '.git'), join(at.workspace, '.git'));
  put(at.workspace, 'file', '1');
  const { id, status } = at.retake.json(at.workspace, 'checkpoint');
  rmSync(join(at.workspace, '.git'));
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(status === 'partial' || existsSync(join(at.workspace, '.git'))).toBe(true);
});

/** What the program records now, and whether a change of these files is taken back and undone. */
const keepsTracked = (at: Scene, ...paths: string[]): void => {
  const { id, status } = at.retake.json(at.workspace, 'checkpoint');
  expect(status).toBe('complete');
  expect([...storedEntries(storeOf(at), id).keys()]).toEqual(expect.arrayContaining(paths));
  for (const path of paths) put(at.workspace, path, 'changed');
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  for (const path of paths) expect(readFileSync(join(at.workspace, path), 'utf8'), path).toBe('tracked');
  at.retake.json(at.workspace, 'undo', '--yes');
  for (const path of paths) expect(readFileSync(join(at.workspace, path), 'utf8'), path).toBe('changed');
};

/** Into an index, also where git itself would hesitate because another repository begins on the way. */
const track = (repository: string, path: string): void => {
  const blob = gitIn(repository, 'hash-object', '-w', '--', path).trim();
  gitIn(repository, 'update-index', '--add', '--cacheinfo', `100644,${blob},${path}`);
};

const HIDERS: Record<string, (at: Scene) => void> = {
  'its .gitignore': ({ workspace }) => void put(workspace, 'src/.gitignore', '*.log\ndeep/\n'),
  'its info/exclude': ({ workspace }) => void put(workspace, 'src/.git/info/exclude', '*.log\ndeep/\n'),
  'the global excludes': ({ retake }) => void put(retake.env.XDG_CONFIG_HOME as string, 'git/ignore', '*.log\ndeep/\n'),
};

describe('[CAP-2] what an outer repository tracks is captured although an inner one ignores it', () => {
  test.each(Object.keys(HIDERS))('by %s', (hider) => {
    const at = repositoryScene({ XDG_CONFIG_HOME: temporaryDirectory() });
    put(at.workspace, 'src/x.log', 'tracked');
    put(at.workspace, 'src/deep/er/y', 'tracked');
    commitAll(at.workspace);
    gitIn(join(at.workspace, 'src'), 'init', '-q');
    HIDERS[hider]?.(at);
    keepsTracked(at, 'src/x.log', 'src/deep/er/y');
    // Tracked since: the next record has it, though nothing else changed.
    put(at.workspace, 'src/deep/late', 'tracked');
    const without = at.retake.json(at.workspace, 'checkpoint', '--name', 'without');
    expect(storedEntries(storeOf(at), without.id).has('src/deep/late')).toBe(false);
    track(at.workspace, 'src/deep/late');
    keepsTracked(at, 'src/deep/late');
  });

  test('through two of them, a linked worktree and a submodule', () => {
    const at = repositoryScene();
    for (const path of ['a/x.log', 'a/b/x.log', 'tree/x.log', 'sub/x.log']) put(at.workspace, path, 'tracked');
    commitAll(at.workspace);
    gitIn(join(at.workspace, 'a'), 'init', '-q');
    gitIn(join(at.workspace, 'a/b'), 'init', '-q');
    const aside = temporaryDirectory();
    gitIn(at.workspace, 'worktree', 'add', '-q', join(aside, 'tree'));
    renameSync(join(aside, 'tree/.git'), join(at.workspace, 'tree/.git'));
    mkdirSync(join(at.workspace, '.git/modules'));
    gitIn(join(at.workspace, 'sub'), 'init', '-q', '--separate-git-dir', join(at.workspace, '.git/modules/sub'));
    for (const path of ['a', 'a/b', 'tree', 'sub']) put(at.workspace, `${path}/.gitignore`, '*.log\n');
    keepsTracked(at, 'a/x.log', 'a/b/x.log', 'tree/x.log', 'sub/x.log');
  });

  test('a submodule where the rules around it ignore it', () => {
    const at = repositoryScene();
    gitIn(at.workspace, 'clone', '-q', sourceRepository(), join(at.workspace, 'vendor/lib'));
    put(at.workspace, '.gitignore', 'vendor/\n');
    put(at.workspace, 'vendor/other', 'ignored');
    put(at.workspace, 'vendor/lib/.gitignore', '*.o\n');
    put(at.workspace, 'vendor/lib/lib.o', 'ignored');
    put(at.workspace, 'vendor/lib/lib.c', 'tracked');
    put(at.workspace, 'vendor/lib/untracked.c', 'tracked');
    gitIn(at.workspace, '-c', 'advice.addEmbeddedRepo=false', 'add', '--force', 'vendor/lib');
    keepsTracked(at, 'vendor/lib/lib.c', 'vendor/lib/untracked.c');
    const { id, status } = at.retake.json(at.workspace, 'checkpoint', '--name', 'with');
    expect(status).toBe('complete');
    put(at.workspace, 'vendor/lib/made.c', 'since');
    expect(steps(at.retake.json(at.workspace, 'rewind', id, '--dry-run'))).toEqual(['delete vendor/lib/made.c']);
    at.retake.json(at.workspace, 'rewind', id, '--yes');
    expect(existsSync(join(at.workspace, 'vendor/lib/made.c'))).toBe(false);
    expect(readFileSync(join(at.workspace, 'vendor/lib/lib.o'), 'utf8')).toBe('ignored');
    expect(readFileSync(join(at.workspace, 'vendor/other'), 'utf8')).toBe('ignored');
    expect(existsSync(join(at.workspace, 'vendor/lib/.git/HEAD'))).toBe(true);
  });

  test('also where the workspace is the inner one, and the outer one lies around it', () => {
    const outer = temporaryDirectory();
    gitIn(outer, 'init', '-q', '-b', 'main');
    put(outer, 'inner/deep/x.log', 'tracked');
    commitAll(outer);
    const at = { ...scene(), workspace: join(outer, 'inner') };
    gitIn(at.workspace, 'init', '-q');
    put(at.workspace, '.gitignore', 'deep/\n');
    put(at.workspace, 'deep/late', 'tracked');
    keepsTracked(at, 'deep/x.log');
    track(outer, 'inner/deep/late');
    keepsTracked(at, 'deep/late');
  });
});
