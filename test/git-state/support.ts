import { execFileSync, spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { gitIn, hermeticEnvironment } from '../support/git.ts';
import { commitAll, put, repositoryScene, type Scene } from '../support/scene.ts';

/** A repository with one commit of two files. */
export const committedScene = (env: Record<string, string> = {}, ...initOptions: string[]): Scene => {
  const at = repositoryScene(env, ...initOptions);
  put(at.workspace, 'one.txt', 'one\ntwo\nthree\n');
  put(at.workspace, 'two.txt', 'second\n');
  commitAll(at.workspace, 'first');
  return at;
};

/** What git answers, or the exit code where it fails. */
const ask = (directory: string, ...args: string[]): string => {
  try {
    return execFileSync('git', args, {
      cwd: directory,
      env: hermeticEnvironment('/nonexistent'),
      stdio: ['ignore', 'pipe', 'pipe'],
    }).toString();
  } catch (error) {
    return `exit ${(error as { status: number }).status}`;
  }
};

/** Where git stands, by git's own words: HEAD, branches, every entry of the index with its flags, and what differs from what. */
export const standing = (directory: string): Record<string, string> => ({
  head: ask(directory, 'symbolic-ref', '-q', 'HEAD'),
  commit: ask(directory, 'rev-parse', '-q', '--verify', 'HEAD'),
  branches: ask(directory, 'for-each-ref', 'refs/heads'),
  index: ask(directory, 'ls-files', '--stage', '-v'),
  staged: ask(directory, 'diff', '--cached', '--raw', '--no-renames'),
  status: ask(directory, 'status', '--porcelain=v2', '--branch', '--untracked-files=all'),
});

/** Everything that refs and the index lead to is there and sound. */
export const assertSound = (directory: string): void => {
  const { stdout, stderr } = spawnSync('git', ['fsck', '--full', '--strict', '--no-dangling', '--no-progress'], {
    cwd: directory,
    env: hermeticEnvironment('/nonexistent'),
    encoding: 'utf8',
  });
  expect(stdout + stderr.replaceAll(/^notice: .*\n/gm, '')).toBe('');
};

/** All that nothing leads to is gone, as after months. */
export const forgetUnreachable = (directory: string): void => {
  gitIn(directory, 'reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all');
  gitIn(directory, 'gc', '-q', '--prune=now');
};

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
export const rewindGit = ({ workspace, retake }: Scene, target: string): any => retake.json(workspace, 'rewind', target, '--git', '--yes');
