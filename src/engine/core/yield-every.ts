import { setImmediate as nextTurn } from 'node:timers/promises';
import { refuseIfAborted } from '../../host/index.ts';

/** How long one piece of work may keep everybody else in this process waiting, in milliseconds. */
const MOST_AT_A_TIME = 8;

/** To be called between the pieces of long work: lets others have their turn where it has gone on for a while. Nobody may want it then. */
export const yieldEvery = (signal?: AbortSignal): (() => Promise<void>) => {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < MOST_AT_A_TIME) return;
    await nextTurn();
    refuseIfAborted(signal);
    since = performance.now();
  };
};
