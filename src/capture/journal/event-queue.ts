import { readFileSync } from 'node:fs';

/**
 * The system's queue of file events, of which this process has one for all it watches. When it overflows events are lost
 * and nobody is told. But then it was full, and all it held is handed to us in one turn of the event loop: a turn that
 * brings half as many events as it holds (some may be for watches that are closed by now) is taken for an overflow.
 */
class EventQueue {
  readonly #limit = mostQueued() / 2;
  readonly #listeners = new Set<() => void>();
  #inThisTurn = 0;

  /** Every listener of file events calls this, for each event. */
  arrived(): void {
    // Immediates run right after the phase in which file events are handed out.
    if (this.#inThisTurn++ === 0) setImmediate(() => (this.#inThisTurn = 0)).unref();
    if (this.#inThisTurn === Math.ceil(this.#limit)) for (const listener of this.#listeners) listener();
  }

  /** Calls back when events may have been lost; returns how to end that. */
  onOverflow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const USUAL_LIMIT = 16_384;

const mostQueued = (): number => {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || USUAL_LIMIT;
  } catch {
    return USUAL_LIMIT;
  }
};

export const eventQueue = new EventQueue();
