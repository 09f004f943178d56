import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitIn, hermeticEnvironment } from '../support/git.ts';

const put = (root: string, path: string | Buffer, content: string, mode = 0o644): void => {
  const absolute = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path)]);
  writeFileSync(absolute, content);
  chmodSync(absolute, mode);
};

const directories = (root: string, ...paths: string[]): void => {
  for (const path of paths) mkdirSync(join(root, path), { recursive: true });
};

/** One of every kind of thing that a workspace can hold, in a git repository with a commit and a nested one. */
export const makeRich = (root: string): void => {
  directories(root, 'empty', 'src/deep/deeper', 'becomes-file/sub', 'gone/inner', 'private', 'closed', 'ignored', 'vendor/nested');
  put(root, '.gitignore', 'ignored/\n*.log\n');
  put(root, 'README.md', 'hello\n');
  put(root, 'run.sh', '#!/bin/sh\n', 0o755);
  put(root, 'secret.key', 'the key\n', 0o600);
  put(root, 'src/a.ts', 'one\ntwo\nthree\n');
  put(root, 'src/deep/b.ts', 'b\n');
  put(root, 'src/deep/deeper/c.ts', 'c\n');
  put(root, 'becomes-directory', 'a file\n');
  put(root, 'becomes-file/x', 'x\n');
  put(root, 'becomes-file/sub/y', 'y\n');
  put(root, 'becomes-link', 'not a link yet\n');
  put(root, 'gone/inner/z', 'z\n', 0o640);
  put(root, 'private/p', 'p\n');
  put(root, 'closed/f', 'f\n', 0o444);
  put(root, 'debug.log', 'ignored\n');
  put(root, 'ignored/cache', 'ignored too\n');
  put(root, Buffer.from('caf\xe9\n', 'latin1'), 'an odd name\n');
  symlinkSync('README.md', join(root, 'link'));
  symlinkSync('src', join(root, 'becomes-plain'));
  gitIn(join(root, 'vendor/nested'), 'init', '-q', '--template=');
  put(root, 'vendor/nested/n.txt', 'nested\n');
  chmodSync(join(root, 'private'), 0o700);
  chmodSync(join(root, 'closed'), 0o555);
  gitIn(root, 'init', '-q', '--template=');
  gitIn(root, 'add', '-A', '--', 'src', 'README.md', '.gitignore', 'gone', 'becomes-file', 'private');
  commit(root);
};

/** At a fixed time, because what a checkpoint records of git should be the same in every run. */
const commit = (root: string): void => {
  const date = '2026-01-01T00:00:00Z';
  const env = { ...hermeticEnvironment('/nonexistent'), GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  execFileSync('git', ['commit', '-qm', 'begin'], { cwd: root, env });
};

/** Changes that need every type of step to be taken back, in every order of depth. */
export const changeRich = (root: string): void => {
  put(root, 'src/a.ts', 'one\n2\nthree\nfour\n');
  put(root, 'secret.key', 'another key\n', 0o644);
  put(root, 'vendor/nested/n.txt', 'changed\n');
  chmodSync(join(root, 'run.sh'), 0o644);
  rmSync(join(root, 'gone'), { recursive: true });
  rmSync(join(root, 'empty'), { recursive: true });
  rmSync(join(root, 'becomes-directory'));
  directories(root, 'becomes-directory/inside', 'made/below', 'made-empty');
  put(root, 'becomes-directory/inside/w', 'w\n');
  rmSync(join(root, 'becomes-file'), { recursive: true });
  put(root, 'becomes-file', 'a file now\n', 0o755);
  rmSync(join(root, 'becomes-link'));
  symlinkSync('run.sh', join(root, 'becomes-link'));
  rmSync(join(root, 'becomes-plain'));
  put(root, 'becomes-plain', 'no link any more\n');
  put(root, 'made/below/new', 'new\n');
  put(root, 'new.txt', 'new\n', 0o600);
  chmodSync(join(root, 'closed'), 0o755);
  put(root, 'closed/f', 'f changed\n', 0o444);
  chmodSync(join(root, 'closed'), 0o755);
  chmodSync(join(root, 'private'), 0o755);
};

/** A little of it, part of which git holds already: for the first checkpoint. */
export const makeSmallRepository = (root: string): void => {
  makeLean(root);
  gitIn(root, 'init', '-q', '--template=');
  gitIn(root, 'add', 'edited', 'directory');
  commit(root);
  gitIn(root, 'repack', '-adq');
  gitIn(root, 'add', 'removed');
};

/** The same kinds of step, each once: for tests that multiply. */
export const makeLean = (root: string): void => {
  directories(root, 'directory', 'mode');
  put(root, 'edited', 'before\n');
  put(root, 'directory/child', 'child\n');
  put(root, 'removed', 'removed\n', 0o600);
  chmodSync(join(root, 'mode'), 0o700);
};

export const changeLean = (root: string): void => {
  put(root, 'edited', 'after\n', 0o755);
  rmSync(join(root, 'directory'), { recursive: true });
  symlinkSync('edited', join(root, 'directory'));
  rmSync(join(root, 'removed'));
  directories(root, 'added');
  put(root, 'added/new', 'new\n');
  chmodSync(join(root, 'mode'), 0o755);
};
