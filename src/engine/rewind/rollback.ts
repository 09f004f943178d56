import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { dirtyPaths } from '../../capture/index.ts';
import { giveWay } from '../../host/index.ts';
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
  shortId,
  toFs,
  toText,
} from '../../model/index.ts';
import { checkPermissions, type Journal, type RollbackIntent, WorkspaceFs, writeJournal } from '../../restore/index.ts';
import { applyMove, type ConversationMove, resumeOf } from '../conversation/conversation.ts';
import type { Present } from '../core/present.ts';
import type { Workspace } from '../core/workspace.ts';
import { bringBackObjects } from '../git/git-move.ts';
import { pinBeforeMoving } from '../git/pinned-objects.ts';
import { betweenCommits } from '../keep/commit-lock.ts';
import { recordCheckpoint } from '../record/checkpoint.ts';
import { OpenSteps } from '../record/open-steps.ts';
import { type RunningRecords, recordRunningSteps } from '../record/record-running.ts';
import { describeConflicts } from '../recover/conflicts.ts';
import { measured } from '../timing/measured.ts';
import { applyPlan, conclude, type Outcome } from './apply.ts';
import { prepareAsShown, type ShownOptions } from './as-shown.ts';
import { isIdle, neededBlobs, type PlanOptions, prepareRollback, type RollbackPlan, type RollbackRequest } from './plan.ts';
import { kindOf, plannedRecord } from './planned-record.ts';

