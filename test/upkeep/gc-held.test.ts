import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assertSound, forgetUnreachable, rewindGit, standing } from '../git-state/support.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, dataOf, put, repositoryScene, type Scene } from '../support/scene.ts';
import { has, packsIn } from './support.ts';

const heldOf = (at: Scene): string => join(dataOf(at), 'held.git');

const heldRefs = (at: Scene): string[] => gitIn(heldOf(at), 'for-each-ref', '--format=%(refname)').split('\n').filter(Boolean);

/** A commit that only a checkpoint remembers; its id, and the checkpoint's. */
const leaveBehind = (at: Scene, content: string): { commit: string; checkpoint: string } => {
  put(at.workspace, 'file', content);
  commitAll(at.workspace, content);
  const commit = gitIn(at.workspace, 'rev-parse', 'HEAD').trim();
  const { id } = at.retake.json(at.workspace, 'checkpoint', '--name', content);
  gitIn(at.workspace, 'reset', '-q', '--hard', 'HEAD~1');
  at.retake.json(at.workspace, 'checkpoint', '--name', `without ${content}`);
  return { commit, checkpoint: id };
};

const committed = (): Scene => {
  const at = repositoryScene();
  put(at.workspace, 'file', 'base');
  commitAll(at.workspace);
  at.retake.json(at.workspace, 'checkpoint', '--name', 'base');
  return at;
};

test('[GIT-2] [STO-3] what a checkpoint needs of your git stays held through gc, and comes back', () => {
  const at = committed();
  put(at.workspace, 'file', 'staged');
  gitIn(at.workspace, 'add', 'file');
  const then = standing(at.workspace);
  const { id } = at.retake.json(at.workspace, 'checkpoint', '--name', 'staged');
  gitIn(at.workspace, 'reset', '-q', '--hard');
  const { commit } = leaveBehind(at, 'left behind');
  expect(at.retake.json(at.workspace, 'gc', '--now')).toMatchObject({ heldReleased: 0, damaged: 0 });
  expect(has(heldOf(at), commit)).toBe(true);
  expect(gitIn(heldOf(at), 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
  forgetUnreachable(at.workspace);
  rewindGit(at, id);
  const { branches, ...now } = standing(at.workspace);
  const { branches: before, ...rest } = then;
  expect(now).toEqual(rest);
  expect(branches).toBe(before);
  assertSound(at.workspace);
});

test('[GIT-2] [STO-3] what no operation speaks of any more is released after a while, or at once with --now, and its objects go', () => {
  const at = committed();
  const [first, second] = [leaveBehind(at, 'first'), leaveBehind(at, 'second')];
  // The records after it tell where they came from, so that all of them have to go.
  const { operations } = at.retake.json(at.workspace, 'log');
  const speaking = operations.filter(({ name }: { name: string }) => name === 'first' || name === 'without first');
  for (const { id } of speaking) at.retake.json(at.workspace, 'delete', id);
  expect(at.retake.json(at.workspace, 'gc')).toMatchObject({ heldReleased: 0 });
  expect(has(heldOf(at), first.commit)).toBe(true);
  // Left by a git that was killed long ago; without its removal nothing could be released.
  const lock = join(heldOf(at), `packed-refs.lock`);
  writeFileSync(lock, '');
  utimesSync(lock, 1_600_000_000, 1_600_000_000);
  expect(at.retake.json(at.workspace, 'gc', '--now').heldReleased).toBeGreaterThan(0);
  expect([has(heldOf(at), first.commit), has(heldOf(at), second.commit)]).toEqual([false, true]);
  expect(heldRefs(at).join('\n')).not.toContain(first.commit);
  expect(gitIn(heldOf(at), 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
  expect(packsIn(heldOf(at)).length).toBeLessThanOrEqual(1);
  expect(existsSync(join(heldOf(at), 'refs/held/commits', second.commit))).toBe(false);
  forgetUnreachable(at.workspace);
  rewindGit(at, second.checkpoint);
  expect(gitIn(at.workspace, 'rev-parse', 'HEAD').trim()).toBe(second.commit);
  assertSound(at.workspace);
});

test('[GIT-2] [REL-5] what a checkpoint needs of your git stays when its ref is lost, although other things are released', () => {
  const at = committed();
  const [first, second] = [leaveBehind(at, 'first'), leaveBehind(at, 'second')];
  const { operations } = at.retake.json(at.workspace, 'log');
  const speaking = operations.filter(({ name }: { name: string }) => name === 'first' || name === 'without first');
  for (const { id } of speaking) at.retake.json(at.workspace, 'delete', id);
  gitIn(heldOf(at), 'update-ref', '-d', `refs/held/commits/${second.commit}`);
  expect(at.retake.json(at.workspace, 'gc', '--now').heldReleased).toBeGreaterThan(0);
  expect(has(heldOf(at), first.commit)).toBe(false);
  expect(has(heldOf(at), second.commit)).toBe(true);
  expect(heldRefs(at)).toContain(`refs/held/commits/${second.commit}`);
});
