import type { MessageId, SessionId } from '../model/index.ts';
import { type Branch, growBranches } from './branches.ts';
import { type ForkPoint, forksIn } from './forks.ts';
import { type Merged, merge } from './merge.ts';
import type { Outline } from './outline.ts';

/** Where the ways to two branches part. */
export interface Parting {
  /** The last branch that both have; null when they part at the beginning. */
  readonly branch: Branch | null;
  /** The last message that both have. */
  readonly at: MessageId | null;
  /** Null where one of them goes on with the turn that the other leaves, and for a branch and itself. */
  readonly fork: ForkPoint | null;
}

/**
 * All conversations that some sessions hold, each message once, whichever sessions have it (FRK-1, FRK-4). The order in which the
 * outlines come does not matter.
 */
export const growTree = (outlines: readonly Outline[]): ConversationTree => new ConversationTree(merge(outlines));

/** Prompts and branches may be named by their ids in any of the files. */
export class ConversationTree {
  /** Oldest first. */
  readonly forks: readonly ForkPoint[];
  /** The branches that conversations begin with, oldest first. */
  readonly roots: readonly Branch[];
  readonly #merged: Merged;
  readonly #branches = new Map<MessageId, Branch>();
  readonly #branchOf = new Map<MessageId, Branch>();
  readonly #leaves: ReadonlyMap<SessionId, MessageId | null>;

  constructor(merged: Merged) {
    const followers = Map.groupBy(merged.turns.values(), ({ spot }) => spot.parent);
    const forkOf = forksIn(merged, followers);
    this.#merged = merged;
    this.forks = [...new Set(forkOf.values())];
    this.roots = growBranches(followers, forkOf);
    this.#leaves = new Map(merged.sessions.map(({ session, leaf }) => [session, leaf]));
    for (const branch of [...this.roots, ...withDescendants(this.roots)]) {
      this.#branches.set(branch.id, branch);
      for (const { id } of branch.turns) this.#branchOf.set(id, branch);
    }
  }

  /** By its first prompt. */
  branch(id: MessageId): Branch | undefined {
    return this.#branches.get(this.#merged.original(id));
  }

  /** The branch that a prompt is on; it must have begun a turn. */
  branchOf(prompt: MessageId): Branch | undefined {
    return this.#branchOf.get(this.#merged.original(prompt));
  }

  /** The branch that a session goes on from. */
  current(session: SessionId): Branch | undefined {
    const leaf = this.#leaves.get(session);
    return leaf == null ? undefined : this.#branchOf.get(leaf);
  }

  /** From the root to this branch. */
  path(branch: Branch): readonly Branch[] {
    const path: Branch[] = [];
    for (let each: Branch | undefined = branch; each !== undefined; each = this.#parent(each)) path.push(each);
    return path.reverse();
  }

  /** The other branches with the same parent; at the beginning, those of the same fork. */
  siblings(branch: Branch): readonly Branch[] {
    const parent = this.#parent(branch);
    const all = parent?.children ?? (branch.fork?.children ?? []).flatMap((id) => this.#branches.get(id) ?? []);
    return all.filter(({ id }) => id !== branch.id);
  }

  /** Nearer ones first. */
  descendants(branch: Branch): readonly Branch[] {
    return withDescendants([branch]);
  }

  /** Null when they are of different conversations. */
  commonAncestor(a: Branch, b: Branch): Parting | null {
    const [toA, toB] = [this.path(a), this.path(b)];
    let shared = 0;
    while (shared < toA.length && toA[shared] === toB[shared]) shared++;
    const branch = toA[shared - 1];
    const ways = [toA[shared], toB[shared]].filter((way) => way !== undefined);
    if (branch !== undefined) {
      const away = this.#firstToLeave(branch, ways);
      return { branch, at: away === undefined ? branch.last.message : away.from, fork: away?.fork ?? null };
    }
    const [fork, other] = ways.map((way) => way.fork);
    return fork != null && fork === other ? { branch: null, at: fork.at, fork } : null;
  }

  /** The prompt of the turn that a branch goes out from. */
  turnBefore({ id }: Branch): MessageId | null {
    return this.#merged.turns.get(id)?.spot.parent ?? null;
  }

  #parent({ parent }: Branch): Branch | undefined {
    return parent === null ? undefined : this.#branches.get(parent);
  }

  #firstToLeave(branch: Branch, ways: readonly Branch[]): Branch | undefined {
    const places = ways.map((way) => {
      const spot = this.#merged.turns.get(way.id)?.spot;
      return { way, turn: branch.turns.findIndex(({ id }) => id === spot?.parent), place: spot?.place ?? 0 };
    });
    return places.sort((a, b) => a.turn - b.turn || a.place - b.place)[0]?.way;
  }
}

const withDescendants = (branches: readonly Branch[]): Branch[] => {
  const all = branches.flatMap(({ children }) => children);
  for (const each of all) for (const child of each.children) all.push(child);
  return all;
};
