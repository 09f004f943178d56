import type { MessageId, SessionId } from '../model/index.ts';
import { type Branch, growBranches } from './branches.ts';
import { type ForkPoint, forksIn } from './forks.ts';
import { type Merged, merge } from './merge.ts';
import type { Outline } from './outline.ts';
import type { PlacedTurn } from './placed-turn.ts';

/** Conversations that have something in common, grown together. The order of the outlines does not matter. */
export class Family {
  readonly outlines: readonly Outline[];
  /** Oldest first, each with the turn that its age is told by. */
  readonly forks: readonly (readonly [ForkPoint, PlacedTurn])[];
  /** Oldest first. */
  readonly roots: readonly Branch[];
  readonly #merged: Merged;
  #branches: { readonly byFirst: ReadonlyMap<MessageId, Branch>; readonly byTurn: ReadonlyMap<MessageId, Branch> } | undefined;

  constructor(outlines: readonly Outline[]) {
    this.outlines = outlines;
    this.#merged = merge(outlines);
    const followers = Map.groupBy(this.#merged.turns.values(), ({ spot }) => spot.parent);
    const forkOf = forksIn(this.#merged, followers);
    const oldest = new Map<ForkPoint, PlacedTurn>();
    for (const [turn, fork] of forkOf) if (!oldest.has(fork)) oldest.set(fork, turn);
    this.forks = [...oldest];
    this.roots = growBranches(followers, forkOf);
  }

  branch(id: MessageId): Branch | undefined {
    return this.#indexed.byFirst.get(this.#merged.original(id));
  }

  branchOf(prompt: MessageId): Branch | undefined {
    return this.#indexed.byTurn.get(this.#merged.original(prompt));
  }

  current(session: SessionId): Branch | undefined {
    const last = this.lastTurn(session);
    return last === undefined ? undefined : this.#indexed.byTurn.get(last);
  }

  lastTurn(session: SessionId): MessageId | undefined {
    // Where a session is in two places, the younger file tells.
    return this.#merged.sessions.findLast((each) => each.session === session)?.leaf ?? undefined;
  }

  /** Where a turn goes out from. */
  spotOf(turn: MessageId): PlacedTurn['spot'] | undefined {
    return this.#merged.turns.get(turn)?.spot;
  }

  /** Made for the first who asks: of most families nobody does. */
  get #indexed() {
    if (this.#branches === undefined) {
      const byFirst = new Map<MessageId, Branch>();
      const byTurn = new Map<MessageId, Branch>();
      for (const branch of [...this.roots, ...descendantsOf(this.roots)]) {
        byFirst.set(branch.id, branch);
        for (const { id } of branch.turns) byTurn.set(id, branch);
      }
      this.#branches = { byFirst, byTurn };
    }
    return this.#branches;
  }
}

/** All that go out from these, nearer ones first. */
export const descendantsOf = (branches: readonly Branch[]): Branch[] => {
  const all = branches.flatMap(({ children }) => children);
  for (const each of all) for (const child of each.children) all.push(child);
  return all;
};
