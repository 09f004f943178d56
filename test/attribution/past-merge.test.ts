import { expect, test } from 'vitest';
import { branchNamed, forked, forkScene, forksOf, turn } from '../forks/forked.ts';
import { contents } from '../recover/played.ts';
import { put } from '../support/scene.ts';

test('[RST-10] --keep-mine past a merge of branches: what the merge brought goes, what the person did stays', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const FILES = ['shared.txt', 'left.txt', 'right.txt', 'mine.txt', 'later.txt'];
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  const { tree } = forksOf(at);
  const [right, left] = ['right', 'left'].map((title) => branchNamed(tree, title).branch);
  at.retake.json(at.workspace, 'merge', right, left, '--on-conflict', 'theirs', '--yes');
  put(at.workspace, 'mine.txt', 'mine\n');
  await turn(at, session, 'go on', { 'later.txt': 'later\n' });
  const now = contents(at, ...FILES);
  expect(now).toEqual(['one\nleft\nthree\n', 'left\n', 'right\n', 'mine\n', 'later\n']);
  at.retake.json(at.workspace, 'rewind', id, '--keep-mine', '--yes');
  expect(contents(at, ...FILES)).toEqual(['one\nright\nthree\n', undefined, 'right\n', 'mine\n', undefined]);
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(contents(at, ...FILES)).toEqual(now);
});
