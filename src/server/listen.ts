import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';

/** Only those on this machine reach it. */
const HOST = '127.0.0.1';

const MOST_CONNECTIONS = 2000;

export interface Listening {
  readonly port: number;
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
  server.maxConnections = MOST_CONNECTIONS;
  server.maxHeadersCount = 100;
  // There is nothing here to upgrade or connect to.
  server.on('upgrade', (_request, socket) => socket.destroy());
  server.on('connect', (_request, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
};

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
