import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { type Listening, listen } from '../../src/server/listen.ts';
import { until } from '../daemon/support.ts';
import { forkScene } from '../forks/forked.ts';
import { put, type Scene } from '../support/scene.ts';
import { Listener, words } from './listener.ts';
import { PORT, type Served, type ServeOptions, serve } from './served.ts';

const NOTHING_HELD = { streams: 0, watches: 0, waiting: 0, isAwake: false };

/** The app on a socket of its own. */
const open = async (options: ServeOptions = {}): Promise<{ at: Scene; served: Served; server: Listening }> => {
  const at = forkScene();
  const served = serve(at, options);
  const server = await listen(served.app, 0);
  onTestFinished(() => server.close());
  return { at, served, server };
};

/** Asks for events, as a browser does whose page is served by us. */
const follow = ({ token }: Served, { port }: Listening): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { host: `127.0.0.1:${PORT}`, authorization: `Bearer ${token}` };
    get({ port, path: '/api/events', headers, agent: false }, resolve).on('error', reject);
  });

const listenTo = (message: IncomingMessage): Listener => new Listener(Readable.toWeb(message) as ReadableStream<Uint8Array>);

test('[API] events over a socket: a thousand clients that come and go leave nothing behind', async () => {
  const { at, served, server } = await open();
  at.retake.json(at.workspace, 'checkpoint');
  for (let round = 0; round < 20; round++) {
    const clients = await Promise.all(Array.from({ length: 50 }, () => follow(served, server)));
    expect(clients.map(({ statusCode }) => statusCode)).toEqual(clients.map(() => 200));
    expect(served.shared.events.held).toMatchObject({ streams: 50, watches: 1 });
    for (const client of clients) client.destroy();
    await until(() => served.shared.events.held.streams === 0);
  }
  expect(served.shared.events.held).toEqual(NOTHING_HELD);
  // As many workspaces as may be used at once are to be had again.
  const place = served.shared.workspaces.find(undefined);
  const leases = await Promise.all(Array.from({ length: 32 }, () => served.shared.workspaces.lease(place)));
  for (const { release } of leases) release();
  expect(served.faults).toEqual([]);
});

test('[API] events over a socket: who hangs up before an answer is held by nobody', async () => {
  const { served, server } = await open();
  const ask = `GET /api/events HTTP/1.1\r\nhost: 127.0.0.1:${PORT}\r\nauthorization: Bearer ${served.token}\r\n\r\n`;
  for (let count = 0; count < 50; count++) {
    const socket = connect(server.port, '127.0.0.1', () =>
      socket.write(ask, () => (count % 2 === 0 ? socket.destroy() : socket.resetAndDestroy())),
    );
    socket.on('error', () => {});
  }
  // One that comes after them is served, so they were.
  const listener = listenTo(await follow(served, server));
  expect(words(await listener.take(1))).toEqual(['(hello)']);
  await until(() => served.shared.events.held.streams === 1);
  await listener.close();
  await until(() => served.shared.events.held.streams === 0);
  expect(served.shared.events.held).toEqual(NOTHING_HELD);
});

test('[API] events over a socket: something is said when nothing happens, and the end of the server is the end of the stream', async () => {
  const { at, served, server } = await open({ beatEvery: 20 });
  const message = await follow(served, server);
  expect(message.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const listener = listenTo(message);
  expect(words(await listener.take(1))).toEqual(['(hello)']);
  put(at.workspace, 'file', 'x');
  const heard = listener.next();
  await until(() => listener.beats > 3);
  at.retake.json(at.workspace, 'checkpoint');
  expect(await heard).toMatchObject({ event: 'operation', data: { kind: 'manual' } });
  served.shared.events.close();
  expect(await listener.next()).toBeUndefined();
  expect(message.complete).toBe(true);
  expect(served.shared.events.held).toEqual(NOTHING_HELD);
});
