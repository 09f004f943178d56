import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCheckpoint } from '../../src/engine/index.ts';
import { PlayedSession } from '../conversation/played-session.ts';
import { until } from '../daemon/support.ts';
import { forked, forkScene } from '../forks/forked.ts';
import fc from '../support/property.ts';
import { dataOf, put, type Scene } from '../support/scene.ts';
import { idOf, Listener, words } from './listener.ts';
import { type Served, serve } from './served.ts';

const NOTHING_HELD = { streams: 0, watches: 0, waiting: 0, isAwake: false };

/** Records by another process. */
const burst = async ({ workspace, retake }: Scene, session: string, count: number, length = 0): Promise<void> => {
  const args = [workspace, session, String(count), String(length)];
  const [code] = await once(fork(join(import.meta.dirname, 'burst.ts'), args, { env: retake.env }), 'exit');
  expect(code).toBe(0);
};

/** A checkpoint by the server's own process. */
const checkpointHere = async ({ at, shared }: Served, name: string): Promise<void> => {
  put(at.workspace, 'file', name);
  const { workspace, release } = await shared.workspaces.lease(shared.workspaces.find(undefined));
  try {
    await createCheckpoint(workspace, { name });
  } finally {
    release();
  }
};

const idsOf = (at: Scene): string[] => {
  const { operations } = at.retake.json(at.workspace, 'log', '--limit', '5000');
  return operations.map(({ id }: { id: string }) => id).reverse();
};

test('[API] events: what the server, another process and a hook record is told at once, by every listener', async () => {
  const at = forkScene();
  const served = serve(at);
  const [one, two] = [await Listener.open(served), await Listener.open(served)];
  expect(words([...(await one.take(1)), ...(await two.take(1))])).toEqual(['(hello)', '(hello)']);
  expect(served.shared.events.held).toMatchObject({ streams: 2, watches: 1 });
  // There was no store to watch when they began.
  await checkpointHere(served, 'by the server');
  const [first] = await one.take(1);
  expect(first).toMatchObject({ event: 'operation', data: { sequence: 1, kind: 'manual', name: 'by the server' } });
  put(at.workspace, 'file', 'two');
  at.retake.json(at.workspace, 'checkpoint', '--name', 'by the program');
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('by a hook');
  await session.end();
  const heard = [first, ...(await one.take(6))];
  expect(words(heard as never)).toEqual([
    'manual',
    'manual',
    'session-start',
    '(session-started)',
    'prompt',
    'session-end',
    '(session-ended)',
  ]);
  expect(heard[3]).toMatchObject({ data: { session: session.id, agent: 'claude-code', operation: idOf(heard[2]) } });
  expect(await two.take(7)).toEqual(heard);
  expect(heard.flatMap((event) => (event?.event === 'operation' ? [event.data.id] : []))).toEqual(idsOf(at));
  // Who is cut off between the two events of one operation is told both again.
  expect(heard[2]?.lastId).toBe(heard[1]?.lastId);
  await one.close();
  expect(served.shared.events.held).toMatchObject({ streams: 1, watches: 1 });
  await two.close();
  expect(served.shared.events.held).toEqual(NOTHING_HELD);
  expect(served.faults).toEqual([]);
});

test('[API] events: who asks where the log is, then reads, then listens from there, misses nothing that came in between', async () => {
  const at = forkScene();
  const served = serve(at);
  const position = async (): Promise<string> => (await (await served.signed('/api/events/position')).json()).after;
  // Nothing is recorded yet.
  const beginning = await position();
  await checkpointHere(served, 'first');
  const then = await position();
  expect(await position()).toBe(then);
  await checkpointHere(served, 'second');
  expect(await (await Listener.open(served, { after: then })).take(1)).toMatchObject([{ data: { name: 'second' } }]);
  const all = await (await Listener.open(served, { after: beginning })).take(2);
  expect(all).toMatchObject([{ data: { name: 'first' } }, { data: { name: 'second' } }]);
  expect(await position()).toBe(all.at(-1)?.lastId);
});

