import { expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { forked, forkScene, turn } from '../forks/forked.ts';
import { serve } from './served.ts';

test('[API] the base of a session is where it began, with the steps since', async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const { ask, faults } = serve(at);
  const { checkpoint, commits } = await ask('getBase', { params: { session: session.id } });
  expect(checkpoint).toMatchObject({ kind: 'session-start', session: session.id });
  const steps = at.retake.json(at.workspace, 'log').operations.filter(({ kind }: { kind: string }) => kind === 'after-step');
  expect(commits).toEqual({ count: steps.length, ids: steps.map(({ id }: { id: string }) => id) });
  await expect(ask('createBase', { params: { session: session.id }, body: {} })).rejects.toMatchObject({
    status: 409,
    code: 'base-exists',
  });
  await expect(ask('getBase', { params: { session: 'an-id-of-nothing' } })).rejects.toMatchObject({ status: 404, code: 'unknown-id' });
  await expect(ask('createBase', { params: { session: 'an-id-of-nothing' }, body: {} })).rejects.toMatchObject({
    status: 404,
    code: 'unknown-id',
  });
  expect(faults).toEqual([]);
});

test('[API] a session from before Retake can be given a base, once, and keeps it when it is gone on with', async () => {
  const at = forkScene();
  at.retake.json(at.workspace, 'settings', 'record.automatic', 'false');
  const session = new PlayedSession(at);
  await session.start();
  await turn(at, session, 'unseen', { 'file.txt': 'one\n' });
  at.retake.json(at.workspace, 'checkpoint');
  const served = serve(at);
  await expect(served.ask('getBase', { params: { session: session.id } })).rejects.toMatchObject({ status: 404, code: 'no-code' });
  const tries = [0, 1].map(() => served.ask('createBase', { params: { session: session.id }, body: {} }));
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 409 } });
  const base = await served.ask('getBase', { params: { session: session.id } });
  expect(base).toMatchObject({ session: session.id, checkpoint: { kind: 'manual' }, commits: { count: 0, ids: [] } });
  at.retake.json(at.workspace, 'settings', 'record.automatic', 'true');
  const going = new PlayedSession(at, session.id);
  await turn(at, going, 'seen', { 'file.txt': 'two\n' });
  const later = await served.ask('getBase', { params: { session: session.id } });
  expect(later.checkpoint.id).toBe(base.checkpoint.id);
  expect(later.commits.count).toBe(1);
  expect(served.faults).toEqual([]);
});
