import { setImmediate as nextTurn } from 'node:timers/promises';
import { RetakeError } from '../model/index.ts';

export const interrupted = (): RetakeError =>
  new RetakeError('interrupted', 'Ended before it was done', { hint: 'Nothing is lost, and nothing needs cleaning up.' });

/** For work that goes on for long without a process that could be ended. */
export const refuseIfAborted = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw interrupted();
};

/** Lets others have their turn, and ends here if one of them wants that. Where nobody could, it goes right on. */
export const giveWay = async (signal: AbortSignal | undefined): Promise<void> => {
  if (signal === undefined) return;
  await nextTurn();
  // The first turn may be over before the system was asked for news.
  await nextTurn();
  refuseIfAborted(signal);
};

/** How long, in milliseconds, others may be kept waiting by one stretch of work. */
const STRETCH = 30;

/** The breaks of work that takes many small steps: no more of them than it takes to be heard by others. */
export class Breaks {
  #since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#since > STRETCH;
  }

  async take(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