export interface RollbackOptions extends ShownOptions {
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
export const previewRollback = (workspace: Workspace, request: RollbackRequest, options: PlanOptions = {}): Promise<RollbackPlan> =>
  measured(workspace, 'preview', () =>
    betweenCommits(
      workspace,
      () => workspace.write(async () => (await prepareRollback(workspace, request, options)).plan, options),
      options,
    ),
  );

/**
 * Plans, checks, records the present, and only then writes; everything or nothing (RST-1 to RST-4). Aborted before it writes, it ends as if
 * it had not begun; while it writes, what was done is taken back and recorded so; after the last change it is too late, and it stands.
 */
export const rollBack = (workspace: Workspace, request: RollbackRequest, options: RollbackOptions = {}): Promise<RollbackResult> =>
  measured(workspace, kindOf(request.verb), () =>
    betweenCommits(workspace, () => workspace.write(() => rollBackAlone(workspace, request, options), options), options),
  );

const rollBackAlone = async (workspace: Workspace, requested: RollbackRequest, options: RollbackOptions): Promise<RollbackResult> => {
  const { timings } = workspace;
  const { request, plan, present } = await prepareAsShown(workspace, requested, options);
  timings.lap('planning');
  timings.amounts(() => ({ changes: plan.steps.length }));
  assertClear(plan);
  assertResolved(workspace, plan);
  const { conversation } = request;
  if (isIdle(plan)) {
    present.batch.abandon();
    return { plan, rollback: null, safety: null, resume: null };
  }
  const read = verifyObjects(workspace, plan);
  verifyPresent(workspace, present, plan.steps);
  checkPermissions(new WorkspaceFs(workspace.root), plan.steps);
  checkSpace(workspace, plan.steps);
  await giveWay(options.signal);
  timings.lap('checking');

  const { target, verb } = request;
  const description = describe(request);
  const soFar = recordRunningSteps(workspace, present, (toolUseId) => request.replay?.unrecordedOf?.includes(toolUseId) ?? true);
  const safety = recordCheckpoint(workspace, present, {
    kind: 'safety',
    session: target.session,
    description: `Before ${verb.toLowerCase()} ${description}`,
    ...(plan.outside.steps.length === 0 ? {} : { outside: plan.outside.steps.map(({ path, from }) => ({ path, content: from })) }),
  });
  if (plan.git !== undefined) {
    await pinBeforeMoving(workspace, plan.git);
    await bringBackObjects(workspace, plan.git);
  }
  const intent: RollbackIntent = {
    ...withSoFar(request, plannedRecord(request, plan), soFar),
    session: target.session,
    description: `${verb} ${description}`,
    safety: safety.id,
    ...(conversation === undefined ? {} : { conversation: changeOf(conversation) }),
    journal: randomBytes(6).toString('hex'),
    ...(plan.git === undefined ? {} : { gitChange: { from: plan.git.from, to: plan.git.to, refs: plan.git.refs } }),
    ...(plan.git === undefined || plan.unkept.length === 0 ? {} : { unkept: plan.unkept }),
  };
  const journal: Journal = {
    id: intent.journal,
    direction: 'forward',
    intent,
    steps: plan.steps,
    ...(plan.outside.steps.length === 0 ? {} : { outside: plan.outside.steps }),
  };
  // Before the first change to the workspace: should it fail there is nothing to take back, and it disturbs nobody.
  const unwrite = conversation === undefined ? undefined : applyMove(conversation);
  writeJournal(workspace.journalPath, journal, workspace.settings.durability);
  const outcome = await applyPlan(workspace, journal, { read, onProgress: options.onApply, signal: options.signal });
  timings.lap('writing');
  const rollback = await conclude(workspace, journal, outcome, {
    since: present,
    dirty: dirtyPaths(plan.steps.map(({ path }) => path)),
  });
  if (rollback.outcome === 'taken-back') unwrite?.();
  else new OpenSteps(workspace).goOnFrom(rollback.sequence);
  if (rollback.outcome !== 'complete') throw failed(rollback, outcome.cause);
  return { plan: carriedOut(plan, outcome), rollback, safety, resume: conversation === undefined ? null : resumeOf(conversation) };
};

/** The plan as far as it was carried out. */
const carriedOut = (plan: RollbackPlan, { passedOver = new Map() }: Outcome): RollbackPlan => ({
  ...plan,
  steps: plan.steps.filter(({ path }) => !passedOver.has(path)),
  kept: [...plan.kept, ...[...passedOver].map(([path, reason]) => ({ path, reason }))],
  setAside: [...plan.setAside, ...passedOver.keys()],
});

/** What running steps did so far goes back with the rest of what is not recorded, and their records are among those that are taken out. */
const withSoFar = (
  { replay, only }: RollbackRequest,
  moved: ReturnType<typeof plannedRecord>,
  { going, staying }: RunningRecords,
): ReturnType<typeof plannedRecord> => {
  const [first, ...rest] = going.map(({ id }) => id);
  if (first === undefined || moved.steps === undefined || replay?.unrecorded === undefined) return moved;
  const paths = only ?? (staying.length === 0 ? undefined : replay.unrecorded.only);
  if (paths === undefined) return { ...moved, steps: [...moved.steps, first, ...rest] };
  return { ...moved, partly: [...(moved.partly ?? []), { step: first, paths }] };
};

const describe = ({ target, undoes, title, replay, subject, isUnrecorded }: RollbackRequest): string => {
  if (isUnrecorded) return `to ${title}`;
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
    hint: `Choose per file: --resolve PATH=ours|theirs|manual|skip, or for all: --on-conflict CHOICE.${plan.keepsMine ? ' --no-keep-mine lets your edits go back too.' : ''}`,
    details: { conflicts: open.map(({ path, ...conflict }) => ({ ...pathFields(path), ...conflict })), choices: MERGE_CHOICES },
  });
};

/** How much verified content is kept for the writing that follows; the rest is read again. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Reads everything the plan needs before anything is touched: a missing or corrupt object stops it here (RST-2). */
const verifyObjects = ({ store }: Workspace, { steps, outside }: RollbackPlan): ((blob: BlobId) => Buffer) => {
  const kept = new Map<BlobId, Buffer>();
  let size = 0;
  const beyond = outside.steps.flatMap(({ to }) => to?.blob ?? []);
  for (const blob of [...neededBlobs(steps), ...beyond]) {
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
  const fs = new WorkspaceFs(root);
  for (const { path, from, type } of steps) {
    if (from === null || !('blob' in from) || type === 'chmod' || isIntact(store.objects, from.blob)) continue;
    batch.blob(from.type === 'link' ? fs.readLink(path) : fs.readFile(path, fs.look(path)?.size ?? 0));
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
