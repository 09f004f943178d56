import { expect, test } from 'vitest';
import { ApiError } from '../../src/api/index.ts';
import { forked, forkScene } from '../forks/forked.ts';
import { serve } from './served.ts';

test('[API] workspaces and sessions: with counts, forks, branch and current checkpoint', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const { ask, faults } = serve(at);
  const { workspaces } = await ask('listWorkspaces');
  expect(workspaces).toMatchObject([{ root: at.workspace, isThere: true, isDefault: true, isProtected: true, problem: null }]);
  const { sessions, total, next } = await ask('listSessions');
  expect({ total, next }).toEqual({ total: 1, next: null });
  const [newest] = at.retake.json(at.workspace, 'log').operations;
  expect(sessions).toMatchObject([{ id: session.id, agent: 'claude-code', status: 'active', forks: 1, currentCheckpoint: newest.id }]);
  expect(await ask('getSession', { params: { session: session.id.slice(0, 8) } })).toMatchObject({ id: session.id, files: 3 });
  const refused = ask('getSession', { params: { session: 'nobody' } });
  await expect(refused).rejects.toBeInstanceOf(ApiError);
  await expect(refused).rejects.toMatchObject({ status: 404, code: 'unknown-id' });
  await expect(ask('listSessions', { workspace: '../..' })).rejects.toMatchObject({ status: 404, code: 'workspace-missing' });
  expect(faults).toEqual([]);
});
