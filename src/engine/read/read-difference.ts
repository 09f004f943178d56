import { diffStates, leafChanges } from '../../diff/index.ts';
import type { Entry } from '../../index/index.ts';
import {
  isCheckpoint,
  isRollback,
  type OperationId,
  RetakeError,
  type SessionId,
  shortId,
  type WorkspaceState,
} from '../../model/index.ts';
import { readConversations, resolveBranch } from '../conversation/branches.ts';
import { bindFork } from '../conversation/forks.ts';
import { checkpointIn, recordedSession } from '../conversation/session-checkpoint.ts';
import type { Workspace } from '../core/workspace.ts';
import { type CommitDifference, type CommitSide, compareCommits, differenceOfCommit } from '../git/commit-difference.ts';
import { commitSideAt, resolveSubject } from '../git/find-subject.ts';
import { startOf } from '../recover/session-work.ts';
import { measured } from '../timing/measured.ts';
import { CountsBetween } from './counts-between.ts';
import { type ComparedState, Difference, type DifferenceParts } from './difference.ts';
import { changesOf, recordBefore } from './record-changes.ts';
import { resolveOperation } from './resolve.ts';
import { presentState, type StateOptions } from './states.ts';

/** What is to be compared; sessions and records by what people call them. */
export type DifferenceSubject =
  /** A checkpoint of a session with another one, or with the present. */
  | {
      readonly of: 'checkpoint';
      readonly session: string;
      readonly branch?: string | undefined;
      readonly checkpoint: string;
      readonly other?: string | undefined;
    }
  /** Where a session began with the present. */
  | { readonly of: 'session'; readonly session: string }
  /** A record, or the present, with another record, whatever their sessions. */
  | { readonly of: 'records'; readonly from?: string | undefined; readonly to: string }
  /** A record with the one before it: what a step changed; or a commit of the user's git with its first parent. */
  | { readonly of: 'step'; readonly step: string }
  /** Two of them, records or commits, whichever; `@` is the present. */
  | { readonly of: 'commits'; readonly from: string; readonly to: string }
  /** The code at the fork that a branch begins at with the newest of that branch; the one that the session is on unless told. */
  | { readonly of: 'branch'; readonly session: string; readonly branch?: string | undefined };

interface DifferenceOptions extends Pick<StateOptions, 'present'> {
  /** Aborted when nobody wants it any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Compares, and hands the difference to whoever wants to read some of it. */
export const readDifference = <T>(
  workspace: Workspace,
  subject: DifferenceSubject,
  options: DifferenceOptions,
  read: (difference: Difference) => T | Promise<T>,
): Promise<T> => measured(workspace, 'diff', async () => read(await compare(workspace, subject, options)));

const compare = async (workspace: Workspace, subject: DifferenceSubject, { present, signal }: DifferenceOptions): Promise<Difference> => {
  const parts = await partsOf(workspace, subject, present ?? (() => presentState(workspace)));
  return new Difference(workspace.store.objects, { ...parts, signal });
};

const partsOf = async (
  workspace: Workspace,
  subject: DifferenceSubject,
  present: () => Promise<WorkspaceState>,
): Promise<DifferenceParts> => {
  const now = async (): Promise<ComparedState> => ({ id: null, state: await present() });
  switch (subject.of) {
    case 'checkpoint': {
      const session = recordedSession(workspace, subject.session);
      const at = (address: string): ComparedState =>
        recorded(workspace, checkpointIn(workspace, session, address, subject.branch).id, 'at that checkpoint');
      return between(workspace, at(subject.checkpoint), subject.other === undefined ? await now() : at(subject.other));
    }
    case 'session':
      return between(workspace, beginOf(workspace, recordedSession(workspace, subject.session)), await now());
    case 'records': {
      const at = (address: string): ComparedState =>
        recorded(workspace, resolveOperation(workspace, address).operation.id, `at ${address}`);
      return between(workspace, subject.from === undefined ? await now() : at(subject.from), at(subject.to));
    }
    case 'step': {
      const step = await resolveSubject(workspace, subject.step);
      return 'commit' in step ? withChanges(workspace, await differenceOfCommit(workspace, step.commit)) : ofStep(workspace, step.entry);
    }
    case 'commits': {
      const at = (address: string) => (address === '@' ? now() : commitSideAt(workspace, address));
      return ofSides(workspace, await at(subject.from), await at(subject.to));
    }
    case 'branch':
      return ofBranch(workspace, recordedSession(workspace, subject.session), subject.branch);
  }
};

const between = (workspace: Workspace, from: ComparedState, to: ComparedState): DifferenceParts => ({
  from,
  to,
  changes: leafChanges(diffStates(workspace.store.objects, from.state, to.state)),
  // What differs from the present is another thing each time: to remember it would be of no use.
  known: from.id === null || to.id === null ? undefined : new CountsBetween(workspace, from.state, to.state),
});

const beginOf = (workspace: Workspace, session: SessionId): ComparedState => {
  const first = workspace.index.firstCheckpointOf(session);
  return recorded(workspace, first && startOf(workspace, first).id, `when session ${session} began`);
};

const ofSides = async (workspace: Workspace, from: CommitSide, to: CommitSide): Promise<DifferenceParts> =>
  'state' in from && 'state' in to ? between(workspace, from, to) : withChanges(workspace, await compareCommits(workspace, from, to));

const withChanges = ({ store }: Workspace, { from, to, leftOut }: CommitDifference): DifferenceParts => {
  const nothing: WorkspaceState = { files: store.objects.begin().tree([]), meta: null };
  return { from, to, leftOut, changes: leafChanges(diffStates(store.objects, from?.state ?? nothing, to.state)) };
};

const ofStep = (workspace: Workspace, { operation }: Entry): DifferenceParts => {
  if ((!isCheckpoint(operation) && !isRollback(operation)) || operation.state === null)
    throw new RetakeError('not-a-checkpoint', `${shortId(operation.id)} is a ${operation.kind}, which changes no files`);
  const before = recordBefore(workspace, operation);
  return {
    from: before?.state == null ? null : { id: before.id, state: before.state },
    to: { id: operation.id, state: operation.state },
    changes: leafChanges(changesOf(workspace, operation) ?? []),
  };
};

const ofBranch = (workspace: Workspace, session: SessionId, address: string | undefined): DifferenceParts => {
  const conversations = readConversations(workspace);
  const { tree, recorded: turns } = conversations;
  const own = resolveBranch(conversations, session);
  const branch = address === undefined ? own : resolveBranch(conversations, address);
  if (tree.commonAncestor(own, branch) === null)
    throw new RetakeError('unknown-id', `Branch ${branch.id} is of another conversation than session ${session}`);
  if (branch.parent === null && branch.fork === null)
    throw new RetakeError('no-code', 'This branch begins at no fork', { hint: 'retake forks lists the forks.' });
  // One that leaves a turn in its middle has the state there at its first prompt.
  const begin = branch.fork === null ? turns?.begin(branch) : bindFork(workspace, conversations, branch.fork).checkpoint;
  return between(
    workspace,
    recorded(workspace, begin, 'at the fork that the branch begins at'),
    recorded(workspace, turns?.tip(branch), 'at the end of the branch'),
  );
};

const recorded = (workspace: Workspace, id: OperationId | null | undefined, when: string): ComparedState => {
  const state = id == null ? undefined : workspace.index.get(id)?.operation.state;
  if (id != null && state != null) return { id, state };
  throw new RetakeError('no-code', `Retake has no record of the code ${when}`, { hint: 'Only what was recorded can be compared.' });
};
