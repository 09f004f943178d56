import { expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { daemonScene, PATIENT } from '../daemon/support.ts';
import { put, scene } from '../support/scene.ts';
import { exported } from './other-machine.ts';

test('[STO-4] what is imported while the background process is at work is not taken for the past of the next step', async () => {
  const far = scene();
  put(far.workspace, 'far.txt', 'far\n');
  far.retake.json(far.workspace, 'checkpoint', '--name', 'far');
  const file = exported(far, 'local');

  const at = daemonScene(PATIENT);
  const { workspace: root, retake } = at;
  put(root, 'near.txt', 'one\n');
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('go');
  await session.step('Bash', { command: 'a' }, () => put(root, 'near.txt', 'two\n'));
  const end = await session.begin('Bash', { command: 'b' });
  expect(retake.json(root, 'import', file, '--as', 'far')).toMatchObject({ imported: true, operations: 1 });
  put(root, 'near.txt', 'three\n');
  await end();

  const [newest, ...others] = retake.json(root, 'log').operations;
  expect(newest).toMatchObject({
    kind: 'after-step',
    session: session.id,
    by: 'agent',
    files: { changed: 1, insertions: 1, deletions: 1 },
  });
  expect(others.filter(({ session: id }: { session: string }) => id === 'far')).toMatchObject([{ name: 'far', kind: 'manual' }]);
  const plan = retake.json(root, 'rewind', 't1', '--dry-run');
  expect(plan.operations).toMatchObject([{ type: 'restore', path: 'near.txt', by: 'agent', sessions: [session.id] }]);
  expect(plan.goesBack).toMatchObject({ turns: 1, steps: 2 });
});
