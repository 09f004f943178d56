import type { MessageId, SessionId } from '../model/index.ts';
import type { Branch } from './branches.ts';
import { Families } from './families.ts';
import { descendantsOf } from './family.ts';
import type { ForkPoint } from './forks.ts';
import type { Outline, Spot } from './outline.ts';
import { byTime } from './placed-turn.ts';

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
 * All conversations that some sessions hold, each message once, whichever sessions have it (FRK-1, FRK-4). Prompts and branches may be
 * named by their ids in any of the files.
 */
export class ConversationTree {
  /** Oldest first. */
  readonly forks: readonly ForkPoint[];
  /** The branches that conversations begin with, oldest first. */
  readonly roots: readonly Branch[];
  readonly #families: Families;

  private constructor(families: Families) {
    const all = [...families.all];
    this.#families = families;
    this.forks = all
      .flatMap(({ forks }) => forks)
      .sort(([, a], [, b]) => byTime(a, b))
      .map(([fork]) => fork);
    this.roots = all.flatMap(({ roots }) => roots).sort((a, b) => byTime(firstOf(a), firstOf(b)));
  }

  /** The order in which the outlines come does not matter. Given a tree of about the same outlines, only what differs is grown. */
  static grow(outlines: readonly Outline[], before?: ConversationTree): ConversationTree {
    return new ConversationTree(Families.of(outlines, before === undefined ? undefined : before.#families));
  }

  /** By its first prompt. */
  branch(id: MessageId): Branch | undefined {
    return this.#families.with(id)?.branch(id);
  }

  /** The branch that a prompt is on; it must have begun a turn. */
  branchOf(prompt: MessageId): Branch | undefined {
    return this.#families.with(prompt)?.branchOf(prompt);
  }

  /** The branch that a session goes on from. */
  current(session: SessionId): Branch | undefined {
    return this.#families.with(session)?.current(session);
  }

  /** The turn that a session ends with; others may have gone on from there, on the same branch. */
  lastTurn(session: SessionId): MessageId | undefined {
    return this.#families.with(session)?.lastTurn(session);
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
    const all = parent?.children ?? (branch.fork?.children ?? []).flatMap((id) => this.branch(id) ?? []);
    return all.filter(({ id }) => id !== branch.id);
  }

  /** Nearer ones first. */
  descendants(branch: Branch): readonly Branch[] {
    return descendantsOf([branch]);
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
    return this.#spotOf(id)?.parent ?? null;
  }

  #parent({ parent }: Branch): Branch | undefined {
    return parent === null ? undefined : this.branch(parent);
  }

  #spotOf(turn: MessageId): Spot | undefined {
    return this.#families.with(turn)?.spotOf(turn);
  }

  #firstToLeave(branch: Branch, ways: readonly Branch[]): Branch | undefined {
    const places = ways.map((way) => {
      const spot = this.#spotOf(way.id);
      return { way, turn: branch.turns.findIndex(({ id }) => id === spot?.parent), place: spot?.place ?? 0 };
    });
    return places.sort((a, b) => a.turn - b.turn || a.place - b.place)[0]?.way;
  }
}

const firstOf = ({ id, startedAt }: Branch) => ({ turn: { id, at: startedAt } });
