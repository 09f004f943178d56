import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { daemonScene } from '../daemon/support.ts';
import { put } from '../support/scene.ts';
import { PlayedSession, projectOf } from './played-session.ts';

const PATIENT = { RETAKE_HOOK_DEADLINE_MS: '60000' };

test('[AGT-1] sessions are listed with their turns and steps, and whether they have ended', async () => {
  const at = daemonScene(PATIENT);
  const first = new PlayedSession(at);
  await first.start();
  await first.prompt('make a cart\nwith a total');
  await first.step('Write', {}, () => put(at.workspace, 'cart', '1'));
  await first.step('Read', {}, () => {});
  await first.answer('done');
  await first.end();
  const second = new PlayedSession(at);
  await second.start();
  await second.prompt('and a shop');
  const { sessions } = at.retake.json(at.workspace, 'sessions');
  expect(sessions).toMatchObject([
    { id: second.id, agent: 'claude-code', title: 'and a shop', state: 'open', isCurrent: true, turns: 1, steps: 0, messages: 1 },
    { id: first.id, agent: 'claude-code', title: 'make a cart', state: 'ended', isCurrent: false, turns: 1, steps: 1, messages: 4 },
  ]);
  expect(at.retake.run(at.workspace, 'sessions').stdout).toContain('make a cart');
});

test('[CNV-5] conversations from before Retake are listed without code, and a change of theirs is noticed', async () => {
  const at = daemonScene(PATIENT);
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('recorded');
  const old = join(projectOf(at), '11111111-2222-4333-8444-555555555555.jsonl');
  cpSync(session.path, old);
  const listed = () => at.retake.json(at.workspace, 'sessions').sessions.find(({ id }: { id: string }) => id.startsWith('11111111'));
  expect(listed()).toMatchObject({ state: 'unrecorded', turns: 1, steps: 0, title: 'recorded', messages: 1 });
  await session.answer('said');
  cpSync(session.path, old);
  expect(listed()).toMatchObject({ messages: 2 });
  rmSync(old);
  expect(listed()).toBeUndefined();
});

test('[CNV-5] where nothing is protected, looking at sessions leaves no trace', () => {
  const at = daemonScene(PATIENT);
  expect(at.retake.json(at.workspace, 'sessions')).toEqual({ sessions: [] });
  expect(at.retake.json(at.workspace, 'status').protected).toBe(false);
});

test('[CAP-10] reading a conversation never writes to it', async () => {
  const at = daemonScene(PATIENT);
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('hello');
  const before = readFileSync(session.path);
  at.retake.json(at.workspace, 'sessions');
  at.retake.json(at.workspace, 'show', 't1', '--messages');
  expect(readFileSync(session.path)).toEqual(before);
});
