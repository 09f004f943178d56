import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { readIfExists } from '../host/index.ts';
import { StalledConnections } from './stalled.ts';

/** Only those on this machine reach it. */
const HOST = '127.0.0.1';

const MOST_CONNECTIONS = 2000;

/** Of the files that this process may have open, the rest is for those who record. */
const SHARE_OF_FILES = 1 / 3;

/** Soft limit of open files; as far as the system tells. */
const mostFiles = (): number => {
  const limits = readIfExists('/proc/self/limits')?.toString() ?? '';
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 1024);
};

export interface Listening {
  readonly port: number;
  /** Takes no new connections. */
  refuse(): void;
  close(): Promise<void>;
}

/** Serves an app on loopback. Where the port is taken, rejects as the system says it. */
export const listen = async (app: Hono, port: number, onRequest: () => void = () => {}): Promise<Listening> => {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 5_000,
    },
    getRequestListener(app.fetch, { overrideGlobalObjects: false }),
  );
  server.on('request', onRequest);
  server.maxConnections = Math.min(MOST_CONNECTIONS, Math.floor(mostFiles() * SHARE_OF_FILES));
  const stalled = new StalledConnections();
  server.on('connection', (socket) => stalled.add(socket));
  server.maxHeadersCount = 100;
  // There is nothing here to upgrade or connect to.
  server.on('upgrade', (_request, socket) => socket.destroy());
  server.on('connect', (_request, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    refuse: () => void server.close(),
    close: async () => {
      stalled.close();
      await close(server);
    },
  };
};

/** How long the last answers may take to leave. */
const LAST_WORDS = 500;

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), LAST_WORDS).unref();
  });
