import { expect, test } from 'vitest';
import { ApiError } from '../../src/api/index.ts';
import { PlayedSession } from '../conversation/played-session.ts';
import { forked, forkScene, turn } from '../forks/forked.ts';
import { put } from '../support/scene.ts';
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

test('[GIT-6] until when what was rolled back of a session stays is told: the first of it', async () => {
  const at = forkScene();
  put(at.retake.home, 'settings.json', JSON.stringify({ 'retention.rolledBackDays': 10 }));
  const session = new PlayedSession(at);
  await session.start();
  await turn(at, session, 'one', { 'one.txt': 'one\n' });
  await turn(at, session, 'two', { 'two.txt': 'two\n' });
  const { ask, faults } = serve(at);
  const expiry = async () => (await ask('getSession', { params: { session: session.id } })).expiresAt;
  expect(await expiry()).toBe(null);
  at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'code', '--yes');
  const { createdAt } = at.retake.json(at.workspace, 'rollbacks').rollbacks[0];
  const first = new Date(Date.parse(createdAt) + 10 * 24 * 3_600_000).toISOString();
  expect(await expiry()).toBe(first);
  // Another part of it goes back later, and stays longer.
  await turn(at, session, 'three', { 'three.txt': 'three\n' });
  at.retake.json(at.workspace, 'rewind', 't3', '--scope', 'code', '--yes');
  const { sessions } = await ask('listSessions');
  expect(sessions.map(({ id, expiresAt }) => [id, expiresAt])).toEqual([[session.id, first]]);
  expect(at.retake.json(at.workspace, 'sessions', session.id).expiresAt).toBe(first);
  at.retake.json(at.workspace, 'undo', '--yes');
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(await expiry()).toBe(null);
  expect(faults).toEqual([]);
});
