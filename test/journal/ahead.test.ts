import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { WarmWorkspace } from '../../src/daemon/warm-workspace.ts';
import { collectGarbage, createCheckpoint, deleteCheckpoint, Workspace } from '../../src/engine/index.ts';
import { gitIn } from '../support/git.ts';
import { put } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { CHANGES, project } from './changes.ts';
import { noteLooks, shell, Watched } from './watched.ts';

const expectSound = ({ workspace }: Watched): void => {
  expect(gitIn(workspace.storePath, 'fsck', '--full', '--strict', '--no-dangling').trim()).toBe('');
};

test.each(Object.entries(CHANGES))('[CAP-1] looking ahead hides nothing of what comes later: %s', async (_, script) => {
  const root = project();
  const outside = temporaryDirectory();
  put(outside, 'comes/inside.txt', 'inside');
  const watched = await Watched.begin(root);
  shell(root, 'echo before >> src/a/one.txt; echo before > src/b/new.txt');
  await watched.lookAhead();
  shell(root, `OUTSIDE=${outside}\n${script}`);
  await watched.lookAhead();
  await watched.expectExact();
  shell(root, 'mkdir -p other; echo later > other/later.txt');
  await watched.lookAhead();
  await watched.checkpoint();
  expectSound(watched);
  shell(root, 'echo last >> other/later.txt');
  await watched.expectExact();
});

test('[PRF-1] what was looked at ahead is not looked at again', async () => {
  const root = project();
  const watched = await Watched.begin(root);
  writeFileSync(join(root, 'src/a/one.txt'), 'edited');
  await watched.lookAhead();
  const seen = noteLooks(watched.workspace);
  await watched.checkpoint();
  expect(seen).toEqual([]);
  writeFileSync(join(root, 'src/a/one.txt'), 'edited again');
  await watched.checkpoint();
  expect(seen).toContain('src/a');
  await watched.expectExact();
});

test('[STO-3] what a clean-up took away meanwhile is not taken for stored', async () => {
  const root = project();
  const watched = await Watched.begin(root);
  const file = join(root, 'src/a/one.txt');
  const other = await Workspace.open({ directory: root });
  try {
    writeFileSync(file, 'only ever in a checkpoint that is deleted');
    const { checkpoint } = await watched.checkpoint();
    await collectGarbage(other);
    writeFileSync(file, 'something else');
    await watched.checkpoint();
    await deleteCheckpoint(other, checkpoint.id);
    writeFileSync(file, 'only ever in a checkpoint that is deleted');
    // Found in the pack, so that it has not to be written.
    await watched.lookAhead();
    await collectGarbage(other, { now: true });
    await watched.checkpoint();
    expectSound(watched);
    await watched.expectExact();
  } finally {
    other.close();
  }
});

test('[PRF-1] the daemon looks at a change before it is asked, while an agent is at work', async () => {
  const root = project();
  await Watched.begin(root);
  const kept = await WarmWorkspace.open(root, () => {});
  try {
    await kept.run(async (workspace) => createCheckpoint(workspace, { name: 'begun' }));
    await vi.waitUntil(() => kept.status().tier === 'journal', { timeout: 600_000 });
    const seen = noteLooks(kept.workspace);
    writeFileSync(join(root, 'src/a/one.txt'), 'edited');
    await vi.waitUntil(() => seen.includes('src/a'), { timeout: 600_000 });
    // It is not recorded for that.
    expect(kept.workspace.index.newestContent()?.description).toBe('begun');
  } finally {
    await kept.close();
  }
});
