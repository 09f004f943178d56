import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startPrefetch } from '../../src/engine/core/prefetch.ts';
import { fromText, type RelativePath } from '../../src/model/index.ts';
import { findRepository, UserIndex, type UserRepository } from '../../src/usergit/index.ts';
import { gitIn } from '../support/git.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const makeRepository = (): UserRepository => {
  const root = temporaryDirectory();
  gitIn(root, 'init', '-q');
  for (let number = 0; number < 200; number++) {
    mkdirSync(join(root, `d${number % 7}`), { recursive: true });
    writeFileSync(join(root, `d${number % 7}`, `f${number}`), `content ${number}`, { mode: number % 2 ? 0o600 : 0o755 });
  }
  gitIn(root, 'add', '-A');
  rmSync(join(root, 'd0/f0'));
  return findRepository(fromText(root)) as UserRepository;
};

test('[PRF-3] [CAP-1] the second thread fetches what lstat says, from the end, and nothing for what is gone', async () => {
  const repository = makeRepository();
  const index = UserIndex.read(repository);
  // Asking for a path takes it from the helper, so each try has a helper of its own and more time for it.
  let prefetch = startPrefetch(repository, index, 0);
  for (let patience = 200; ; patience *= 2) {
    await sleep(patience);
    if (prefetch?.stat(index.pathAt(1)) !== undefined) break;
    expect(patience).toBeLessThan(60_000);
    prefetch = startPrefetch(repository, index, 0);
  }
  for (let place = 1; place < index.size; place++) {
    const path = index.pathAt(place);
    const { size, mtimeMs, ctimeMs, ino, mode, nlink } = lstatSync(join(repository.top, path));
    expect(prefetch?.stat(path), path).toEqual({ size, mtimeMs, ctimeMs, ino, mode, nlink });
  }
  expect(prefetch?.stat('d0/f0' as RelativePath)).toBeUndefined();
  expect(prefetch?.stat('not/tracked' as RelativePath)).toBeUndefined();
});

test('[PRF-3] a path that the walk reached first is left to the walk', () => {
  const repository = makeRepository();
  const index = UserIndex.read(repository);
  const prefetch = startPrefetch(repository, index, 0);
  expect(prefetch?.stat(index.pathAt(index.size - 1))).toBeUndefined();
  expect(startPrefetch(repository, index)).toBeUndefined();
});
