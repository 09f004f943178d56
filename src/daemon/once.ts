import { drain } from './drain.ts';
import type { Log } from './log.ts';
import { WorkspacePool } from './workspace-pool.ts';

/** Records what was spooled, for those who want no daemon. */
export const drainOnce = async (log: Log): Promise<void> => {
  const pool = new WorkspacePool(log, 'once');
  try {
    await drain((event, late) => pool.record(event, late), { log, wait: false, laneOf: (event) => pool.laneOf(event) });
  } finally {
    await pool.close();
  }
};
