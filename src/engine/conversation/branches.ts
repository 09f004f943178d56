import type { ChangeCounts } from '../../index/index.ts';
import { didYouMean, type MessageId, nearest, type OperationId, RetakeError, type SessionId, suggesting } from '../../model/index.ts';
import { type Branch, ConversationTree, type Outline, type Turn } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { countBetween } from '../read/counts-between.ts';
import { readOutlines } from './outlines.ts';
import { RecordedTurns } from './recorded-turns.ts';
import { NO_AGENT_YET } from './session-named.ts';
import { currentSession } from './turns.ts';

/** All conversations of a workspace, and what was recorded of them. */
export interface Conversations {
  readonly outlines: readonly Outline[];
  readonly tree: ConversationTree;
  readonly branches: readonly Branch[];
  readonly recorded: RecordedTurns | undefined;
  readonly current: Branch | undefined;
}

export const readConversations = (workspace: Workspace): Conversations => {
  const grownNow = grow(workspace, readOutlines(workspace));
  const { outlines, tree, branches } = grownNow;
  if (!workspace.isProtected) return { outlines, tree, branches, recorded: undefined, current: undefined };
  const session = currentSession(workspace);
  return {
    outlines,
    tree,
    branches,
    recorded: readRecorded(workspace, grownNow),
    current: session === undefined ? undefined : tree.current(session),
  };
};

type Grown = Pick<Conversations, 'outlines' | 'tree' | 'branches'>;

const grown = new WeakMap<Workspace, Grown>();

/** A request asks for the tree several times, and the next one mostly finds the same: it is grown anew when one of the conversations changed. */
const grow = (workspace: Workspace, outlines: readonly Outline[]): Grown => {
  const known = grown.get(workspace);
  if (known?.outlines.length === outlines.length && known.outlines.every((outline, at) => outline === outlines[at])) return known;
  const tree = ConversationTree.grow(outlines, known?.tree);
  const made = { outlines, tree, branches: tree.roots.flatMap((root) => [root, ...tree.descendants(root)]) };
  grown.set(workspace, made);
  return made;
};

const tied = new WeakMap<Grown, { readonly last: OperationId | undefined; readonly recorded: RecordedTurns }>();

/** The same for what was recorded of a tree, as long as the log is the same. */
const readRecorded = (workspace: Workspace, conversations: Grown): RecordedTurns => {
  const last = workspace.index.progress?.last;
  const known = tied.get(conversations);
  if (known !== undefined && known.last === last) return known.recorded;
  const recorded = new RecordedTurns(workspace, conversations.tree, conversations.branches);
  tied.set(conversations, { last, recorded });
  return recorded;
};

/** A branch of a conversation with its code (FRK-4). */
export interface BranchDescription {
  /** The message id of its first prompt. */
  readonly id: MessageId;
  readonly session: SessionId;
  readonly sessions: readonly SessionId[];
  readonly title: string;
  /** The message that it goes out from; null at the beginning. */
  readonly from: MessageId | null;
  readonly depth: number;
  /** False at the beginning of a conversation, and where it leaves a turn that goes on without it. */
  readonly isForked: boolean;
  readonly isCurrent: boolean;
  readonly turns: number;
  readonly checkpoints: number;
  /** Those that were recorded, as everywhere: ends of calls that can have changed something. */
  readonly steps: number;
  /** All that the conversation tells of, recorded or not, also those that only read. */
  readonly toolCalls: number;
  /** The code when its first prompt was sent, and as it was last; null where that was not recorded. */
  readonly begin: OperationId | null;
  readonly tip: OperationId | null;
  /** From `begin` to `tip`; null where one of them is not known. */
  readonly counts: ChangeCounts | null;
  readonly startedAt: string | null;
  readonly lastAt: string | null;
}

export interface BranchView extends BranchDescription {
  readonly children: readonly BranchView[];
}

/** A branch with those that go out from it. */
export const viewBranch = (workspace: Workspace, conversations: Conversations, branch: Branch): BranchView => ({
  ...describeBranch(workspace, conversations, branch),
  children: branch.children.map((child) => viewBranch(workspace, conversations, child)),
});

