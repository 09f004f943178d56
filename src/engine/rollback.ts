import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { dirtyPaths } from '../capture/index.ts';
import { giveWay } from '../host/index.ts';
import {
  type BlobId,
  type Checkpoint,
  type ConversationChange,
  MERGE_CHOICES,
  type PlanStep,
  pathFields,
  type Recorded,
  RetakeError,
  type Rollback,
  type RollbackKind,
  sameNode,
  shortId,
  toFs,
  toText,
} from '../model/index.ts';
import { checkPermissions, Ground, type Journal, type RollbackIntent, writeJournal } from '../restore/index.ts';
import { carryOut, conclude } from './carry-out.ts';
import { recordCheckpoint } from './checkpoint.ts';
import { type ConversationMove, carryOutMove, resumeOf } from './conversation/conversation.ts';
import { bringBackObjects } from './git/git-move.ts';
import { holdBeforeMoving } from './git/holdings.ts';
import { limitsOf } from './hunks.ts';
import { type Aim, neededBlobs, type PlanOptions, prepareRollback, type RollbackPlan, scopeOf } from './plan.ts';
import { isExpected } from './plan-seal.ts';
import type { Present } from './present.ts';
import { describeConflicts } from './recover/conflicts.ts';
import { replayedIn } from './recover/replay-aim.ts';
import { measured } from './timing/measured.ts';
import type { Workspace } from './workspace.ts';

export interface RollbackOptions extends PlanOptions {
  /** The state that the user was shown a plan for, or the seal of that plan. */
  readonly expectedTree?: string | undefined;
  /** The plan that the user was shown. */
  readonly shown?: RollbackPlan | undefined;
  readonly onApply?: ((done: number, total: number) => void) | undefined;
}

export interface RollbackResult {
  readonly plan: RollbackPlan;
  /** Null when there was nothing to change. */
  readonly rollback: Recorded<Rollback> | null;
  readonly safety: Recorded<Checkpoint> | null;
  /** The command that goes on with the conversation, when that went back. */
  readonly resume: string | null;
}

/** The plan alone; changes nothing. */
export const previewRollback = (workspace: Workspace, aim: Aim, options: PlanOptions = {}): Promise<RollbackPlan> =>
  measured(workspace, 'preview', () => workspace.write(async () => (await prepareRollback(workspace, aim, options)).plan, options));

/**
 * Plans, checks, records the present, and only then writes; everything or nothing (RST-1 to RST-4). Aborted before it writes, it ends as if
 * it had not begun; while it writes, what was done is taken back and recorded so; after the last change it is too late, and it stands.
 */
export const rollBack = (workspace: Workspace, aim: Aim, options: RollbackOptions = {}): Promise<RollbackResult> =>
  measured(workspace, KINDS[aim.verb], () => workspace.write(() => rollBackAlone(workspace, aim, options), options));

