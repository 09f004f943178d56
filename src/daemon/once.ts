import { drain } from './drain.ts';
import { Keeper } from './keeper.ts';
import type { Log } from './log.ts';

/** Records what was spooled, for those who want no daemon. */
export const drainOnce = async (log: Log): Promise<void> => {
  const keeper = new Keeper(log, 'once');
  try {
    await drain((event, late) => keeper.record(event, late), { log, wait: false, laneOf: (event) => keeper.laneOf(event) });
  } finally {
    await keeper.close();
  }
};
