import type { MessageId, SessionId } from '../model/index.ts';
import type { Followers, ForkPoint } from './forks.ts';
import type { LastMessage } from './outline.ts';
import { byTime, type PlacedTurn, type Turn } from './placed-turn.ts';

/** A way that a conversation took: from a fork, or the beginning, to the next fork or its newest message. */
export interface Branch {
  /** Its first prompt. */
  readonly id: MessageId;
  /** The one it was begun in, as far as the files tell. */
  readonly session: SessionId;
  /** All that have a part of it. */
  readonly sessions: readonly SessionId[];
  readonly title: string;
  /** The message it goes out from; null at the beginning, and where what was before is missing. */
  readonly from: MessageId | null;
  /** Null at the beginning, and where it leaves a turn that goes on without it. */
  readonly fork: ForkPoint | null;
  /** The branch it goes out from. */
  readonly parent: MessageId | null;
  readonly depth: number;
  readonly turns: readonly Turn[];
  /** Oldest first. */
  readonly children: readonly Branch[];
  readonly startedAt: string | null;
  readonly last: LastMessage;
}

/** Those that conversations begin with, oldest first. */
export const growBranches = (after: Followers, forkOf: ReadonlyMap<PlacedTurn, ForkPoint>): Branch[] => {
  const begin = (first: PlacedTurn, parent: Growing | null): Growing => {
    const way: PlacedTurn[] = [];
    const aside: PlacedTurn[] = [];
    for (let turn: PlacedTurn | undefined = first; turn !== undefined; ) {
      way.push(turn);
      const followers: readonly PlacedTurn[] = after.get(turn.turn.id) ?? [];
      const next = goingOn(turn, followers, forkOf);
      for (const each of followers) if (each !== next) aside.push(each);
      turn = next;
    }
    return { branch: newBranch(way, parent?.branch ?? null, forkOf.get(first) ?? null), aside };
  };
  const roots = (after.get(null) ?? []).map((first) => begin(first, null));
  // Not by recursion: branches may be nested deeply.
  const open = [...roots];
  for (const growing of open) {
    const children = growing.aside.sort(byTime).map((first) => begin(first, growing));
    for (const child of children) {
      growing.branch.children.push(child.branch);
      open.push(child);
    }
  }
  return roots.map(({ branch }) => branch);
};

interface Growing {
  readonly branch: Branch & { readonly children: Branch[] };
  /** The prompts that begin other branches from it. */
  readonly aside: PlacedTurn[];
}

/** The prompt that a branch goes on with. One that goes out from the middle leaves the turn, which goes on without it. */
const goingOn = (
  { replies }: PlacedTurn,
  followers: readonly PlacedTurn[],
  forkOf: ReadonlyMap<PlacedTurn, ForkPoint>,
): PlacedTurn | undefined => {
  let next: PlacedTurn | undefined;
  for (const each of followers) {
    if (each.spot.place < replies) continue;
    if (next !== undefined || forkOf.has(each)) return undefined;
    next = each;
  }
  return next;
};

const newBranch = (way: readonly PlacedTurn[], parent: Branch | null, fork: ForkPoint | null): Growing['branch'] => {
  const turns = way.map(({ turn }) => turn);
  const [first, last] = [turns[0], turns.at(-1)] as [Turn, Turn];
  return {
    id: first.id,
    session: first.sessions[0] as SessionId,
    sessions: [...new Set(turns.flatMap(({ sessions }) => sessions))],
    title: first.title,
    from: way[0]?.spot.anchor ?? way[0]?.spot.summary ?? null,
    fork,
    parent: parent?.id ?? null,
    depth: parent === null ? 0 : parent.depth + 1,
    turns,
    children: [],
    startedAt: first.at,
    last: last.last,
  };
};