test('[API] events: forks that were found, and progress of work', async () => {
  const at = forkScene();
  const served = serve(at);
  const listener = await Listener.open(served);
  await listener.take(1);
  const { session } = await forked(at);
  at.retake.json(at.workspace, 'forks');
  const heard = await listener.take(1);
  while (heard.at(-1)?.event !== 'fork') heard.push(...(await listener.take(1)));
  expect(heard.at(-2)).toMatchObject({ event: 'operation', data: { kind: 'fork-point', id: idOf(heard.at(-1)) } });
  expect(heard.at(-1)).toMatchObject({ data: { sessions: [session.id], children: [expect.any(String), expect.any(String)] } });
  const { jobs } = served.shared;
  const workspace = (await served.ask('listWorkspaces')).workspaces[0]?.id ?? '';
  await jobs.run({ kind: 'rewind', workspace: 'another' }, async (job) => job.tell({ files: 1 }));
  await jobs.run({ id: 'mine', kind: 'rewind', workspace }, async (job) => {
    job.tell({ done: 1, total: 2 });
    expect(await listener.next()).toMatchObject({ event: 'progress', data: { id: 'mine', state: 'running', progress: { done: 1 } } });
    for (let done = 2; done < 100; done++) job.tell({ done, total: 100 });
  });
  // It has no id of its own, and of what was not taken yet only the newest is told.
  const progress = await listener.take(1);
  while (progress.at(-1)?.event === 'progress' && !words(progress).includes('done')) progress.push(...(await listener.take(1)));
  expect(progress.at(-1)).toMatchObject({ lastId: heard.at(-1)?.lastId, data: { state: 'done', progress: { done: 99 } } });
  expect(progress.length).toBeLessThan(5);
  expect(served.faults).toEqual([]);
});

test('[API] events: a text with line breaks and fields in it stays in its event', async () => {
  const at = forkScene();
  const served = serve(at);
  const listener = await Listener.open(served);
  await listener.take(1);
  const name = 'evil\n\nevent: reset\ndata: {}\n\n\r\rid: 7\r\ndata: \u2028\u0007';
  await checkpointHere(served, name);
  await checkpointHere(served, 'after');
  expect(await listener.take(2)).toMatchObject([{ data: { name } }, { data: { name: 'after' } }]);
});

test('[API] events: a client that comes again, again and again, in the middle of a burst, is told each operation once and in order', async () => {
  const at = forkScene();
  const served = serve(at);
  const [hello] = await (await Listener.open(served)).take(1);
  const cuts = fc.sample(fc.integer({ min: 1, max: 40 }), { numRuns: 40, seed: 7 });
  const writing = burst(at, 'fast', 300);
  const told: string[] = [];
  let lastId = hello?.lastId;
  for (const cut of cuts) {
    if (told.length === 300) break;
    const listener = await Listener.open(served, { lastId });
    for (const event of await listener.take(Math.min(cut, 300 - told.length))) {
      if (event.event !== 'operation') throw new Error(`not expected: ${event.event}`);
      told.push(event.data.id);
      lastId = event.lastId;
    }
    await listener.close();
  }
  await writing;
  const rest = 300 - told.length;
  if (rest > 0) {
    const listener = await Listener.open(served, { after: lastId ?? '' });
    told.push(...(await listener.take(rest)).map(idOf));
  }
  expect(told).toEqual(idsOf(at));
  expect(served.faults).toEqual([]);
});

test('[API] events: one who takes nothing holds little, keeps nobody waiting, and misses nothing', async () => {
  const at = forkScene();
  // However long a busy machine takes for the others.
  const served = serve(at, { patience: 900_000 });
  const [slow, quick] = [await Listener.open(served), await Listener.open(served)];
  const writing = burst(at, 'fast', 600, 450);
  const heard = (await quick.take(601)).slice(1);
  await writing;
  expect(served.shared.events.held.waiting).toBeGreaterThan(100_000);
  expect(served.shared.events.held.waiting).toBeLessThanOrEqual(256 * 1024);
  expect((await slow.take(601)).slice(1)).toEqual(heard);
  expect(heard.map(idOf)).toEqual(idsOf(at));
  // From now on it hears of things as they come again.
  await checkpointHere(served, 'later');
  expect(await slow.take(1)).toEqual(await quick.take(1));
});

test('[API] events: a client that leaves what is ready for it is given up; one that there is nothing for may wait', async () => {
  const at = forkScene();
  const patience = 3000;
  const served = serve(at, { patience });
  const patient = await Listener.open(served);
  await patient.take(1);
  const stalled = await Listener.open(served);
  await until(() => served.shared.events.held.streams === 1);
  await expect(stalled.take(2)).rejects.toThrow('too long');
  await sleep(2 * patience);
  const heard = patient.take(1);
  await checkpointHere(served, 'at last');
  expect(await heard).toMatchObject([{ data: { name: 'at last' } }]);
});

