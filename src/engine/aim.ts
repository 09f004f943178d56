import {
  type Checkpoint,
  isRollback,
  lineOf,
  type Recorded,
  type RelativePath,
  RetakeError,
  type Rollback,
  type RollbackScope,
  type SessionId,
  shortId,
} from '../model/index.ts';
import { UndoChain } from '../timeline/index.ts';
import { type Selection, selectiveReplay } from './attribution/selective.ts';
import { planMove, reverseMove } from './conversation/conversation.ts';
import { aimGit, aimGitBack } from './git/git-plan.ts';
import { aimAtHunks, type HunkChoice } from './hunks.ts';
import type { Aim } from './plan.ts';
import type { ReplayChoice } from './recover/replay-aim.ts';
import { workOf } from './recover/session-work.ts';
import { resolveCheckpoint, resolveOperation } from './resolve.ts';
import type { Workspace } from './workspace.ts';

export const undoChain = (workspace: Workspace): UndoChain =>
  new UndoChain(workspace.isProtected ? workspace.index.rollbacks().map(({ operation }) => operation as Recorded<Rollback>) : []);

export interface RewindRequest extends Selection {
  readonly scope?: RollbackScope;
  /** Of the code, some paths only. */
  readonly only?: readonly RelativePath[] | undefined;
  /** Of other files, some parts only. */
  readonly hunks?: readonly HunkChoice[] | undefined;
  /** Branch, HEAD and index of the user's repository go back too. */
  readonly git?: boolean | undefined;
  /** What to do where that meets what stays. */
  readonly choice?: ReplayChoice | undefined;
}

const NO_CHOICE: ReplayChoice = { choices: [], rest: null };

/** Going back to a checkpoint: the code, wholly or at some paths only, the conversation, or both. */
export const aimRewind = (workspace: Workspace, address: string, request: RewindRequest = {}): Aim => {
  const { scope = 'code', only, hunks, git = false, keepMine, allSessions, by, choice = NO_CHOICE, session, branch } = request;
  assertGoTogether(request, only !== undefined || hunks !== undefined);
  const target = resolveCheckpoint(workspace, address, { session, branch }).operation;
  const conversation = scope === 'code' ? undefined : planMove(workspace, target);
  const keepsCode = scope === 'conversation';
  const selected = keepsCode ? undefined : selectiveReplay(workspace, target, { keepMine, allSessions, by, session }, choice);
  const aim: Aim = {
    verb: 'Rollback',
    target,
    ...selected,
    ...(keepMine ? { keepsMine: true } : {}),
    only,
    conversation,
    keepsCode,
    git: git ? aimGit(target) : undefined,
  };
  return hunks === undefined ? aim : aimAtHunks(aim, hunks);
};

/** Refuses what can not be asked for at once. `isPartial`: paths or hunks are chosen, or will be. */
export const assertGoTogether = ({ scope = 'code', git, keepMine, by }: RewindRequest, isPartial: boolean): void => {
  if (isPartial && scope !== 'code')
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
export const aimSessionStart = (workspace: Workspace, session: SessionId, request: RewindRequest = {}): Aim =>
  aimRewind(workspace, workOf(workspace, session, { isBrief: true }).start.id, { ...request, session });

/** Taking back the newest rollback in force, or the one named. */
export const aimUndo = (workspace: Workspace, address?: string): Aim => {
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
  return aimAtSafety(workspace, rollback, chain.isUndo(rollback) ? 'Redo' : 'Undo');
};

export const aimRedo = (workspace: Workspace): Aim => {
  const undo = undoChain(workspace).redoable;
  if (undo === undefined)
    throw nothing('There is no undo to take back', 'retake rollbacks lists them all; retake undo ID takes back a certain one.');
  return aimAtSafety(workspace, undo, 'Redo');
};

const aimAtSafety = (workspace: Workspace, rollback: Recorded<Rollback>, verb: Aim['verb']): Aim => ({
  verb,
  target: workspace.store.log.read(rollback.safety) as Recorded<Checkpoint>,
  undoes: rollback,
  conversation: rollback.conversation && reverseMove(rollback.conversation),
  keepsCode: rollback.scope === 'conversation',
  git: aimGitBack(rollback),
});

const namedRollback = (workspace: Workspace, address: string): Recorded<Rollback> => {
  const { operation } = resolveOperation(workspace, address);
  if (isRollback(operation) && lineOf(operation) === null) return operation;
  if (isRollback(operation))
    throw nothing(`${shortId(operation.id)} was imported: it was done elsewhere`, 'retake rollbacks lists what can be undone.');
  throw nothing(`${shortId(operation.id)} is a ${operation.kind}, not a rollback`, 'retake rollbacks lists what can be undone.');
};

const nothing = (message: string, hint: string): RetakeError => new RetakeError('nothing-to-undo', message, { hint });
