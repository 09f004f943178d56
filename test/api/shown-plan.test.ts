import { expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { commitAll, put, repositoryScene, type Scene } from '../support/scene.ts';
import { serve } from './served.ts';

/** Two commits with a checkpoint after the first, and a change that is in none. */
const story = (): { at: Scene; checkpoint: string } => {
  const at = repositoryScene();
  put(at.workspace, 'a.txt', 'one\n');
  commitAll(at.workspace, 'first');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'a.txt', 'two\n');
  commitAll(at.workspace, 'second');
  put(at.workspace, 'a.txt', 'three\n');
  return { at, checkpoint: id };
};

const MEANWHILE: readonly [string, (at: Scene) => unknown][] = [
  ['a commit that leaves the files as they are', (at) => commitAll(at.workspace, 'third')],
  ['another branch', (at) => gitIn(at.workspace, 'checkout', '-q', '-b', 'other')],
  ['something staged', (at) => gitIn(at.workspace, 'add', 'a.txt')],
];

for (const [what, happens] of MEANWHILE) {
  test(`[RST-1] [GIT-2] git moved after its plan was shown, by ${what}: refused, and git stays`, async () => {
    const { at, checkpoint } = story();
    const { ask } = serve(at);
    const { expectedTree } = await ask('previewCheckpoint', { params: { checkpoint }, query: { git: true } });
    happens(at);
    const before = [
      gitIn(at.workspace, 'log', '--all', '--oneline'),
      gitIn(at.workspace, 'status', '--short', '--branch'),
      observeWorkspace(at.workspace),
    ];
    const asked = ask('rollBack', { params: { session: 'local', checkpoint }, body: { git: true, expectedTree } });
    await expect(asked).rejects.toMatchObject({ status: 409, code: 'workspace-moved' });
    expect([
      gitIn(at.workspace, 'log', '--all', '--oneline'),
      gitIn(at.workspace, 'status', '--short', '--branch'),
      observeWorkspace(at.workspace),
    ]).toEqual(before);
  });
}

test('[RST-1] git was not in the plan that was shown: it is not moved by it', async () => {
  const { at, checkpoint } = story();
  const { ask } = serve(at);
  const { expectedTree } = await ask('previewCheckpoint', { params: { checkpoint } });
  const asked = ask('rollBack', { params: { session: 'local', checkpoint }, body: { git: true, expectedTree } });
  await expect(asked).rejects.toMatchObject({ status: 409, code: 'workspace-moved' });
});

test('[RST-1] an address that means another checkpoint since: refused', async () => {
  const { at } = story();
  const record = (text: string): void => {
    put(at.workspace, 'a.txt', text);
    at.retake.json(at.workspace, 'checkpoint');
  };
  record('A\n');
  record('B\n');
  put(at.workspace, 'a.txt', 'C\n');
  const { ask } = serve(at);
  const { expectedTree } = await ask('previewCheckpoint', { params: { checkpoint: '@-2' } });
  at.retake.json(at.workspace, 'checkpoint');
  const asked = ask('rollBack', { params: { session: 'local', checkpoint: '@-2' }, body: { expectedTree } });
  await expect(asked).rejects.toMatchObject({ status: 409, code: 'workspace-moved' });
});
