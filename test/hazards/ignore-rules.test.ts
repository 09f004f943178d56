import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import { storedEntries } from '../support/private-store.ts';
import { commitAll, put, repositoryScene, type Scene, scene, steps, storeOf } from '../support/scene.ts';

const captured = (at: Scene): string[] => {
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  return [...storedEntries(storeOf(at), id)].filter(([, { type }]) => type === 'blob').map(([path]) => path);
};

test('[CAP-2] nested rules, info/exclude and the global excludes are honoured', () => {
  const at = repositoryScene();
  put(join(at.retake.home, '..'), '.config/git/ignore', '*.global\n');
  put(at.workspace, '.git/info/exclude', '/excluded\n');
  put(at.workspace, '.gitignore', '*.log\nbuild/\n!keep.log\n');
  put(at.workspace, 'sub/.gitignore', 'local\n!*.log\n');
  for (const path of ['a.log', 'keep.log', 'a.global', 'excluded', 'build/x', 'sub/a.log', 'sub/local', 'sub/excluded', 'file'])
    put(at.workspace, path, 'x');
  expect(captured(at)).toEqual(['.gitignore', 'file', 'keep.log', 'sub/.gitignore', 'sub/a.log', 'sub/excluded']);
});

test('[CAP-2] core.excludesFile of the user is honoured, also with ~', () => {
  const at = repositoryScene();
  const home = join(at.retake.home, '..');
  put(home, '.gitconfig', '[core]\n\texcludesFile = ~/my-rules\n');
  put(home, 'my-rules', 'mine\n');
  put(at.workspace, 'mine', 'x');
  put(at.workspace, 'file', 'x');
  expect(captured(at)).toEqual(['file']);
});

test('[CAP-2] files that are tracked though ignored are captured, also in ignored directories', () => {
  const at = repositoryScene();
  put(at.workspace, '.gitignore', '*.log\nbuild/\n');
  for (const path of ['tracked.log', 'other.log', 'build/tracked', 'build/other', 'build/deep/tracked', 'gone/build/x'])
    put(at.workspace, path, 'x');
  gitIn(at.workspace, 'add', '-f', '.gitignore', 'tracked.log', 'build/tracked', 'build/deep/tracked');
  expect(captured(at)).toEqual(['.gitignore', 'build/deep/tracked', 'build/tracked', 'tracked.log']);
  const { id } = at.retake.json(at.workspace, 'checkpoint');

  rmSync(join(at.workspace, 'build/deep'), { recursive: true });
  put(at.workspace, 'build/tracked', 'changed');
  put(at.workspace, 'build/other', 'ignored and changed');
  expect(steps(at.retake.json(at.workspace, 'rewind', id, '--yes'))).toEqual([
    'mkdir build/deep',
    'create build/deep/tracked',
    'restore build/tracked',
  ]);
  expect(readFileSync(join(at.workspace, 'build/other'), 'utf8')).toBe('ignored and changed');
});

test('[CAP-2] a file that becomes tracked is captured from then on, though nothing in the workspace changed', () => {
  const at = repositoryScene();
  put(at.workspace, '.gitignore', 'dir/\n');
  put(at.workspace, 'dir/file', 'x');
  expect(captured(at)).toEqual(['.gitignore']);
  gitIn(at.workspace, 'add', '-f', 'dir/file');
  expect(captured(at)).toEqual(['.gitignore', 'dir/file']);
  gitIn(at.workspace, 'rm', '-q', '--cached', 'dir/file');
  expect(captured(at)).toEqual(['.gitignore']);
  expect(existsSync(join(at.workspace, 'dir/file'))).toBe(true);
});

test('[CAP-2] .env files are captured though ignored, and come back', () => {
  const at = repositoryScene();
  put(at.workspace, '.gitignore', '.env*\nnode_modules/\n');
  for (const path of ['.env', '.env.local', 'app/.env.production', 'node_modules/pkg/.env', '.environment'])
    put(at.workspace, path, 'KEY=1', 0o600);
  expect(captured(at)).toEqual(['.env', '.env.local', '.gitignore', 'app/.env.production']);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, '.env', 'KEY=lost');
  rmSync(join(at.workspace, 'app'), { recursive: true });
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(readFileSync(join(at.workspace, '.env'), 'utf8')).toBe('KEY=1');
  expect(readFileSync(join(at.workspace, 'app/.env.production'), 'utf8')).toBe('KEY=1');
});

