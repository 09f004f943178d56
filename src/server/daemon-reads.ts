import type { Workspace } from '../engine/index.ts';
import { interrupted } from '../host/index.ts';

/** Who waits for their turn, by the workspace's data directory. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Has the daemon look at a workspace for a request that only reads: one at a time, so that an agent's event never waits behind more than
 * one of them, and not at all for a client that has gone.
 */
export const readInTurn = async <T>({ data }: Pick<Workspace, 'data'>, signal: AbortSignal, read: () => Promise<T>): Promise<T> => {
  const before = queues.get(data) ?? Promise.resolve();
  const turn = before.then(() => {
    if (signal.aborted) throw interrupted();
    return read();
  });
  const settled = turn.catch(() => {});
  queues.set(data, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(data) === settled) queues.delete(data);
  }
};
