import { currentSettings } from '../engine/settings/settings.ts';
import { type Asker, Departing } from './connection.ts';
import { EventQueue } from './event-queue.ts';
import type { Instance } from './instance.ts';
import { describe, type Log } from './log.ts';
import { daemonDirectory } from './place.ts';
import type { ProgramFile } from './program-file.ts';
import type { DaemonRequest, DaemonStatus, ServeRequest } from './protocol.ts';
import { rehearse } from './rehearsal.ts';
import { Server } from './server.ts';
import { Serving } from './serving.ts';
import { spooledFiles } from './spool.ts';
import { startDaemon } from './start.ts';
import { WorkspacePool } from './workspace-pool.ts';

/** How often it looks whether it is still wanted. */
const LOOK_AROUND = 2000;

/** How long the last answers may take to leave. */
const LAST_WORDS = 1000;

/** The living daemon: answers requests, and knows when to end. */
export class Service {
  readonly #instance: Instance;
  readonly #program: ProgramFile;
  readonly #log: Log;
  readonly #pool: WorkspacePool;
  readonly #events: EventQueue;
  readonly #serving: Serving;
  readonly #running = new Set<Promise<unknown>>();
  #lastRequest = performance.now();
  #idleMinutes = 30;
  #saidWrong = false;
  #sawProgramGone = false;
  #server: Server | undefined;
  readonly #curtain = new AbortController();
  #rehearsing: Promise<void> | undefined;
  #isRehearsed = false;
  #workDone: Promise<void> | undefined;

  constructor(instance: Instance, program: ProgramFile, log: Log) {
    this.#instance = instance;
    this.#program = program;
    this.#log = log;
    this.#pool = new WorkspacePool(log);
    this.#events = new EventQueue(this.#pool, log);
    this.#serving = new Serving(log);
  }

  /** Listens first; those who come now queue up behind what was spooled before. */
  async start(): Promise<void> {
    const handle = (request: DaemonRequest, asker: Asker) => this.#handle(request, asker);
    try {
      this.#server = await Server.listen(daemonDirectory(), { token: this.#instance.address.token, handle, log: this.#log });
      this.#instance.announce();
    } catch (error) {
      // Nobody will reach it, but what was spooled can be recorded all the same.
      await this.#events.drain();
      throw error;
    }
    this.#events.watchSpool();
    void this.#events.drain();
    setInterval(() => this.#lookAround(), Math.min(LOOK_AROUND, this.#idleLimit() / 2)).unref();
    this.#log('started');
    this.#rehearsing = this.#rehearse();
  }

  /** Serves the HTTP interface as the daemon before this one did. */
  async serve(request: ServeRequest): Promise<void> {
    await this.#serving.open(request).catch((error) => this.#log(`serving failed: ${describe(error)}`));
  }

  async #rehearse(): Promise<void> {
    try {
      this.#isRehearsed = await rehearse(this.#log, () => this.#pool.isBusy, this.#curtain.signal);
    } catch (error) {
      this.#log(`the rehearsal failed: ${describe(error)}`);
    }
  }

  /** Finishes what runs, takes nothing new, and ends the process. */
  async end(why: string, successor: 'with-successor' | 'for-good' = 'for-good'): Promise<void> {
    if (this.#workDone !== undefined) return;
    this.#log(`ending: ${why}`);
    const closed = this.#server?.close();
    const served = this.#serving.close();
    this.#workDone = this.#finishWork();
    await this.#workDone;
    await served;
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, LAST_WORDS))]);
    this.#instance.release();
    if (successor === 'with-successor') startDaemon('stays', this.#serving.wanted);
    this.#log('ended');
    process.exit(0);
  }

  async #finishWork(): Promise<void> {
    this.#curtain.abort();
    await Promise.allSettled([this.#events.stop(), this.#rehearsing, ...this.#running]);
    try {
      await this.#pool.close();
    } catch (error) {
      this.#log(`closing: ${describe(error)}`);
    }
  }

  async #handle(request: DaemonRequest, asker: Asker): Promise<unknown> {
    if (request.verb === 'stop') {
      void this.end('asked to');
      await this.#workDone;
      return { pid: process.pid };
    }
    if (this.#program.look() === 'replaced') void this.end('the program was updated', 'with-successor');
    if (this.#workDone !== undefined) throw new Departing();
    this.#lastRequest = performance.now();
    switch (request.verb) {
      case 'status':
        return this.#status();
      case 'event':
        return this.#events.add(request.event, () => asker.isWaiting);
      case 'serve':
        return this.#finishing(this.#serving.open(request.serve));
      case 'call':
        return this.#finishing(this.#pool.call(request.call, asker));
    }
  }

  async #finishing<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
      this.#lastRequest = performance.now();
    }
  }

  #status(): DaemonStatus {
    return {
      pid: process.pid,
      startedAt: this.#instance.address.startedAt,
      memory: process.memoryUsage.rss(),
      spooled: spooledFiles().length,
      url: this.#serving.url,
      rehearsed: this.#isRehearsed,
      ...this.#pool.status(),
    };
  }

  #lookAround(): void {
    if (!this.#instance.isFound()) return void this.end('its files were removed or replaced');
    const program = this.#program.look();
    if (program === 'replaced') return void this.end('the program was updated', 'with-successor');
    if (program === 'gone' && this.#sawProgramGone) return void this.end('the program was removed');
    this.#sawProgramGone = program === 'gone';
    if (this.#events.isEmpty && spooledFiles().length > 0) void this.#events.drain();
    else if (this.#isIdle()) void this.end('nothing to do');
    else this.#pool.maintainIdle();
  }

  /** Asked anew each time, as the setting may change. One that is wrong is told to whoever runs a command. */
  #idleLimit(): number {
    try {
      this.#idleMinutes = currentSettings()['daemon.idleMinutes'];
    } catch (error) {
      if (!this.#saidWrong) this.#log(describe(error));
      this.#saidWrong = true;
    }
    return this.#idleMinutes * 60_000;
  }

  #isIdle(): boolean {
    const isBusy = !this.#events.isEmpty || this.#running.size > 0 || this.#pool.isBusy;
    return !isBusy && performance.now() - Math.max(this.#lastRequest, this.#serving.lastActive) > this.#idleLimit();
  }
}
