import { Worker } from 'node:worker_threads';
import { RetakeError } from '../model/index.ts';
import type { FromServer, ServedLink, ServerOptions, ToServer } from './thread-messages.ts';

const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './server.js', import.meta.url);

/** What a client makes it hold is bounded: beyond it, the thread ends and not the daemon. */
const MEMORY = { maxOldGenerationSizeMb: 512 };

/** How long it may take to end what is under way: nothing is lost after that either, but it would be left to others to complete. */
const LAST_WORDS = 60_000;

export interface ThreadOptions extends ServerOptions {
  readonly log: (line: string) => void;
  /** Called when it ended without being asked to. */
  readonly onLost: () => void;
}

/** The thread that serves, as the daemon sees it. */
export class ServerThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve(link: ServedLink): void; reject(error: Error): void }>();
  #asked = 0;
  #isEnding = false;
  #port = 0;
  /** When somebody used it last. */
  lastActive = performance.now();

  static async start(options: ThreadOptions): Promise<ServerThread> {
    const thread = new ServerThread(options);
    await thread.#begin(options);
    return thread;
  }

  private constructor({ port, tokenFile }: ThreadOptions) {
    this.#worker = new Worker(SCRIPT, { workerData: { port, tokenFile } satisfies ServerOptions, resourceLimits: MEMORY });
  }

  get port(): number {
    return this.#port;
  }

  /** A code that signs a browser in; what requests are about that name no workspace is from now on the one of the directory. */
  link(directory: string): Promise<ServedLink> {
    const number = this.#asked++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#send({ number, link: { directory } });
    });
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    const ended = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#send('close');
    const patience = setTimeout(() => void this.#worker.terminate(), LAST_WORDS);
    await ended;
    clearTimeout(patience);
  }

  #send(message: ToServer): void {
    this.#worker.postMessage(message);
  }

  #begin({ port, log, onLost }: ThreadOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#worker.on('message', (message: FromServer) => {
        if (message === 'active') this.lastActive = performance.now();
        else if ('log' in message) log(message.log);
        else if ('listening' in message) {
          this.#port = message.listening;
          resolve();
        } else if ('failed' in message) {
          this.#isEnding = true;
          reject(notServed(port, message.failed));
          void this.#worker.terminate();
        } else this.#answer(message);
      });
      this.#worker.on('error', (error) => {
        log(`the thread that serves failed: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
        reject(error);
      });
      this.#worker.on('exit', () => {
        for (const { reject } of this.#waiting.values()) reject(new Error('the server ended'));
        if (!this.#isEnding) onLost();
      });
    });
  }

  #answer(message: Extract<FromServer, { readonly number: number }>): void {
    const waiting = this.#waiting.get(message.number);
    this.#waiting.delete(message.number);
    if ('linked' in message) waiting?.resolve(message.linked);
    else waiting?.reject(new RetakeError('workspace-missing', message.refused));
  }
}

const notServed = (port: ServerOptions['port'], { code, message }: { code: string | undefined; message: string }): Error => {
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return new Error(message);
  const asked = 'asked' in port ? port.asked : port.wanted;
  const why = code === 'EACCES' ? 'may not be used' : 'is taken by another program';
  return new RetakeError('usage', `Port ${asked} ${why}`, { hint: 'Leave --port away, or give another.' });
};
