import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readInTurn } from '../../src/server/daemon-reads.ts';
import { Jobs } from '../../src/server/jobs.ts';
import { StalledConnections } from '../../src/server/stalled.ts';
import { until } from '../daemon/support.ts';
import { put, scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serve } from './served.ts';

test('[issue 9] of those who only look at a workspace one is at it at a time, and who has gone is passed over', async () => {
  const log: string[] = [];
  const open = Promise.withResolvers<void>();
  const [here, elsewhere] = [{ data: 'here' }, { data: 'elsewhere' }];
  const { signal } = new AbortController();
  const gone = new AbortController();
  const read =
    (name: string, wait: Promise<void> = Promise.resolve()) =>
    async () => {
      log.push(`${name} begins`);
      await wait;
      log.push(`${name} ends`);
    };
  const first = readInTurn(here, signal, read('first', open.promise));
  const left = readInTurn(here, gone.signal, read('left'));
  const second = readInTurn(here, signal, read('second'));
  await readInTurn(elsewhere, signal, read('other'));
  gone.abort();
  open.resolve();
  await expect(left).rejects.toMatchObject({ code: 'interrupted' });
  await Promise.all([first, second]);
  expect(log).toEqual(['first begins', 'other begins', 'other ends', 'first ends', 'second begins', 'second ends']);
});

test('[issue 9] when all is to end, what is under way is asked to, and waited for', async () => {
  const jobs = new Jobs();
  let isOver = false;
  const running = jobs.run({ id: 'one', kind: 'rollBack', workspace: 'w' }, async ({ signal }) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await new Promise((resolve) => setTimeout(resolve, 20));
    isOver = true;
  });
  await jobs.end();
  expect(isOver).toBe(true);
  await running;
  expect(jobs.list()).toEqual([]);
});

test('[SEC] what a client does not take is not held for ever, and who reads is left alone', async () => {
  const stalled = new StalledConnections();
  onTestFinished(() => stalled.close());
  const theirs: Socket[] = [];
  const server = createServer((socket) => {
    theirs.push(socket);
    stalled.add(socket);
    socket.on('error', () => {});
    socket.write(Buffer.alloc(64 * 2 ** 20));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await until(() => server.listening);
  const join = async ({ reads }: { reads: boolean }): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    if (reads) socket.resume();
    onTestFinished(() => void socket.destroy());
    const count = theirs.length;
    await until(() => theirs.length > count);
    return theirs.at(-1) as Socket;
  };
  const silent = await join({ reads: false });
  const reading = await join({ reads: true });
  await until(() => reading.writableLength === 0);
  await until(() => {
    stalled.look();
    return silent.destroyed;
  });
  expect(reading.destroyed).toBe(false);
});

test('[API] more workspaces than can be open at once are all told truly', async () => {
  const at = scene();
  const roots = Array.from({ length: 36 }, () => temporaryDirectory());
  for (const root of roots) {
    put(root, 'a.txt', 'a\n');
    at.retake.json(root, 'checkpoint');
  }
  const { ask } = serve(at);
  const { workspaces } = await ask('listWorkspaces');
  const told = workspaces.filter(({ root }) => roots.includes(root));
  expect(told).toHaveLength(36);
  for (const workspace of told) expect(workspace).toMatchObject({ isProtected: true, checkpoints: 1, problem: null });
});
