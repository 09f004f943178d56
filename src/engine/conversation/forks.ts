import { now } from '../../host/index.ts';
import { type FoundFork, LOCAL_SESSION, type MessageId, type OperationId, type Recorded, type SessionId } from '../../model/index.ts';
import type { Branch, ForkPoint } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { measured } from '../timing/measured.ts';
import { type BranchView, branchOf, type Conversations, readConversations, viewBranch } from './branches.ts';
import { agentSession } from './session-named.ts';

/** A place where a conversation was continued in several ways, and the state of the code there (FRK-2). */
export interface ForkView {
  /** The operation that recorded it; null where nothing is protected. */
  readonly id: OperationId | null;
  readonly at: MessageId | null;
  readonly children: readonly MessageId[];
  readonly sessions: readonly SessionId[];
  readonly checkpoint: OperationId | null;
  /** Why there is no checkpoint. */
  readonly reason: string | null;
}

export interface Forks {
  /** The conversations, newest first. */
  readonly tree: readonly BranchView[];
  /** Newest first. Those whose conversations are gone are still listed. */
  readonly forks: readonly ForkView[];
  /** From the beginning of the conversation to the branch that is gone on with. */
  readonly breadcrumbs: readonly { readonly id: MessageId; readonly title: string }[];
}

/** The forks of all conversations; those not recorded yet are (FRK-1 to FRK-4). */
export const readForks = (workspace: Workspace): Promise<Forks> =>
  measured(workspace, 'forks', async () => {
    const conversations = readConversations(workspace);
    if (workspace.isProtected) await recordMissing(workspace, conversations);
    return view(workspace, conversations, conversations.current);
  });

/** What forks are looked at by. */
export interface ForksQuery {
  /** The way to it is told in place of the way to the session's own. */
  readonly branch?: string | undefined;
  /** Other conversations too. */
  readonly all?: boolean | undefined;
}

/** The conversation that a session belongs to. Nothing is recorded: forks that nobody has recorded yet have no id. */
export const viewForks = (workspace: Workspace, address: string, { branch, all = false }: ForksQuery = {}): Forks =>
  measured(workspace, 'forks', () => {
    const session = agentSession(workspace, address);
    const conversations = readConversations(workspace);
    const { tree } = conversations;
    const own = branchOf(conversations, session, branch);
    const isKin = (one: Branch): boolean => all || (own !== undefined && tree.commonAncestor(own, one) !== null);
    const { forks, ...rest } = view(workspace, conversations, own, isKin);
    const isOwn = ({ children, sessions }: ForkView): boolean =>
      all || sessions.includes(session) || children.flatMap((child) => tree.branch(child) ?? []).some(isKin);
    return { ...rest, forks: forks.filter(isOwn) };
  });

const view = (
  workspace: Workspace,
  conversations: Conversations,
  at: Branch | undefined,
  isMeant: (root: Branch) => boolean = () => true,
): Forks => ({
  tree: newestFirst(conversations.tree.roots.filter(isMeant).map((root) => viewBranch(workspace, conversations, root))),
  forks: workspace.isProtected ? knownForks(workspace, conversations) : conversations.tree.forks.map(unprotected),
  breadcrumbs: at === undefined ? [] : conversations.tree.path(at).map(({ id, title }) => ({ id, title })),
});

/** Records forks that nobody has recorded. */
export const recordForks = async (workspace: Workspace): Promise<void> => {
  if (workspace.isProtected) await recordMissing(workspace, readConversations(workspace));
};

const newestFirst = (roots: readonly BranchView[]): BranchView[] => {
  const times = new Map(roots.map((root) => [root, newestIn(root)]));
  return roots.toSorted((a, b) => ((times.get(a) ?? '') < (times.get(b) ?? '') ? 1 : -1));
};

const newestIn = ({ lastAt, children }: BranchView): string => [lastAt ?? '', ...children.map(newestIn)].toSorted().at(-1) ?? '';

const unprotected = ({ at, children, sessions }: ForkPoint): ForkView => ({
  id: null,
  at,
  children,
  sessions,
  checkpoint: null,
  reason: 'nothing is recorded in this workspace',
});

/** Another process may be at it too: whoever has the lock looks again (FRK-3). */
const recordMissing = async (workspace: Workspace, conversations: Conversations): Promise<void> => {
  const { forks } = conversations.tree;
  if (readKnown(workspace).missing(forks).length === 0) return;
  await workspace.write(() => {
    const known = readKnown(workspace);
    for (const fork of known.missing(forks)) record(workspace, conversations, fork, known);
  });
};

