import { type Checkpoint, isCheckpoint, type Recorded, type SessionId } from '../../model/index.ts';
import type { Actor } from '../../timeline/index.ts';
import { familyOf } from './session-family.ts';
import type { Trail } from './trail.ts';

/**
 * The sessions that worked beside that of a checkpoint since (RST-11). One that began when the other had ended did not work beside it:
 * going back before it is going back in time. One whose only step still runs works too, although no record tells of that yet.
 */
export const sessionsBeside = (
  { operations, attributedChanges }: Trail,
  target: Recorded<Checkpoint>,
  running: readonly Pick<Actor, 'session'>[],
): ReadonlySet<SessionId> => {
  if (target.event === undefined) return new Set();
  const family = familyOf(operations, target.session);
  const events = operations.filter((one) => isCheckpoint(one) && one.event !== undefined && family.has(one.session));
  const isUnderWay = (sequence: number): boolean => {
    const last = events.findLast((one) => one.sequence < sequence);
    return last?.kind !== 'session-end' || events.some((one) => one.sequence > sequence);
  };
  const beside = new Set<SessionId>();
  const note = (actors: readonly Pick<Actor, 'session'>[], sequence: number): void => {
    for (const { session } of actors) if (!family.has(session) && !beside.has(session) && isUnderWay(sequence)) beside.add(session);
  };
  for (const { at, actors } of attributedChanges) note(actors, at.sequence);
  note(running, Number.POSITIVE_INFINITY);
  return beside;
};
