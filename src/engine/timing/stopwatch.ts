import { gitsStarted } from '../../host/index.ts';
import type { TimedKind } from './kinds.ts';

/** What the time of an operation goes into. */
export type Phase = 'preparing' | 'waiting' | 'looking' | 'git' | 'seeding' | 'planning' | 'checking' | 'writing' | 'recording' | 'other';

/** Why every file had to be looked at. */
export type ScanReason = 'first-record' | 'no-daemon' | 'not-watched' | 'journal-lost';

/** Why an operation took long, as far as it is known. */
export type SlowReason = ScanReason | 'waited' | 'git' | 'much-to-write';

/** An operation that took longer than it may. */
export interface SlowOperation {
  readonly at: string;
  readonly kind: TimedKind;
  readonly ms: number;
  readonly limit: number;
  /** Milliseconds, those that took longest first. */
  readonly phases: Readonly<Partial<Record<Phase, number>>>;
  /** The weightiest first; empty where none is known. */
  readonly reasons: readonly SlowReason[];
  /** How much there was to do. */
  readonly amounts: Amounts;
}

export interface Amounts {
  /** In the workspace. */
  readonly files?: number;
  /** That a rollback made. */
  readonly changes?: number;
  /** Put into the store. */
  readonly bytes?: number;
  /** Processes of git that were started. */
  readonly gits?: number;
}

/** A phase that took less than this share of an operation is not why it was slow. */
const WEIGHTY = 0.2;

/** Times one operation. Each lap says what the time since the last one went into: one look at the clock, and nothing else. */
export class Stopwatch {
  readonly kind: TimedKind;
  readonly #limit: number | null;
  readonly #gits = gitsStarted();
  readonly #phases = new Map<Phase, number>();
  readonly #began: number;
  #last: number;
  #scan: ScanReason | undefined;
  #amounts: (() => Amounts)[] = [];

  /** `limit` is how many milliseconds it may take, if not as long as it takes; `asked` when somebody began to wait for it, where that was earlier. */
  constructor(kind: TimedKind, limit: number | null, asked?: number) {
    this.kind = kind;
    this.#limit = limit;
    this.#began = asked ?? performance.now();
    this.#last = this.#began;
    if (asked !== undefined) this.lap('waiting');
  }

  lap(phase: Phase): void {
    const time = performance.now();
    this.#phases.set(phase, (this.#phases.get(phase) ?? 0) + time - this.#last);
    this.#last = time;
  }

  /** Every file was looked at, and why. */
  scanned(reason: ScanReason): void {
    this.#scan = reason;
  }

  /** Asked only when the operation turns out to have been slow. */
  amounts(tell: () => Amounts): void {
    this.#amounts.push(tell);
  }

  /** Stops it; `at` is the present. */
  stop(at: string): { readonly ms: number; readonly slow: SlowOperation | null } {
    this.lap('other');
    const ms = this.#last - this.#began;
    const limit = this.#limit;
    if (limit === null || ms <= limit) return { ms, slow: null };
    const phases = [...this.#phases].filter(([, time]) => time >= 1).sort(([, a], [, b]) => b - a);
    return {
      ms,
      slow: {
        at,
        kind: this.kind,
        ms: Math.round(ms),
        limit,
        phases: Object.fromEntries(phases.map(([phase, time]) => [phase, Math.round(time)])),
        reasons: [...new Set(phases.filter(([, time]) => time >= ms * WEIGHTY).flatMap(([phase]) => this.#reasonFor(phase)))],
        amounts: Object.assign({ gits: gitsStarted() - this.#gits }, ...this.#amounts.map((tell) => tell())),
      },
    };
  }

  #reasonFor(phase: Phase): SlowReason[] {
    switch (phase) {
      case 'waiting':
        return ['waited'];
      case 'git':
        return ['git'];
      case 'looking':
      case 'seeding':
        return this.#scan === undefined ? [] : [this.#scan];
      case 'recording':
      case 'writing':
        return ['much-to-write'];
      default:
        return [];
    }
  }
}
