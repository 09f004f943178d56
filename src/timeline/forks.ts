import type { MessageId, SessionId } from '../model/index.ts';
import type { Merged } from './merge.ts';
import { byTime, type PlacedTurn } from './placed-turn.ts';

/** A place where the user went on in two or more ways. */
export interface ForkPoint {
  /** The message they go out from; null at the beginning. */
  readonly at: MessageId | null;
  /** The prompts where the ways part, oldest first. */
  readonly children: readonly MessageId[];
  /** Those that have any of the ways, oldest first. */
  readonly sessions: readonly SessionId[];
}

/** Prompts by the turn above them: null for those without. */
export type Followers = ReadonlyMap<MessageId | null, readonly PlacedTurn[]>;

/**
 * The forks by the prompts that part there: prompts of the same place. Above it is a turn, or a summary, which are the same in all
 * files. Where nothing is above, two sessions that begin differently are two conversations, so that only prompts of one file count.
 */
export const forksIn = ({ turns, sessions }: Merged, followers: Followers): Map<PlacedTurn, ForkPoint> => {
  const ages = new Map(sessions.map(({ session }, age) => [session, age]));
  const ageOf = (session: SessionId): number => ages.get(session) ?? 0;
  const beginnings = beginningsOf(turns, sessions);
  const forks = new Map<PlacedTurn, ForkPoint>();
  for (const [parent, all] of followers) {
    if (all.length < 2) continue;
    const places = Map.groupBy(all, (each) => (parent === null ? (each.spot.summary ?? beginnings.headOf(each)) : each.spot.anchor));
    for (const [first, ...others] of places.values()) {
      if (first === undefined || others.length === 0) continue;
      const children = [first, ...others].map(({ turn }) => turn);
      const fork: ForkPoint = {
        at: first.spot.anchor ?? first.spot.summary,
        children: children.map(({ id }) => id),
        sessions: [...new Set(children.flatMap((child) => child.sessions))].sort((a, b) => ageOf(a) - ageOf(b)),
      };
      for (const each of [first, ...others]) forks.set(each, fork);
    }
  }
  // Oldest first, like the turns.
  return new Map([...forks].sort(([a], [b]) => byTime(a, b)));
};

/** Which prompts begin one and the same conversation. */
const beginningsOf = (turns: Merged['turns'], sessions: Merged['sessions']): Groups => {
  const groups = new Groups();
  for (const { beginnings } of sessions) {
    const here = new Map<MessageId | null, PlacedTurn>();
    for (const [id, told] of beginnings) {
      const each = turns.get(id) as PlacedTurn;
      const isBeginning = [each.spot, told].every(({ parent, summary, isOrphan }) => parent === null && summary === null && !isOrphan);
      if (!isBeginning || each.isHandOver) continue;
      const other = here.get(told.anchor);
      if (other === undefined) here.set(told.anchor, each);
      else groups.join(other, each);
    }
  }
  return groups;
};

class Groups {
  readonly #above = new Map<PlacedTurn, PlacedTurn>();

  headOf(turn: PlacedTurn): PlacedTurn {
    let head = turn;
    for (let above = this.#above.get(head); above !== undefined; above = this.#above.get(head)) {
      // Halves the way for the next one who asks.
      const beyond = this.#above.get(above);
      if (beyond !== undefined) this.#above.set(head, beyond);
      head = above;
    }
    return head;
  }

  join(a: PlacedTurn, b: PlacedTurn): void {
    const [first, second] = [this.headOf(a), this.headOf(b)];
    if (first !== second) this.#above.set(second, first);
  }
}
