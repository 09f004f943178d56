import {
  type Checkpoint,
  isCheckpoint,
  isRollback,
  lineOf,
  type Recorded,
  type RelativePath,
  RetakeError,
  type Rollback,
  type RollbackScope,
  type SessionId,
  shortId,
} from '../../model/index.ts';
import { UndoChain } from '../../timeline/index.ts';
import { type Selection, selectiveReplay } from '../attribution/selective.ts';
import { type ConversationMove, findUnrecorded, moveTo, planMove, reverseMove } from '../conversation/conversation.ts';
import type { Workspace } from '../core/workspace.ts';
import { gitTarget, gitTargetBack } from '../git/git-plan.ts';
import { resolveCheckpoint, resolveOperation, resolveUnrecorded, type UnrecordedPlace } from '../read/resolve.ts';
import type { ReplayChoice } from '../recover/replay-request.ts';
import { workOf } from '../recover/session-work.ts';
import { type HunkChoice, limitRequestToHunks } from './hunks.ts';
import type { RollbackRequest } from './plan.ts';

export const undoChain = (workspace: Workspace): UndoChain =>
  new UndoChain(workspace.isProtected ? workspace.index.rollbacks().map(({ operation }) => operation as Recorded<Rollback>) : []);

export interface RewindOptions extends Selection {
  readonly scope?: RollbackScope | undefined;
  /** Of the code, some paths only. */
  readonly only?: readonly RelativePath[] | undefined;
  /** Of other files, some parts only. */
  readonly hunks?: readonly HunkChoice[] | undefined;
  /** Branch, HEAD and index of the user's repository go back too. */
  readonly git?: boolean | undefined;
  /** Files outside the workspace that an edit tool changed go back too. */
  readonly outside?: boolean | undefined;
  /** What to do where that meets what stays. */
  readonly choice?: ReplayChoice | undefined;
}

const NO_CHOICE: ReplayChoice = { choices: [], rest: null };

/**
 * Going back to a checkpoint: the code, wholly or at some paths only, the conversation, or both. Unless told, the conversation goes back with
 * the code where the checkpoint is a place in a session that can be resumed, and what the person changed stays (RST-10).
 */
export const resolveRewind = (workspace: Workspace, address: string, options: RewindOptions = {}): RollbackRequest => {
  const { scope, only, hunks, git = false, outside = false, keepMine, allSessions, by, choice = NO_CHOICE, session, branch } = options;
  assertGoTogether(options, only !== undefined || hunks !== undefined);
  const unrecorded = scope === 'conversation' ? resolveUnrecorded(workspace, address, { session, branch }) : undefined;
  if (unrecorded !== undefined) return resolveUnrecordedRewind(workspace, unrecorded);
  const { operation: target, isFork } = resolveCheckpoint(workspace, address, { session, branch });
  const conversation = moveFor(workspace, target, options);
  const keepsCode = scope === 'conversation';
  const selection = { allSessions, by, session };
  const selected = keepsCode ? undefined : selectiveReplay(workspace, target, { ...selection, keepMine }, choice);
  const isLeftToPlan = keepMine === undefined && by === undefined && !keepsCode && lineOf(target) === null;
  const request: RollbackRequest = {
    verb: 'Rollback',
    target,
    ...(isFork ? { level: 'fork' } : {}),
    ...selected,
    ...(keepMine ? { keepsMine: true } : {}),
    ...(isLeftToPlan ? { keepsMineIfAny: { selection, choice } } : {}),
    only,
    conversation,
    keepsCode,
    git: git ? gitTarget(target) : undefined,
    ...(outside ? { outside } : {}),
  };
  return hunks === undefined ? request : limitRequestToHunks(request, hunks);
};

/** The conversation alone, to a place at which no code is recorded: the code stays as it is. */
export const resolveUnrecordedRewind = (workspace: Workspace, place: UnrecordedPlace): RollbackRequest => ({
  verb: 'Rollback',
  target: recordFor(workspace, place),
  title: place.title,
  isUnrecorded: true,
  conversation: moveTo(findUnrecorded(workspace, place)),
  keepsCode: true,
});

/** What stands in the log for a place that has no record: the first one after it in its conversation, else the newest there is. */
export const recordFor = ({ index }: Workspace, { next, reason }: UnrecordedPlace): Recorded<Checkpoint> => {
  const operation = (next === null ? undefined : index.get(next)?.operation) ?? index.newestCheckpoints(1)[0]?.operation;
  if (operation !== undefined && isCheckpoint(operation)) return operation;
  throw new RetakeError('no-code', `${reason}; and nothing else is recorded here yet`, {
    hint: 'retake checkpoint records the workspace as it is now; then the conversation can go back.',
  });
};

