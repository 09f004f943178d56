import { once } from 'node:events';
import { connect } from 'node:net';
import { Hono } from 'hono';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../../src/server/listen.ts';
import { toStream } from '../../src/server/to-stream.ts';

test('[API] a client that stops reading in the middle of a stream is cut off, and the stream ends', async () => {
  // The server tells there of every connection that it breaks.
  vi.spyOn(console, 'error').mockReturnValue();
  let made = 0;
  let ended = 0;
  const app = new Hono();
  app.get('/', () => new Response(toStream(endless(), () => ended++, 200)));
  const endless = async function* () {
    for (;;) {
      made++;
      yield new Uint8Array(64 * 1024);
    }
  };
  const server = await listen(app, 0);
  onTestFinished(() => server.close());
  const socket = connect(server.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'));
  await once(socket, 'readable');
  await vi.waitFor(() => expect(ended).toBe(1), { timeout: 600_000 });
  const before = made;
  // What the system holds is all that still comes.
  socket.resume();
  await once(socket, 'close');
  expect([made, ended]).toEqual([before, 1]);
});
