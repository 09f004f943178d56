import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Scene } from '../support/scene.ts';
import { daemonFile } from './support.ts';

/** Something that listens where the daemon would and answers as a test wants; returns what it was sent. */
export const standIn = async (at: Scene, answer: (socket: Socket) => void): Promise<string[]> => {
  const received: string[] = [];
  mkdirSync(daemonFile(at, ''), { recursive: true, mode: 0o700 });
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (chunk) => {
      received.push(chunk.toString());
      answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(daemonFile(at, 'socket'), resolve));
  onTestFinished(() => void server.close());
  const { HOME = null, XDG_CONFIG_HOME = null } = at.retake.env;
  // The process of the test itself, so that it passes for alive.
  const address = { pid: process.pid, token: 'token', startedAt: new Date().toISOString(), environment: { HOME, XDG_CONFIG_HOME } };
  writeFileSync(daemonFile(at, 'address.json'), JSON.stringify(address), { mode: 0o600 });
  return received;
};