/** What becomes of the conversation; undefined where it stays. */
const moveFor = (workspace: Workspace, target: Recorded<Checkpoint>, options: RewindOptions): ConversationMove | undefined => {
  const { scope, only, hunks, by } = options;
  if (scope !== undefined) return scope === 'code' ? undefined : planMove(workspace, target);
  const isPart = only !== undefined || hunks !== undefined || by !== undefined;
  if (isPart || target.event === undefined) return undefined;
  try {
    const move = planMove(workspace, target);
    return move.messages === 0 ? undefined : move;
  } catch (error) {
    if (error instanceof RetakeError) return undefined;
    throw error;
  }
};

/** Refuses what can not be asked for at once. `isPartial`: paths or hunks are chosen, or will be. */
export const assertGoTogether = ({ scope, git, outside, keepMine, by }: RewindOptions, isPartial: boolean): void => {
  if (outside && (isPartial || by !== undefined || scope === 'conversation'))
    throw new RetakeError('usage', 'Files outside the workspace go back with all of the code', {
      hint: 'They go with none of paths, hunks, --by and the scope conversation.',
    });
  if (isPartial && scope !== undefined && scope !== 'code')
    throw new RetakeError('usage', 'A conversation goes back as a whole', { hint: 'Paths and hunks go with the scope code only.' });
  if (git && (isPartial || scope === 'conversation'))
    throw new RetakeError('usage', 'The git state goes back with all of the code', {
      hint: 'It goes with none of paths, hunks and the scope conversation.',
    });
  if ((keepMine || by !== undefined) && scope === 'conversation')
    throw new RetakeError('usage', 'Only code has more than one hand in it', { hint: 'Choose another scope than conversation.' });
  if (keepMine && by !== undefined)
    throw new RetakeError('usage', 'What one did goes back without that of all others anyway', {
      hint: 'Choose either whose changes go back, or that yours stay.',
    });
};

/** Going back to where a session began. */
export const resolveSessionStart = (workspace: Workspace, session: SessionId, options: RewindOptions = {}): RollbackRequest => ({
  ...resolveRewind(workspace, workOf(workspace, session, { isBrief: true }).start.id, { ...options, session }),
  level: 'session',
});

/** Taking back the newest rollback in force, or the one named. */
export const resolveUndo = (workspace: Workspace, address?: string): RollbackRequest => {
  const chain = undoChain(workspace);
  const rollback = address === undefined ? chain.undoable : namedRollback(workspace, address);
  if (rollback === undefined) throw nothing('There is no rollback to undo', 'retake rollbacks lists them all; retake rewind ID makes one.');
  const undone = chain.undoneBy(rollback.id);
  if (undone !== undefined)
    throw nothing(
      `${shortId(rollback.id)} is undone already, by ${shortId(undone.id)}`,
      `To bring it back: retake undo ${shortId(undone.id)}`,
    );
  if (rollback.outcome === 'taken-back')
    throw nothing(`${shortId(rollback.id)} failed and was taken back at once`, 'There is nothing of it to undo.');
  return requestAtSafety(workspace, rollback, chain.isUndo(rollback) ? 'Redo' : 'Undo');
};

export const resolveRedo = (workspace: Workspace): RollbackRequest => {
  const undo = undoChain(workspace).redoable;
  if (undo === undefined)
    throw nothing('There is no undo to take back', 'retake rollbacks lists them all; retake undo ID takes back a certain one.');
  return requestAtSafety(workspace, undo, 'Redo');
};

const requestAtSafety = (workspace: Workspace, rollback: Recorded<Rollback>, verb: RollbackRequest['verb']): RollbackRequest => ({
  verb,
  target: workspace.store.log.read(rollback.safety) as Recorded<Checkpoint>,
  undoes: rollback,
  conversation: rollback.conversation && reverseMove(rollback.conversation),
  keepsCode: rollback.scope === 'conversation',
  git: gitTargetBack(rollback),
});

const namedRollback = (workspace: Workspace, address: string): Recorded<Rollback> => {
  const { operation } = resolveOperation(workspace, address);
  if (isRollback(operation) && lineOf(operation) === null) return operation;
  if (isRollback(operation))
    throw nothing(`${shortId(operation.id)} was imported: it was done elsewhere`, 'retake rollbacks lists what can be undone.');
  throw nothing(`${shortId(operation.id)} is a ${operation.kind}, not a rollback`, 'retake rollbacks lists what can be undone.');
};

const nothing = (message: string, hint: string): RetakeError => new RetakeError('nothing-to-undo', message, { hint });
