import type { ObjectId, Recorded } from '../../model/index.ts';
import { countForgotten, OPERATIONS, type Store } from '../../store/index.ts';
import { recentlyForgotten } from './forgotten.ts';

/** What everything in the store is there for. */
export interface Roots {
  /** The operations of the log, newest first. */
  readonly living: readonly ObjectId[];
  /** Those that were taken out of it a moment ago, as far as they are there. */
  readonly spared: readonly ObjectId[];
  /** A ref can't be read or is missing, so that nobody knows what it is there for. */
  readonly isTorn: boolean;
}

/** The log as far as it was read: what comes later need only be added. */
export class KnownLog {
  readonly #store: Store;
  readonly #operations: Recorded[] = [];
  #hasGaps = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Oldest first, and as of now. Those that can't be read are not among them. */
  get operations(): readonly Recorded[] {
    const isFirst = this.#operations.length === 0;
    const { operations, damaged } = this.#store.log.since(this.#operations.at(-1)?.sequence ?? 0);
    this.#operations.push(...operations);
    const isMissed =
      isFirst && damaged.length + operations.reduce((sum, one) => sum + 1 + countForgotten(one), 0) < (operations.at(-1)?.sequence ?? 0);
    this.#hasGaps ||= isMissed || damaged.length > 0 || this.#store.refs.torn(OPERATIONS).length > 0;
    return this.#operations;
  }

  /** Some operation can't be read, so that nobody knows what it says. */
  get hasGaps(): boolean {
    return this.#hasGaps;
  }

  rootsNow(since: number): Roots {
    const { refs, objects } = this.#store;
    return {
      living: [...new Set(refs.list('refs/').values())].reverse(),
      spared: recentlyForgotten(this.operations, since).filter((id) => objects.has(id)),
      isTorn: this.#hasGaps,
    };
  }
}