const rollBackAlone = async (workspace: Workspace, aim: Aim, options: RollbackOptions): Promise<RollbackResult> => {
  const { timings } = workspace;
  const { plan, present } = await prepareRollback(workspace, aim, options);
  timings.lap('planning');
  timings.amounts(() => ({ changes: plan.steps.length }));
  assertAsShown(plan, options);
  assertClear(plan);
  assertResolved(workspace, plan);
  const { conversation } = aim;
  if (plan.steps.length === 0 && conversation === undefined && plan.git === undefined) {
    present.batch.abandon();
    return { plan, rollback: null, safety: null, resume: null };
  }
  const read = verifyObjects(workspace, plan.steps);
  verifyPresent(workspace, present, plan.steps);
  checkPermissions(new Ground(workspace.root), plan.steps);
  checkSpace(workspace, plan.steps);
  await giveWay(options.signal);
  timings.lap('checking');

  const { target, undoes, verb } = aim;
  const description = describe(aim);
  const safety = recordCheckpoint(workspace, present, {
    kind: 'safety',
    session: target.session,
    description: `Before ${verb.toLowerCase()} ${description}`,
  });
  if (plan.git !== undefined) {
    await holdBeforeMoving(workspace, plan.git);
    await bringBackObjects(workspace, plan.git);
  }
  const intent: RollbackIntent = {
    kind: KINDS[verb],
    session: target.session,
    description: `${verb} ${description}`,
    target: target.id,
    safety: safety.id,
    scope: scopeOf(aim),
    ...(conversation === undefined ? {} : { conversation: changeOf(conversation) }),
    journal: randomBytes(6).toString('hex'),
    ...(plan.git === undefined ? {} : { gitChange: { from: plan.git.from, to: plan.git.to, refs: plan.git.refs } }),
    ...(plan.git === undefined || plan.unkept.length === 0 ? {} : { unkept: plan.unkept }),
    ...(undoes === undefined ? {} : { undoes: undoes.id }),
    ...replayedIn(aim, plan),
    ...limitsOf(aim),
  };
  const journal: Journal = {
    id: intent.journal,
    direction: 'forward',
    intent,
    steps: plan.steps,
  };
  // Before the first change to the workspace: should it fail there is nothing to take back, and it disturbs nobody.
  const unwrite = conversation === undefined ? undefined : carryOutMove(conversation);
  writeJournal(workspace.journalPath, journal, workspace.settings.durability);
  const outcome = await carryOut(workspace, journal, { read, onProgress: options.onApply, signal: options.signal });
  timings.lap('writing');
  const rollback = await conclude(workspace, journal, outcome, {
    since: present,
    dirty: dirtyPaths(plan.steps.map(({ path }) => path)),
  });
  if (rollback.outcome === 'taken-back') unwrite?.();
  if (rollback.outcome !== 'complete') throw failed(rollback, outcome.cause);
  return { plan, rollback, safety, resume: conversation === undefined ? null : resumeOf(conversation) };
};

const KINDS: Readonly<Record<Aim['verb'], RollbackKind>> = {
  Rollback: 'rollback',
  Undo: 'undo',
  Redo: 'undo',
  Switch: 'switch',
  Merge: 'merge',
  Discard: 'discard',
  Revert: 'revert',
  Recover: 'recover',
};

const describe = ({ target, undoes, title, replay, subject }: Aim): string => {
  if (undoes !== undefined) return `of ${shortId(undoes.id)}`;
  return `${replay === undefined ? 'to' : 'of'} ${title ?? target.description} (${shortId(subject ?? target.id)})`;
};

const changeOf = ({ agent, directory, from, to, turnsBefore }: ConversationMove): ConversationChange => ({
  agent,
  directory,
  from,
  to,
  ...(turnsBefore === undefined ? {} : { turnsBefore }),
});

const assertAsShown = (plan: RollbackPlan, { expectedTree, shown }: RollbackOptions): void => {
  const isState = (expected: string | undefined) => expected === undefined || isExpected(plan, expected);
  if (isState(expectedTree) && isState(shown?.expectedTree) && (shown === undefined || isAsShown(shown, plan))) return;
  throw workspaceMoved(expectedTree ?? shown?.expectedTree, plan);
};

export const workspaceMoved = (expectedTree: string | undefined, plan: RollbackPlan): RetakeError => {
  const hasMoved = !expectedTree?.startsWith(plan.expectedTree);
  const what = hasMoved ? 'The workspace changed since the plan was made' : 'What would be done is not what the plan showed';
  return new RetakeError('workspace-moved', `${what}; nothing was changed`, {
    hint: 'Look at the new plan and confirm it.',
    details: { expectedTree, presentTree: plan.expectedTree },
  });
};

const isAsShown = (shown: RollbackPlan, plan: RollbackPlan): boolean =>
  sameSteps(shown.steps, plan.steps) && JSON.stringify(shown.git) === JSON.stringify(plan.git);

const sameSteps = (a: readonly PlanStep[], b: readonly PlanStep[]): boolean =>
  a.length === b.length &&
  a.every((step, index) => {
    const other = b[index];
    return (
      other !== undefined &&
      step.path === other.path &&
      step.type === other.type &&
      sameNode(step.from, other.from) &&
      sameNode(step.to, other.to)
    );
  });