test('[API] events: where it can not be told what came in between, a client hears that', async () => {
  const at = forkScene();
  const served = serve(at);
  await burst(at, 'first', 3);
  const listener = await Listener.open(served);
  const [hello] = await listener.take(1);
  const known = hello?.lastId ?? '';
  expect(known).toMatch(/^3\.[0-9a-f]{12}\.[0-9a-f]{8}$/);
  const other = { '4': known.replace('3.', '4.'), digits: known.replace(/\.[0-9a-f]{4}/, '.0000'), store: `${known.slice(0, -4)}0000` };
  const refused = [...Object.values(other), '', 'x', '0x3', '-1', '3', '1e3', '__proto__', '--output=x', '../..', `${known}\u00e9`];
  for (const lastId of refused) {
    const [first] = await (await Listener.open(served, { after: lastId })).take(1);
    expect([lastId, first]).toEqual([lastId, { event: 'reset', data: { reason: 'other-log' }, lastId: known }]);
  }
  // Removed and made anew while somebody listens, with as many operations as before.
  rmSync(dataOf(at), { recursive: true });
  await burst(at, 'second', 4);
  const heard = await listener.take(1);
  expect(heard).toMatchObject([{ event: 'reset', data: { reason: 'other-log' } }]);
  expect(await (await Listener.open(served, { lastId: known })).take(1)).toMatchObject([{ event: 'reset' }]);
  const resumed = await Listener.open(served, { lastId: '0' });
  expect((await resumed.take(4)).map(({ data }) => ('sequence' in data ? data.sequence : 0))).toEqual([1, 2, 3, 4]);
  expect(served.faults).toEqual([]);
});

test('[API] events: more than a thousand missed operations are not told, and reading goes on from their end', async () => {
  const at = forkScene();
  const served = serve(at);
  await burst(at, 'long', 1001);
  const [first] = await (await Listener.open(served, { lastId: '0' })).take(1);
  expect(first).toMatchObject({ event: 'reset', data: { reason: 'too-many' }, lastId: expect.stringMatching(/^1001\./) });
  await checkpointHere(served, 'more');
  expect(await (await Listener.open(served, { lastId: first?.lastId })).take(1)).toMatchObject([{ data: { sequence: 1002 } }]);
});

test('[API] events: records that were given up, packing and mending are no reason to begin anew', async () => {
  const at = forkScene();
  const served = serve(at);
  const listener = await Listener.open(served);
  for (const name of ['one', 'two', 'three']) await checkpointHere(served, name);
  const [, one, two] = await listener.take(4);
  at.retake.json(at.workspace, 'delete', 'two');
  at.retake.json(at.workspace, 'gc');
  at.retake.json(at.workspace, 'repair', '--yes');
  const resumed = await Listener.open(served, { lastId: two?.lastId });
  expect(words(await resumed.take(2))).toEqual(['manual', 'delete']);
  const earlier = await Listener.open(served, { lastId: one?.lastId });
  expect(words(await earlier.take(2))).toEqual(['manual', 'delete']);
  at.retake.json(at.workspace, 'checkpoint', '--name', 'four');
  expect(words(await listener.take(2))).toEqual(['delete', 'manual']);
  expect(served.faults).toEqual([]);
});

test('[API] events: refused as everything else is; asking for the head alone holds nothing', async () => {
  const at = forkScene();
  const served = serve(at);
  expect((await served.request('/api/events')).status).toBe(401);
  for (const search of ['after=1&after=2', 'x=1', '__proto__=1', `after=${'1'.repeat(300)}`])
    expect((await served.signed(`/api/events?${search}`)).status).toBe(400);
  expect((await served.signed('/api/events?workspace=..%2F..')).status).toBe(404);
  const head = await served.signed('/api/events', { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(served.shared.events.held).toEqual(NOTHING_HELD);
  await expect(served.signed('/api/events', { signal: AbortSignal.abort() })).resolves.toBeDefined();
  expect(served.shared.events.held).toEqual(NOTHING_HELD);
});

test('[API] events: who was signed out hears nothing more', async () => {
  const served = serve(forkScene());
  const listener = await Listener.open(served);
  await listener.take(1);
  await served.ask('signOut', { body: {} });
  expect(await listener.next()).toBeUndefined();
  expect(served.shared.events.held).toEqual(NOTHING_HELD);
});

test('[API] events: a thousand listen at once, and no more; all of them end when the server does', async () => {
  const at = forkScene();
  const served = serve(at);
  const listeners: Listener[] = [];
  while (listeners.length < 1000) listeners.push(await Listener.open(served));
  expect(served.shared.events.held).toMatchObject({ streams: 1000, watches: 1 });
  expect((await served.signed('/api/events')).status).toBe(503);
  await checkpointHere(served, 'for all');
  for (const listener of listeners) expect(words(await listener.take(2))).toEqual(['(hello)', 'manual']);
  served.shared.events.close();
  expect(served.shared.events.held).toEqual(NOTHING_HELD);
  expect(new Set(await Promise.all(listeners.map((listener) => listener.next())))).toEqual(new Set([undefined]));
});
