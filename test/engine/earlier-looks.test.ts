import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readGitContext, type UserGit } from '../../src/engine/core/git-context.ts';
import { fromText } from '../../src/model/index.ts';
import { put, repositoryScene, scene } from '../support/scene.ts';

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

test.each([
  ['without a repository', scene],
  ['with a repository', repositoryScene],
])('[PRF-8] %s, a look at the surroundings keeps none of the earlier ones in memory', async (_, make) => {
  const at = make();
  put(at.workspace, 'inner/file');
  const root = fromText(at.workspace);
  let look: UserGit = await readGitContext(root);
  const earlier: WeakRef<object>[] = [];
  for (let round = 0; round < 5; round++) {
    earlier.push(new WeakRef(look.gitContext));
    look = await readGitContext(root, look);
  }
  await setImmediate();
  collectGarbage();
  expect(earlier.filter((one) => one.deref() !== undefined)).toHaveLength(0);
  // It is still in use.
  expect(look.gitContext).toBeDefined();
});