const assertClear = ({ inTheWay }: RollbackPlan): void => {
  const [first] = inTheWay;
  if (first === undefined) return;
  throw new RetakeError('in-the-way', `${toText(first.path)}: ${first.reason}; nothing was changed`, {
    hint: 'Move it away and try again, or roll back other paths only with --path.',
    details: { inTheWay: inTheWay.map(({ path, reason }) => ({ ...pathFields(path), reason })) },
  });
};

const assertResolved = (workspace: Workspace, plan: RollbackPlan): void => {
  const open = describeConflicts(workspace, plan).filter(({ choice }) => choice === null);
  const [first] = open;
  if (first === undefined) return;
  const more = open.length === 1 ? '' : ` and ${open.length - 1} more`;
  throw new RetakeError('conflicts', `Both sides changed ${toText(first.path)}${more}; nothing was changed`, {
    hint: 'Choose per file: --resolve PATH=ours|theirs|manual|skip, or for all: --on-conflict CHOICE.',
    details: { conflicts: open.map(({ path, ...conflict }) => ({ ...pathFields(path), ...conflict })), choices: MERGE_CHOICES },
  });
};

/** How much verified content is kept for the writing that follows; the rest is read again. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Reads everything the plan needs before anything is touched: a missing or corrupt object stops it here (RST-2). */
const verifyObjects = ({ store }: Workspace, steps: readonly PlanStep[]): ((blob: BlobId) => Buffer) => {
  const kept = new Map<BlobId, Buffer>();
  let size = 0;
  for (const blob of neededBlobs(steps)) {
    const bytes = store.objects.readBlob(blob);
    if (size + bytes.length > KEPT_BYTES) continue;
    size += bytes.length;
    kept.set(blob, bytes);
  }
  return (blob) => kept.get(blob) ?? store.objects.readBlob(blob);
};

/**
 * What is about to be overwritten or deleted must really be in the safety checkpoint: an object lost since it was first
 * recorded is written again from the file, which is still there.
 */
const verifyPresent = ({ root, store }: Workspace, { batch }: Present, steps: readonly PlanStep[]): void => {
  const ground = new Ground(root);
  for (const { path, from, type } of steps) {
    if (from === null || !('blob' in from) || type === 'chmod' || isIntact(store.objects, from.blob)) continue;
    batch.blob(from.type === 'link' ? ground.readLink(path) : ground.readFile(path, ground.look(path)?.size ?? 0));
    batch.flush();
    store.objects.readBlob(from.blob);
  }
};

const isIntact = (objects: Workspace['store']['objects'], blob: BlobId): boolean => {
  try {
    objects.readBlob(blob);
    return true;
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return false;
    throw error;
  }
};

const checkSpace = ({ root, store }: Workspace, steps: readonly PlanStep[]): void => {
  const { bavail, bsize } = statfsSync(toFs(root));
  const needed = neededBlobs(steps).reduce((sum, blob) => sum + store.objects.size(blob) + bsize, 0);
  if (needed <= bavail * bsize) return;
  throw new RetakeError('no-space', `The rollback writes about ${needed} bytes and only ${bavail * bsize} are free; nothing was changed`, {
    hint: 'Free some space and try again.',
  });
};

const failed = ({ id, outcome, leftAlone, safety }: Recorded<Rollback>, cause: unknown): RetakeError => {
  if (outcome === 'taken-back' && cause instanceof RetakeError && cause.code === 'interrupted')
    return new RetakeError('interrupted', 'Ended before it was done; everything was taken back, the workspace is as it was', {
      hint: 'Nothing is lost, and nothing needs cleaning up.',
      details: { rollbackId: id, outcome },
      cause,
    });
  const why = cause instanceof Error ? cause.message : `${leftAlone.length} path(s) could not be brought back`;
  const what =
    outcome === 'taken-back'
      ? 'everything was taken back, the workspace is as it was'
      : `these paths are in between: ${leftAlone.map(({ path, reason }) => `${path} (${reason})`).join(', ')}`;
  return new RetakeError('rollback-failed', `The rollback failed: ${why}; ${what}`, {
    hint: `The state before it is checkpoint ${shortId(safety)}.`,
    details: { rollbackId: id, outcome, leftAlone },
    cause,
  });
};
