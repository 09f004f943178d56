import { expect, onTestFinished, test, vi } from 'vitest';
import { Workspace } from '../../src/engine/index.ts';
import { PlayedSession } from '../conversation/played-session.ts';
import { forkScene, turn } from '../forks/forked.ts';

test('[STO-1] what a process remembers of all operations is read again when another one records or deletes something', async () => {
  const at = forkScene();
  const session = new PlayedSession(at);
  await session.start();
  await turn(at, session, 'one', { 'file.txt': 'one\n' });
  for (const [name, value] of Object.entries(at.retake.env)) vi.stubEnv(name, value);
  const workspace = await Workspace.open({ directory: at.workspace });
  onTestFinished(() => {
    workspace.close();
    vi.unstubAllEnvs();
  });
  const seen = () => ({ turns: workspace.index.turns().length, steps: workspace.index.steps().length, ids: workspace.index.sessionIds() });
  expect(seen()).toEqual({ turns: 1, steps: 1, ids: [session.id] });
  expect(workspace.index.turns()).toBe(workspace.index.turns());

  await turn(at, session, 'two', { 'file.txt': 'two\n' });
  expect(seen()).toEqual({ turns: 2, steps: 2, ids: [session.id] });
  at.retake.json(at.workspace, 'delete', workspace.index.steps()[0]?.id ?? '');
  expect(seen()).toMatchObject({ turns: 2, steps: 1 });
  at.retake.json(at.workspace, 'checkpoint', '--session', 'another', '--name', 'other');
  expect(new Set(seen().ids)).toEqual(new Set([session.id, 'another']));
  await workspace.rebuildIndex();
  expect(seen()).toMatchObject({ turns: 2, steps: 1 });
});
