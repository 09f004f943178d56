import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { effects, Lock } from '../host/index.ts';
import { RetakeError, systemCode } from '../model/index.ts';
import { claim } from './claim.ts';
import type { Log } from './log.ts';
import { type DaemonEnvironment, isOwnEnvironment, spoolDirectory } from './place.ts';
import { type HookEvent, isHookEvent, millisecondsSince } from './protocol.ts';
import { setAside, spooledFiles, tidySpool, waitedMilliseconds } from './spool.ts';

/** Records one event. A rejection means that it can not be recorded now. */
export type Take = (event: HookEvent, late: { readonly ms: number }) => Promise<unknown>;

export interface DrainOptions {
  readonly log: Log;
  /** Whether to wait for another process that is at it, or to leave it to that one. */
  readonly wait: boolean;
  /** Events of one lane wait for each other, those of others do not; all are one unless told. */
  readonly laneOf?: (event: HookEvent) => string;
}

/** Why the events of some lanes were not taken; those of all others were. */
export class HeldUp extends Error {
  readonly lanes: ReadonlyMap<string, RetakeError>;

  constructor(lanes: ReadonlyMap<string, RetakeError>) {
    super([...lanes.values()].map(({ message }) => message).join('; '));
    this.lanes = lanes;
  }
}

/**
 * Hands over the spooled events, oldest first; each file is removed when its event was taken. When `take` rejects, that file
 * and those after it in its lane stay, and the rejection is passed on; a full disk ends it at once. Events of hooks in other
 * surroundings are left to their own.
 */
export const drain = async (take: Take, options: DrainOptions): Promise<void> => {
  while (spooledFiles().length > 0) {
    // Whoever finds the lock held relies on its holder to look once more after releasing it.
    const taken = await alone(options.wait, () => takeAll(take, options));
    if (taken === 0) return;
  }
};

const alone = async (wait: boolean, work: () => Promise<number>): Promise<number> => {
  const lock = new Lock(join(spoolDirectory(), 'lock'));
  try {
    if (wait) return await lock.hold(work);
    return (await claim(lock)) ? await work() : 0;
  } finally {
    lock.close();
  }
};

const takeAll = async (take: Take, { log, laneOf = () => '' }: DrainOptions): Promise<number> => {
  let taken = 0;
  const held = new Map<string, RetakeError>();
  for (const path of spooledFiles()) {
    const event = read(path, log);
    if (event === undefined) continue;
    const lane = laneOf(event);
    if (held.has(lane)) continue;
    try {
      await take(event, { ms: waitedMilliseconds(path) ?? millisecondsSince(event.at) });
    } catch (error) {
      if (!(error instanceof RetakeError) || error.code === 'no-space') throw error;
      held.set(lane, error);
      continue;
    }
    effects.unlink(path);
    taken++;
  }
  tidySpool();
  if (held.size > 0) throw new HeldUp(held);
  return taken;
};

const read = (path: string, log: Log): HookEvent | undefined => {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as { event?: unknown; environment?: Partial<DaemonEnvironment> } | null;
    if (isHookEvent(value?.event)) return isOwnEnvironment(value.environment) ? value.event : undefined;
    log(`not a spooled event: ${path}`);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    log(`unreadable spooled event: ${path}: ${error instanceof Error ? error.message : error}`);
  }
  try {
    setAside(path);
  } catch (error) {
    log(`could not set it aside: ${error instanceof Error ? error.message : error}`);
  }
  return undefined;
};
