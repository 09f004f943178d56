import { existsSync } from 'node:fs';
import { readAddress } from '../daemon/address.ts';
import { DaemonUnreachable } from '../daemon/client.ts';
import type { HookEvent } from '../daemon/protocol.ts';
import { spoolEvent } from '../daemon/spool.ts';
import { startDaemon } from '../daemon/start.ts';
import { noteTrouble } from '../daemon/trouble.ts';

const PAUSE = 10;
const START_AGAIN = 500;

export interface Situation {
  readonly usesDaemon: boolean;
  /** Milliseconds until the agent must go on. */
  remaining(): number;
}

/**
 * Keeps an event that the daemon did not take. Where none could be reached one is started, and the agent waits until the
 * event is recorded, so that it is the present state that gets recorded; but not beyond the deadline.
 */
export const spoolForLater = async (event: HookEvent, failure: unknown, { usesDaemon, remaining }: Situation): Promise<void> => {
  const path = spoolEvent(event);
  if (failure instanceof DaemonUnreachable && failure.reason !== 'deadline') {
    const isForeign = failure.reason === 'environment';
    await waitUntilTaken(path, usesDaemon && !isForeign ? 'stays' : 'once', remaining);
    if (!existsSync(path)) return;
  }
  const why = failure instanceof Error ? failure.message : String(failure);
  noteTrouble({ agent: event.agent, problem: `not recorded in time, kept for later: ${why}` });
};

const waitUntilTaken = async (path: string, life: 'stays' | 'once', remaining: () => number): Promise<void> => {
  startDaemon(life);
  let nextStart = remaining() - START_AGAIN;
  while (existsSync(path) && remaining() > 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (remaining() > nextStart) continue;
    // The one that was started may have met the end of another.
    if (life === 'once' || !isDaemonAlive()) startDaemon(life);
    nextStart -= START_AGAIN;
  }
};

const isDaemonAlive = (): boolean => {
  try {
    return process.kill(readAddress()?.pid ?? Number.NaN, 0);
  } catch {
    return false;
  }
};
