import { currentSettings, placeOfWorkspace } from '../engine/index.ts';
import { RetakeError } from '../model/index.ts';
import { ServerThread } from '../server/index.ts';
import type { Log } from './log.ts';
import { tokenFile } from './place.ts';
import type { Serving as Served, ServeRequest } from './protocol.ts';

/** One that fails sooner would fail again. */
const LONG_ENOUGH = 10_000;

/** The HTTP interface, served by a thread of this process from when somebody asks for it. */
export class Serving {
  readonly #log: Log;
  #thread: Promise<ServerThread> | undefined;
  #running: ServerThread | undefined;
  #directory: string | undefined;
  #since = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Null where nothing is served. */
  get url(): string | null {
    return this.#running === undefined ? null : `http://127.0.0.1:${this.#running.port}`;
  }

  get lastActive(): number {
    return this.#running?.lastActive ?? 0;
  }

  /** What a successor is to serve; undefined where nothing is served. */
  get wanted(): ServeRequest | undefined {
    return this.#running === undefined || this.#directory === undefined
      ? undefined
      : { directory: this.#directory, port: this.#running.port };
  }

  async open({ directory, port }: ServeRequest): Promise<Served> {
    placeOfWorkspace(directory);
    const thread = await this.#begin(port);
    if (port !== undefined && thread.port !== port) {
      throw new RetakeError('usage', `It is served at port ${thread.port} already`, {
        hint: 'Leave --port away, or stop the background process first: retake daemon stop',
      });
    }
    const { workspace, code } = await thread.link(directory);
    this.#directory = directory;
    const url = `http://127.0.0.1:${thread.port}`;
    return { pid: process.pid, url, link: `${url}/sign-in#${code}`, workspace, tokenFile: tokenFile() };
  }

  async close(): Promise<void> {
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.close();
  }

  async #begin(asked: number | undefined): Promise<ServerThread> {
    this.#thread ??= ServerThread.start({
      port: asked === undefined ? { wanted: currentSettings()['server.port'] } : { asked },
      tokenFile: tokenFile(),
      log: this.#log,
      onLost: () => this.#again(),
    });
    try {
      const thread = await this.#thread;
      if (this.#running !== thread) this.#since = performance.now();
      this.#running = thread;
      return this.#running;
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  /** One that failed after it served for a while is started again for its clients, where they look for it. */
  #again(): void {
    const { wanted } = this;
    const lived = performance.now() - this.#since;
    this.#forget();
    if (wanted !== undefined && lived > LONG_ENOUGH) this.open(wanted).catch((error) => this.#log(`serving again failed: ${error}`));
  }

  #forget(): void {
    this.#thread = undefined;
    this.#running = undefined;
  }
}
