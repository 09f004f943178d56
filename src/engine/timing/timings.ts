import { join } from 'node:path';
import { exists, now } from '../../host/index.ts';
import type { Limits, TimedKind } from './kinds.ts';
import { noteSlow } from './slow-log.ts';
import { type Amounts, type Phase, type ScanReason, type SlowOperation, Stopwatch } from './stopwatch.ts';
import { addTallies, type Tally } from './timing-file.ts';

/** A process that never has time to write them down forgets the oldest. */
const MOST_SLOW = 100;

/**
 * How long a workspace's operations take. Kept in memory until somebody has time to write it down: nobody waits for that, and nothing
 * fails because of it. One operation is timed at once; what runs inside it or beside it is not timed by itself.
 */
export class Timings {
  readonly #data: string;
  readonly #limits: Limits;
  readonly #tallies = new Map<TimedKind, Tally>();
  #slow: SlowOperation[] = [];
  #current: Stopwatch | undefined;
  /** When the next operation was asked for, where it had to wait for others of the same process. */
  askedAt: number | undefined;

  /** `data` is the directory of the workspace's data. */
  constructor(data: string, limits: Limits) {
    this.#data = data;
    this.#limits = limits;
  }

  /** Undefined where something is timed already. */
  begin(kind: TimedKind): Stopwatch | undefined {
    if (this.#current !== undefined) return undefined;
    this.#current = new Stopwatch(kind, this.#limits[kind], this.askedAt);
    this.askedAt = undefined;
    return this.#current;
  }

  end(watch: Stopwatch, isDone: boolean): void {
    this.#current = undefined;
    if (!isDone) return;
    const at = now().toISOString();
    const { ms, slow } = watch.stop(at);
    const { kind } = watch;
    const { count, total, slowest, slow: slowOnes } = this.#tallies.get(kind) ?? NONE;
    this.#tallies.set(kind, {
      count: count + 1,
      total: total + ms,
      slowest: Math.max(slowest, ms),
      slow: slowOnes + (slow === null ? 0 : 1),
      last: at,
    });
    if (slow !== null) this.#slow = [...this.#slow, slow].slice(-MOST_SLOW);
  }

  /** What the time since the last lap went into. */
  lap(phase: Phase): void {
    this.#current?.lap(phase);
  }
  scanned(reason: ScanReason | undefined): void {
    if (reason !== undefined) this.#current?.scanned(reason);
  }
  amounts(tell: () => Amounts): void {
    this.#current?.amounts(tell);
  }

  get isPending(): boolean {
    return this.#tallies.size > 0;
  }

  /** Writes down what was timed since the last time. */
  flush(): void {
    if (!this.isPending) return;
    const [tallies, slow] = [new Map(this.#tallies), this.#slow];
    this.#tallies.clear();
    this.#slow = [];
    // Data that was removed meanwhile does not come back for that.
    if (!exists(this.#data)) return;
    addTallies(timingFileOf(this.#data), tallies);
    for (const one of slow) noteSlow(slowLogOf(this.#data), one);
  }
}

export const timingFileOf = (data: string): string => join(data, 'timings.db');

export const slowLogOf = (data: string): string => join(data, 'slow.jsonl');

const NONE: Tally = { count: 0, total: 0, slowest: 0, slow: 0, last: '' };
