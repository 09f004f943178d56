import { type Checkpoint, isCheckpoint, type Recorded, type SessionId } from '../../model/index.ts';
import { familyOf } from './session-family.ts';
import type { Trail } from './trail.ts';

/**
 * The sessions that worked beside that of a checkpoint since (RST-11). One that began when the other had ended did not work beside it:
 * going back before it is going back in time.
 */
export const sessionsBeside = ({ operations, deeds }: Trail, target: Recorded<Checkpoint>): ReadonlySet<SessionId> => {
  if (target.event === undefined) return new Set();
  const family = familyOf(operations, target.session);
  const events = operations.filter((one) => isCheckpoint(one) && one.event !== undefined && family.has(one.session));
  const isUnderWay = (sequence: number): boolean => {
    const last = events.findLast((one) => one.sequence < sequence);
    return last?.kind !== 'session-end' || events.some((one) => one.sequence > sequence);
  };
  const beside = new Set<SessionId>();
  for (const { at, doers } of deeds)
    for (const { session } of doers) if (!family.has(session) && !beside.has(session) && isUnderWay(at.sequence)) beside.add(session);
  return beside;
};