const readKnown = ({ index }: Workspace): KnownForks => new KnownForks(index.foundForks());

/** Those that are recorded, and before them those that are yet to be. */
export const knownForks = (workspace: Workspace, conversations: Conversations): ForkView[] => {
  const known = readKnown(workspace);
  const missing = known.missing(conversations.tree.forks);
  const grown = new Set(missing.map((fork) => known.grown(fork)));
  return [
    ...missing.toReversed().map((fork): ForkView => {
      const { at, children, sessions } = fork;
      return { id: null, at, children, sessions, reason: null, ...bindFork(workspace, conversations, fork, known) };
    }),
    ...known.newest
      .filter((fork) => !grown.has(fork))
      .map(({ id, at, children, sessions, checkpoint, reason = null }) => ({ id, at, children, sessions, checkpoint, reason })),
  ];
};

const record = (workspace: Workspace, conversations: Conversations, fork: ForkPoint, known: KnownForks): void => {
  const { at, children, sessions } = fork;
  const newest = children.at(-1);
  const branch = newest === undefined ? undefined : conversations.tree.branch(newest);
  workspace.record((store) =>
    store.log.append<FoundFork>(
      store.objects.begin(),
      {
        kind: 'fork-point',
        session: branch?.session ?? LOCAL_SESSION,
        createdAt: now().toISOString(),
        description: `Fork: ${branch?.title ?? ''}`,
        at,
        children,
        sessions,
        ...bindFork(workspace, conversations, fork, known),
      },
      null,
    ),
  );
};

/**
 * The turn that was rewound began with a checkpoint: that is the code at the fork. Where it was not recorded, how the turn before it
 * ended is the same, if it went out from its end.
 */
export const bindFork = (
  workspace: Workspace,
  { tree, recorded }: Conversations,
  fork: ForkPoint,
  known = readKnown(workspace),
): Pick<FoundFork, 'checkpoint' | 'reason'> => {
  const isThere = (id: OperationId | null | undefined): id is OperationId => id != null && workspace.index.get(id) !== undefined;
  const earlier = known.grown(fork)?.checkpoint;
  if (isThere(earlier)) return { checkpoint: earlier };
  const [first] = fork.children;
  const rewound = first === undefined ? undefined : tree.branch(first);
  const begin = rewound && recorded?.begin(rewound);
  if (isThere(begin)) return { checkpoint: begin };
  const before = rewound?.parent == null ? undefined : tree.branch(rewound.parent)?.turns.at(-1);
  const ended = before?.last.message === fork.at ? before && recorded?.of(before)?.last : undefined;
  if (isThere(ended)) return { checkpoint: ended };
  return { checkpoint: null, reason: 'Retake did not record the turn that was rewound' };
};

/** Recorded forks. One that got another way is recorded again, and stands for the earlier records. */
class KnownForks {
  readonly newest: readonly Recorded<FoundFork>[];
  readonly #byChild = new Map<MessageId, Recorded<FoundFork>[]>();

  constructor(newestFirst: readonly Recorded<FoundFork>[]) {
    for (const fork of newestFirst) {
      for (const child of fork.children) {
        const others = this.#byChild.get(child);
        if (others === undefined) this.#byChild.set(child, [fork]);
        else others.push(fork);
      }
    }
    this.newest = newestFirst.filter((fork) => this.#at(fork)[0] === fork);
  }

  /** Those that nobody has recorded. */
  missing(forks: readonly ForkPoint[]): ForkPoint[] {
    return forks.filter((fork) => !this.#has(fork));
  }

  #has(fork: ForkPoint): boolean {
    return this.#at(fork).some(({ children }) => fork.children.every((child) => children.includes(child)));
  }

  /** The newest record of this fork from when it had fewer ways. */
  grown(fork: ForkPoint): Recorded<FoundFork> | undefined {
    return fork.children.flatMap((child) => this.#at({ ...fork, children: [child] }))[0];
  }

  /** Newest first. */
  #at({ at, children: [first] }: Pick<ForkPoint, 'at' | 'children'>): Recorded<FoundFork>[] {
    return (first === undefined ? undefined : this.#byChild.get(first))?.filter((fork) => fork.at === at) ?? [];
  }
}
