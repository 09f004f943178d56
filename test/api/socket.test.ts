import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { type Listening, listen } from '../../src/server/listen.ts';
import { scene } from '../support/scene.ts';
import { PORT, type Served, serve } from './served.ts';

interface OnSocket extends Served {
  readonly listening: Listening;
  /** Sends these bytes and returns all that comes back until the connection ends or an answer is complete. */
  send(...chunks: (string | Buffer)[]): Promise<string>;
}

/** The same app behind a real socket. Its guard knows the port of the tests, which requests name as their host. */
const onSocket = async (): Promise<OnSocket> => {
  const served = serve(scene());
  const listening = await listen(served.app, 0);
  onTestFinished(() => listening.close());
  const send = (...chunks: (string | Buffer)[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(listening.port, '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1');
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
      for (const chunk of chunks) socket.write(chunk);
      socket.end();
    });
  return { ...served, listening, send };
};

const HOST = `Host: 127.0.0.1:${PORT}`;

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

test('[SEC] a request over a socket: one Host and no other form of address', async () => {
  const { send, token, faults } = await onSocket();
  const auth = `Authorization: Bearer ${token}`;
  const get = (target: string, ...lines: string[]): Promise<string> =>
    send(`GET ${target} HTTP/1.1\r\n${[...lines, auth, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  expect(statusOf(await get('/api/sessions', HOST))).toBe(200);
  for (const lines of [
    [],
    [HOST, HOST],
    [HOST, 'host: evil.example'],
    ['Host: evil.example', HOST],
    ['Host:'],
    [`Host: 127.0.0.1:${PORT}, evil.example`],
  ]) {
    expect([400, 403], lines.join(' | ')).toContain(statusOf(await get('/api/sessions', ...lines)));
  }
  expect(statusOf(await get('/api/sessions', 'Host: evil.example'))).toBe(403);
  expect(statusOf(await get('/api/sessions', `Host: 0.0.0.0:${PORT}`))).toBe(403);
  for (const target of [`http://127.0.0.1:${PORT}/api/sessions`, 'http://evil.example/api/sessions', '*', 'api/sessions']) {
    expect([400, 403, 404], target).toContain(statusOf(await get(target, HOST)));
  }
  expect([400, 403]).toContain(statusOf(await send(`GET /api/sessions HTTP/1.0\r\n${auth}\r\n\r\n`)));
  expect(faults).toEqual([]);
});

test('[SEC] header bombs, torn requests and other protocols end the connection, and the server goes on', async () => {
  const { send, token, signed } = await onSocket();
  const head = `GET /api/sessions HTTP/1.1\r\n${HOST}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`;
  expect(statusOf(await send(`${head}X-Bomb: ${'x'.repeat(20_000)}\r\n\r\n`))).toBe(431);
  expect(statusOf(await send(`${head}${Array.from({ length: 2000 }, (_, at) => `X-${at}: 1\r\n`).join('')}\r\n`))).toBe(431);
  expect(statusOf(await send('GET / HTTP/1.1\r\nbroken\r\n\r\n'))).toBe(400);
  expect(statusOf(await send(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00])))).toBe(400);
  expect(statusOf(await send(`${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`))).toBe(400);
  expect(await send(`CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n\r\n`)).toBe('');
  expect(await send(`GET /api/events HTTP/1.1\r\n${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)).not.toContain('101');
  for (const method of ['OPTIONS', 'PATCH', 'TRACE', 'PROPFIND']) {
    const answer = await send(head.replace('GET', method), '\r\n');
    expect([400, 405], method).toContain(statusOf(answer));
    expect(answer.toLowerCase()).not.toContain('access-control-allow');
  }
  expect((await signed('/api/sessions')).status).toBe(200);
});

test('[SEC] a body that goes on and on is cut off', async () => {
  const { send, faults } = await onSocket();
  const head = `POST /api/sign-in HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 0x20), Buffer.from('\r\n')]);
  expect(statusOf(await send(head, ...Array.from({ length: 40 }, () => chunk), '0\r\n\r\n'))).toBe(413);
  expect(faults).toEqual([]);
});

test('[SEC] only this machine reaches it', async () => {
  const { listening } = await onSocket();
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const others = addresses.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address);
  if (others.length === 0) console.log('this machine has no address but loopback: only 127.0.0.2 is tried');
  for (const address of ['127.0.0.2', ...others]) {
    const outcome = await new Promise((resolve) => {
      const socket = connect(listening.port, address);
      socket.on('connect', () => resolve('connected'));
      socket.on('error', () => resolve('refused'));
    });
    expect(outcome, address).toBe('refused');
  }
});
