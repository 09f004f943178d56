import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Scene } from '../support/scene.ts';
import { ask, daemonFile, daemonScene, readAddress, readLog, sendRaw, startDaemon, status, until } from './support.ts';

const REFUSED = { error: { code: 'refused', message: expect.any(String) } };

const expectStillServing = async (at: Scene, pid: number): Promise<void> => expect((await status(at)).pid).toBe(pid);

describe('[SEC] what is no proper request is refused, and the daemon goes on serving', () => {
  const request = { verb: 'status' };
  const cases: [string, string | Buffer][] = [
    ['a wrong token', `${JSON.stringify({ token: 'guess', request })}\n`],
    ['no token', `${JSON.stringify({ request })}\n`],
    ['a token that is no text', `${JSON.stringify({ token: { length: 43 }, request })}\n`],
    ['garbage', Buffer.from([0, 255, 254, 13, 7, 10])],
    ['an empty line', '\n'],
    ['JSON of another shape', '[null]\n'],
  ];

  test.each(cases)('%s', async (_name, line) => {
    const at = daemonScene();
    const { pid } = await startDaemon(at);
    expect(await sendRaw(at, line)).toEqual([REFUSED]);
    expect(readLog(at)).toContain('refused');
    await expectStillServing(at, pid);
  });

  test('the right token with an unknown verb, an event without payload, a call without a name', async () => {
    const at = daemonScene();
    const { pid } = await startDaemon(at);
    expect(await ask(at, { verb: 'format-disk' })).toEqual(REFUSED);
    expect(await ask(at, { verb: 'event', event: { agent: 'claude-code', at: '' } })).toEqual(REFUSED);
    expect(await ask(at, { verb: 'call', call: { directory: '/' } })).toEqual(REFUSED);
    expect(await ask(at, null)).toEqual(REFUSED);
    await expectStillServing(at, pid);
  });

  test('a line without end', async () => {
    const at = daemonScene();
    const { pid } = await startDaemon(at);
    expect(await sendRaw(at, Buffer.alloc(64 * 1024 * 1024 + 1, 'a'))).toEqual([REFUSED]);
    await expectStillServing(at, pid);
  });

  test('a client that connects and says nothing', async () => {
    const at = daemonScene();
    const { pid } = await startDaemon(at);
    const silent = connect(daemonFile(at, 'socket'));
    const dropped = new Promise<void>((resolve) => silent.on('close', () => resolve()));
    await expectStillServing(at, pid);
    await dropped;
    expect(readLog(at)).toContain('sent no request');
    await expectStillServing(at, pid);
  });

  test('a client that goes away in the middle of its request', async () => {
    const at = daemonScene();
    const { pid } = await startDaemon(at);
    const hasty = connect(daemonFile(at, 'socket'));
    await new Promise<void>((resolve) => hasty.write('{"token":', () => resolve()));
    hasty.destroy();
    await expectStillServing(at, pid);
  });
});

test('a request that arrives in pieces is understood', async () => {
  const at = daemonScene();
  const { pid } = await startDaemon(at);
  const line = `${JSON.stringify({ token: readAddress(at).token, request: { verb: 'status' } })}\n`;
  const socket = connect(daemonFile(at, 'socket'));
  let received = '';
  socket.on('data', (chunk) => (received += chunk));
  for (const character of line) await new Promise<void>((resolve) => socket.write(character, () => resolve()));
  await until(() => received.endsWith('\n'));
  expect(JSON.parse(received).result.pid).toBe(pid);
});

test('[SEC] the token is in no log', async () => {
  const at = daemonScene();
  await startDaemon(at);
  const { token } = readAddress(at);
  await sendRaw(at, `${JSON.stringify({ token })}\n`);
  await sendRaw(at, `${token}\n`);
  await ask(at, { verb: 'call', call: { name: token, directory: '/', args: token } });
  expect(readLog(at)).toContain('refused');
  expect(readLog(at)).not.toContain(token);
});

test('[UI-1] an error of the work itself comes back with its code, and the daemon goes on', async () => {
  const at = daemonScene();
  const { pid } = await startDaemon(at);
  const answer = await ask(at, { verb: 'call', call: { name: 'no-such-call', directory: at.workspace, args: {} } });
  expect(answer).toEqual({ error: expect.objectContaining({ code: expect.any(String), message: expect.any(String) }) });
  expect(answer.error.code).not.toBe('refused');
  await expectStillServing(at, pid);
});