test('[CAP-2] rules of a directory without git count too', () => {
  const at = scene();
  put(at.workspace, '.gitignore', 'ignored\n');
  put(at.workspace, 'ignored', 'x');
  put(at.workspace, 'file', 'x');
  expect(captured(at)).toEqual(['.gitignore', 'file']);
});

test('[CAP-2] a rule file that changes, or is ignored itself, takes effect at once', () => {
  const at = repositoryScene();
  put(at.workspace, 'sub/.gitignore', '*\n');
  put(at.workspace, 'sub/x', 'x');
  put(at.workspace, 'sub/y', 'y');
  expect(captured(at)).toEqual([]);
  put(at.workspace, 'sub/.gitignore', '*\n!y\n');
  expect(captured(at)).toEqual(['sub/y']);
  rmSync(join(at.workspace, 'sub/.gitignore'));
  expect(captured(at)).toEqual(['sub/x', 'sub/y']);
});

test('[CAP-2] a .gitignore that is a symlink is captured as one and, as in git, not obeyed', () => {
  const at = repositoryScene();
  put(at.workspace, 'rules', 'file\n');
  symlinkSync('rules', join(at.workspace, '.gitignore'));
  put(at.workspace, 'file', 'x');
  expect(captured(at)).toEqual(['.gitignore', 'file', 'rules']);
});

test('[RST-5] what the target ignored is not deleted, though it is captured now', () => {
  const at = repositoryScene();
  put(at.workspace, '.gitignore', 'cache/\n*.local\n');
  put(at.workspace, 'cache/a', 'precious');
  put(at.workspace, 'x.local', 'precious');
  put(at.workspace, 'file', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  rmSync(join(at.workspace, '.gitignore'));
  put(at.workspace, 'file', '2');
  put(at.workspace, 'new', 'new');
  const plan = at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(steps(plan)).toEqual(['create .gitignore', 'restore file', 'delete new']);
  expect(plan.kept.map(({ path }: { path: string }) => path)).toEqual(['cache', 'cache/a', 'x.local']);
  for (const path of ['cache/a', 'x.local']) expect(readFileSync(join(at.workspace, path), 'utf8')).toBe('precious');
});

test('[RST-5] what is ignored now and was captured then comes back, and undo brings the ignored version back', () => {
  const at = repositoryScene();
  put(at.workspace, 'data', 'then');
  put(at.workspace, 'gone', 'then');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, '.gitignore', 'data\ngone\n');
  put(at.workspace, 'data', 'now, ignored');
  rmSync(join(at.workspace, 'gone'));
  const plan = at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(steps(plan)).toEqual(['delete .gitignore', 'restore data', 'create gone']);
  expect(readFileSync(join(at.workspace, 'data'), 'utf8')).toBe('then');
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(readFileSync(join(at.workspace, 'data'), 'utf8')).toBe('now, ignored');
  expect(readFileSync(join(at.workspace, '.gitignore'), 'utf8')).toBe('data\ngone\n');
  expect(existsSync(join(at.workspace, 'gone'))).toBe(false);
});

test('[RST-5] rules outside the tree count as well: a path excluded by info/exclude or the global excludes then is not deleted now', () => {
  const at = repositoryScene();
  const rules = put(join(at.retake.home, '..'), '.config/git/ignore', 'global\n');
  put(at.workspace, '.git/info/exclude', 'excluded\n');
  put(at.workspace, 'file', '1');
  put(at.workspace, 'global', 'g');
  put(at.workspace, 'excluded', 'e');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  rmSync(rules);
  rmSync(join(at.workspace, '.git/info/exclude'));
  put(at.workspace, 'file', '2');
  const plan = at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(steps(plan)).toEqual(['restore file']);
  expect(plan.kept).toHaveLength(2);
  commitAll(at.workspace);
});
