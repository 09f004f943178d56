import { setTimeout as sleep } from 'node:timers/promises';
import type { Lock } from '../host/index.ts';

const ATTEMPTS = 6;
const PAUSE = 20;

/**
 * Takes a lock unless somebody has it. Of two that reach for it in the same instant both may find it taken, so each tries
 * again a few times, at moments of its own.
 */
export const claim = async (lock: Lock): Promise<boolean> => {
  for (let attempt = 1; ; attempt++) {
    if (lock.tryAcquire()) return true;
    if (attempt === ATTEMPTS) return false;
    await sleep(Math.random() * PAUSE);
  }
};
