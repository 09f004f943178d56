import { type ConflictReason, type Divergence, diffFiles, diffStates, divergence, type FileDiff, mergeStates } from '../../diff/index.ts';
import {
  type Checkpoint,
  type MessageId,
  type OperationId,
  type Recorded,
  type RelativePath,
  RetakeError,
  type WorkspaceState,
} from '../../model/index.ts';
import type { Branch } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { measured } from '../timing/measured.ts';
import {
  type BranchDescription,
  type Conversations,
  countSteps,
  describeBranch,
  readConversations,
  resolveBranch,
  turnsTo,
  wayTo,
} from './branches.ts';
import { bindFork } from './forks.ts';

/** One side of a comparison: what happened on the way from the common ancestor to the end of the branch. */
export interface ComparedBranch {
  readonly branch: BranchDescription;
  readonly turns: number;
  readonly steps: number;
  readonly toolCalls: number;
  readonly files: readonly FileDiff[];
}

export interface Comparison {
  /** The last message that both have, null for the beginning; and the state of the code there. */
  readonly ancestor: { readonly at: MessageId | null; readonly checkpoint: OperationId };
  readonly a: ComparedBranch;
  readonly b: ComparedBranch;
  /** Files that both changed; with a reason, they can not be merged without a choice. */
  readonly both: readonly { readonly path: RelativePath; readonly conflict: ConflictReason | null }[];
  readonly divergence: Divergence;
}

/** What two branches made of the state in which their ways parted (FRK-5). */
export const compareBranches = (workspace: Workspace, addressA: string, addressB: string): Comparison =>
  measured(workspace, 'compare', () => compare(workspace, addressA, addressB));

const compare = (workspace: Workspace, addressA: string, addressB: string): Comparison => {
  const conversations = readConversations(workspace);
  const parting = partingOf(workspace, conversations, resolveBranch(conversations, addressA), resolveBranch(conversations, addressB));
  const { objects } = workspace.store;
  const { base, a, b } = parting.states;
  const side = (branch: Branch, state: WorkspaceState): ComparedBranch => {
    return {
      branch: describeBranch(workspace, conversations, branch),
      ...countSince(conversations, branch, branch === parting.a ? parting.b : parting.a),
      files: diffFiles(objects, diffStates(objects, base, state)),
    };
  };
  const [ofA, ofB] = [side(parting.a, a), side(parting.b, b)];
  const changedByB = new Set(ofB.files.map(({ path }) => path));
  const both = new Map<RelativePath, ConflictReason | null>();
  for (const { path } of ofA.files) if (changedByB.has(path)) both.set(path, null);
  for (const { path, reason, renamed } of mergeStates(objects, { base, ours: a, theirs: b }).conflicts) {
    both.set(path, reason);
    if (renamed !== null) both.delete(renamed.from);
  }
  return {
    ancestor: { at: parting.at, checkpoint: parting.checkpoint.id },
    a: ofA,
    b: ofB,
    both: [...both].map(([path, conflict]) => ({ path, conflict })).toSorted((x, y) => (x.path < y.path ? -1 : 1)),
    divergence: divergence(objects, base, a, b),
  };
};

/** Two branches, where they part, and their code there and at their ends. */
export interface PartedBranches {
  readonly a: Branch;
  readonly b: Branch;
  readonly at: MessageId | null;
  readonly checkpoint: Recorded<Checkpoint>;
  readonly states: Readonly<Record<'base' | 'a' | 'b', WorkspaceState>>;
}

export const partingOf = (workspace: Workspace, conversations: Conversations, a: Branch, b: Branch): PartedBranches => {
  const { tree, recorded } = conversations;
  if (a === b) throw new RetakeError('same-branch', 'These are one and the same branch', { hint: LIST });
  const parting = tree.commonAncestor(a, b);
  if (parting === null)
    throw new RetakeError('no-common-ancestor', `${quoted(a)} and ${quoted(b)} are of different conversations`, { hint: LIST });
  const read = (id: OperationId | null | undefined, what: string): Recorded & { readonly state: WorkspaceState } => {
    const operation = id == null ? undefined : workspace.index.get(id)?.operation;
    if (operation?.state != null) return { ...operation, state: operation.state };
    throw new RetakeError('no-code', `Retake has no record of the code ${what}`, { hint: 'Only what was recorded can be compared.' });
  };
  if (recorded === undefined) read(null, 'of any branch here');
  const common = new Set(parting.branch === null ? [] : tree.path(parting.branch));
  const ways = [a, b].flatMap((branch) => tree.path(branch).find((one) => !common.has(one)) ?? []);
  // Where one of them leaves the other in the middle of a turn, its first prompt has the state in which they part.
  const where =
    parting.fork === null
      ? ways.map((way) => recorded?.begin(way)).find((id) => id != null)
      : bindFork(workspace, conversations, parting.fork).checkpoint;
  const base = read(where, 'where their ways part');
  const endOf = (branch: Branch): WorkspaceState => {
    const tip = read(recorded?.tip(branch), `at the end of ${quoted(branch)}`);
    // One that the other goes out from at its end has made nothing since, whatever a person changed before the other began.
    const isAncestor = branch === parting.branch && parting.at === branch.last.message && tip.sequence < base.sequence;
    return isAncestor ? base.state : tip.state;
  };
  return {
    a,
    b,
    at: parting.at,
    checkpoint: base as Recorded<Checkpoint>,
    states: { base: base.state, a: endOf(a), b: endOf(b) },
  };
};

/** What a branch did since its way parted from another's, on branches in between too. */
const countSince = (conversations: Conversations, branch: Branch, other: Branch): Pick<ComparedBranch, 'turns' | 'steps' | 'toolCalls'> => {
  const shared = turnsTo(conversations, other);
  const turns = wayTo(conversations, branch).flatMap(({ turn }) => (shared.has(turn.id) ? [] : [turn]));
  return { turns: turns.length, ...countSteps(conversations.recorded, turns) };
};

const quoted = ({ title, id }: Branch): string => JSON.stringify(title === '' ? id : title);

const LIST = 'retake forks lists the branches.';
