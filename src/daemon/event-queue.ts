import { watch } from 'node:fs';
import { Departing } from './connection.ts';
import { drain, HeldUp } from './drain.ts';
import { describe, type Log } from './log.ts';
import { type HookAnswer, type HookEvent, millisecondsSince } from './protocol.ts';
import { isStillEmpty, makeSpool } from './spool.ts';
import type { WorkspacePool } from './workspace-pool.ts';

/**
 * Events one after the other, in order of arrival: before each, those that were spooled meanwhile, which are older.
 */
export class EventQueue {
  readonly #pool: WorkspacePool;
  readonly #log: Log;
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #isStopped = false;
  #drainIsDue = false;
  #drainProblem = '';

  constructor(pool: WorkspacePool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  get isEmpty(): boolean {
    return this.#waiting === 0;
  }

  add(event: HookEvent, isAwaited: () => boolean): Promise<HookAnswer> {
    const asked = performance.now();
    return this.#enqueue(async () => {
      await this.#drain().catch((error) => this.#passBy(error, event));
      // The agent has gone on without us: what is recorded now is not what was there when it asked.
      return this.#pool.record(event, isAwaited() ? undefined : { ms: millisecondsSince(event.at) }, asked);
    });
  }

  /** Hooks that came too early or waited too long leave their events there. */
  watchSpool(): void {
    try {
      const watcher = watch(makeSpool(), { persistent: false }, () => void this.drain());
      watcher.on('error', (error) => this.#log(`watching the spool: ${describe(error)}`));
    } catch (error) {
      this.#log(`the spool is not watched: ${describe(error)}`);
    }
  }

  /** Records what was spooled, when its turn comes. That one waits for its turn is enough for all who ask. */
  async drain(): Promise<void> {
    if (this.#drainIsDue) return;
    this.#drainIsDue = true;
    try {
      await this.#enqueue(() => {
        this.#drainIsDue = false;
        return this.#drain();
      });
      this.#drainProblem = '';
    } catch (error) {
      if (error instanceof Departing) return;
      // It is tried again and again, and told once.
      const problem = describe(error);
      if (problem !== this.#drainProblem) this.#log(`spooled events can not be recorded now: ${problem}`);
      this.#drainProblem = problem;
    }
  }

  /** What runs is finished; what waits is given up, and comes again by the spool. */
  stop(): Promise<unknown> {
    this.#isStopped = true;
    return this.#tail;
  }

  async #drain(): Promise<void> {
    if (isStillEmpty()) return;
    await drain((event, late) => this.#recordSpooled(event, late), {
      log: this.#log,
      wait: true,
      laneOf: (event) => this.#pool.laneOf(event),
    });
  }

  /** Events that can not be recorded now hold up only those of their own workspace. */
  #passBy(error: unknown, event: HookEvent): void {
    if (!(error instanceof HeldUp)) throw error;
    const own = error.lanes.get(this.#pool.laneOf(event));
    if (own !== undefined) throw own;
  }

  #recordSpooled(event: HookEvent, late: { readonly ms: number }): Promise<HookAnswer> {
    if (this.#isStopped) throw new Departing();
    return this.#pool.record(event, late);
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const result = this.#tail.then(() => {
      if (this.#isStopped) throw new Departing();
      return work();
    });
    this.#tail = result.then(
      () => this.#waiting--,
      () => this.#waiting--,
    );
    return result;
  }
}
