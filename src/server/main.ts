import { parentPort, workerData } from 'node:worker_threads';
import { systemCode } from '../model/index.ts';
import { version } from '../model/version.ts';
import { createApp } from './app.ts';
import { EventHub } from './events/hub.ts';
import { Credentials } from './guard/credentials.ts';
import type { Shared } from './handler.ts';
import { Jobs } from './jobs.ts';
import { type Listening, listen } from './listen.ts';
import { readWebPages } from './pages/web.ts';
import type { FromServer, ServerOptions, ToServer } from './thread-messages.ts';
import { idOf, Workspaces } from './workspaces.ts';

/**
 * The thread of the daemon that serves: whatever a client makes it do, hooks are answered by another one. It asks the daemon for what that
 * does best, as a command does.
 */

/** How often it is told that somebody is there. */
const TELL_EVERY = 1000;

const { port, tokenFile } = workerData as ServerOptions;
const tell = (message: FromServer): void => parentPort?.postMessage(message);

let listening: Listening | undefined;

const workspaces = new Workspaces();
const jobs = new Jobs();
const log = (line: string): void => tell({ log: line });

const shared: Shared = {
  workspaces,
  credentials: new Credentials(tokenFile, () => listening?.port ?? 0),
  jobs,
  events: new EventHub({ workspaces, jobs, log }),
  version,
  log,
};

let toldAt = 0;

const app = createApp({ shared, port: () => listening?.port ?? 0, pages: readWebPages() });
const isUsed = (): boolean => jobs.list().length > 0 || shared.events.held.streams > 0;

const stayAwake = (): void => {
  if (performance.now() - toldAt < TELL_EVERY) return;
  toldAt = performance.now();
  tell('active');
};

const begin = async (): Promise<Listening> => {
  const serve = (number: number): Promise<Listening> => listen(app, number, stayAwake);
  if ('asked' in port) return serve(port.asked);
  try {
    return await serve(port.wanted);
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE' && systemCode(error) !== 'EACCES') throw error;
    return serve(0);
  }
};

const close = async (): Promise<void> => {
  listening?.refuse();
  // What is under way ends where nothing is left half done, and those who asked for it hear how.
  await jobs.end();
  shared.events.close();
  await listening?.close();
  workspaces.close();
  process.exit(0);
};

parentPort?.on('message', (message: ToServer) => {
  if (message === 'close') return void close();
  const { number, link } = message;
  try {
    const workspace = idOf(workspaces.serve(link.directory));
    tell({ number, linked: { workspace, code: shared.credentials.issueCode() } });
  } catch (error) {
    tell({ number, refused: error instanceof Error ? error.message : String(error) });
  }
});

setInterval(() => isUsed() && stayAwake(), TELL_EVERY).unref();

try {
  listening = await begin();
  tell({ listening: listening.port });
} catch (error) {
  tell({ failed: { code: systemCode(error), message: error instanceof Error ? error.message : String(error) } });
}