export const describeBranch = (workspace: Workspace, { recorded, current }: Conversations, branch: Branch): BranchDescription => {
  const turns = branch.turns.flatMap((turn) => recorded?.of(turn) ?? []);
  const begin = recorded?.begin(branch) ?? null;
  const tip = recorded?.tip(branch) ?? null;
  return {
    id: branch.id,
    session: branch.session,
    sessions: branch.sessions,
    title: branch.title,
    from: branch.from,
    depth: branch.depth,
    isForked: branch.fork !== null,
    isCurrent: branch === current,
    turns: branch.turns.length,
    checkpoints: turns.reduce((sum, { checkpoints }) => sum + checkpoints, 0),
    ...countSteps(recorded, branch.turns),
    begin,
    tip,
    counts: begin === null || tip === null ? null : countBetween(workspace, begin, tip),
    startedAt: branch.startedAt,
    lastAt: branch.last.at,
  };
};

/** What was recorded of some turns, and what their conversation tells. */
export const countSteps = (recorded: RecordedTurns | undefined, turns: readonly Turn[]): { steps: number; toolCalls: number } => ({
  steps: turns.reduce((sum, turn) => sum + (recorded?.of(turn)?.steps ?? 0), 0),
  toolCalls: turns.reduce((sum, { tools }) => sum + tools, 0),
});

const SHORTEST_PREFIX = 4;

/** Finds a branch by its id or a unique prefix, by a session that is on it, or `@` for the current one. */
export const resolveBranch = ({ outlines, tree, branches, current }: Conversations, address: string): Branch => {
  if (address === '@') {
    if (current !== undefined) return current;
    throw new RetakeError('unknown-id', 'No agent is at work here, so that no branch is the current one', {
      hint: branches.length === 0 ? NO_AGENT_YET : LIST,
    });
  }
  const exact = tree.branch(address as MessageId) ?? tree.current(address as SessionId);
  if (exact !== undefined) return exact;
  const fits = (id: string): boolean => address.length >= SHORTEST_PREFIX && id.startsWith(address);
  const found = new Set(branches.filter(({ id }) => fits(id)));
  for (const { session } of outlines) {
    const on = fits(session) ? tree.current(session) : undefined;
    if (on !== undefined) found.add(on);
  }
  const [branch] = found;
  if (branch === undefined) {
    const near = nearest(address, [...branches.map(({ id }) => id), ...outlines.map(({ session }) => session)]);
    throw new RetakeError('unknown-id', `There is no branch ${JSON.stringify(address)}${didYouMean(near)}`, {
      hint: branches.length === 0 ? NO_AGENT_YET : LIST,
      ...suggesting(near),
    });
  }
  if (found.size > 1) {
    const told = [...found].map(({ id, title }) => `${id} (${title})`).join(', ');
    throw new RetakeError('ambiguous-id', `${JSON.stringify(address)} fits several branches: ${told}`, {
      hint: 'Give more of the id; retake forks lists the branches.',
      details: { candidates: [...found].map(({ id }) => id) },
    });
  }
  return branch;
};

const LIST = 'retake forks lists the branches.';

/** The branch of a session's conversation that is named, or that it is on; undefined where its conversation is gone. */
export const branchOf = (conversations: Conversations, session: SessionId, address?: string): Branch | undefined => {
  const { tree } = conversations;
  const own = tree.current(session);
  if (address === undefined) return own;
  const branch = resolveBranch(conversations, address);
  if (own !== undefined && tree.commonAncestor(own, branch) !== null) return branch;
  throw new RetakeError('unknown-id', `The conversation of session ${session} has no branch ${JSON.stringify(address)}`, { hint: LIST });
};

/** A turn with the branch that it is on. */
export interface TurnOnBranch {
  readonly turn: Turn;
  readonly branch: Branch;
}

/** The turns that lead to the end of a branch, oldest first. */
export const wayTo = ({ tree }: Conversations, branch: Branch): TurnOnBranch[] => {
  const path = tree.path(branch);
  return path.flatMap((part, at) => {
    const next = path[at + 1];
    // One that leaves in the middle has nothing of what came after.
    const left = next === undefined ? -1 : part.turns.findIndex(({ id }) => id === tree.turnBefore(next));
    return (left < 0 ? part.turns : part.turns.slice(0, left + 1)).map((turn) => ({ turn, branch: part }));
  });
};

/** The same by their prompts. */
export const turnsTo = (conversations: Conversations, branch: Branch): ReadonlySet<MessageId> =>
  new Set(wayTo(conversations, branch).map(({ turn }) => turn.id));
