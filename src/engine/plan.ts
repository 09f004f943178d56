import type { Stats } from 'node:fs';
import { dirtyPaths, excludedBy } from '../capture/index.ts';
import { blobAt, choose, diffAround, diffFiles, diffStates, leafChanges, type ReplayConflict, type StateChange } from '../diff/index.ts';
import { giveWay } from '../host/index.ts';
import {
  type BlobId,
  type Checkpoint,
  type GitHead,
  isWithin,
  lineOf,
  type Node,
  type OperationId,
  type PlanStep,
  type Recorded,
  type RelativePath,
  RetakeError,
  ROOT,
  type Rollback,
  type RollbackScope,
  type SessionId,
  sameHead,
  sameNode,
  shortId,
  stateName,
  toText,
} from '../model/index.ts';
import { Ground } from '../restore/index.ts';
import { type Kept, type PlanFacts, planSteps } from '../timeline/index.ts';
import { type PathShare, sharesSince, warningsOfShares } from './attribution/shares.ts';
import type { ConversationMove } from './conversation/conversation.ts';
import type { GitAim, PlannedGit } from './git/git-plan.ts';
import { type GitPart, planGitPart } from './git/history-plan.ts';
import { type HunkChoice, limitToHunks } from './hunks.ts';
import { leftOutOf, withoutExcluded } from './left-out.ts';
import { capturePresent, type Present } from './present.ts';
import { type ReplayAim, type Replayed, replayOnto, takenFrom } from './recover/replay-aim.ts';
import { refuseUnknownPaths } from './refuse-unknown-paths.ts';
import type { Workspace } from './workspace.ts';

/** What is to be brought back. */
export interface Aim {
  readonly verb: 'Rollback' | 'Undo' | 'Redo' | 'Switch' | 'Merge' | 'Discard' | 'Revert' | 'Recover';
  readonly target: Recorded<Checkpoint>;
  /** Changes that are taken in or out, instead of going to the target itself. */
  readonly replay?: ReplayAim;
  /** What agents did not do stays, and so does the work of these sessions. */
  readonly keepsMine?: true;
  readonly staying?: readonly SessionId[];
  /** The recovery that is gone on with. */
  readonly continues?: OperationId;
  /** What it is about, where that is not the target: a commit. */
  readonly subject?: OperationId;
  /** What the target is called, where it is more than a checkpoint. */
  readonly title?: string;
  /** The rollback that is taken back by this one. */
  readonly undoes?: Recorded<Rollback>;
  /** Limits the rollback to paths at or below these. */
  readonly only?: readonly RelativePath[] | undefined;
  /** Of a rewind: limits it to these, and to `only` if that is given too. */
  readonly hunks?: readonly HunkChoice[] | undefined;
  /** Both that and the code go back unless `keepsCode` says otherwise. */
  readonly conversation?: ConversationMove | undefined;
  readonly keepsCode?: boolean;
  /** The user's git goes there too. */
  readonly git?: GitAim | undefined;
}

export const scopeOf = ({ conversation, keepsCode = false }: Aim): RollbackScope => {
  if (conversation === undefined) return 'code';
  return keepsCode ? 'conversation' : 'both';
};

/** A step with what it means for a reader. */
export interface MeasuredStep extends PlanStep {
  /** +/- lines; null for directories, binary files, and in plans too long for anyone to read. */
  readonly lines: { readonly insertions: number; readonly deletions: number } | null;
  /** Bytes that will be there; null where nothing is written. */
  readonly size: number | null;
}

/** The exact list of changes that a rollback would make. */
export interface RollbackPlan extends Omit<Aim, 'git'> {
  /** Absent when git stays, or is there already. */
  readonly git?: PlannedGit;
  /** The keeps of single steps whose commits go from the branch with it. */
  readonly unkept: readonly OperationId[];
  /** The state it was made against; in any other it is not carried out. */
  readonly expectedTree: string;
  readonly steps: readonly PlanStep[];
  /** Paths that differ from the target and stay as they are. */
  readonly kept: readonly Kept[];
  readonly inTheWay: readonly Kept[];
  /** What needs a choice. While one has none, the plan is not carried out. */
  readonly conflicts: readonly ReplayConflict[];
  /** Of a rewind: who changed what differs from the target. */
  readonly shares: readonly PathShare[];
  /** How many of the changes that were to be taken in or out this does. */
  readonly replayed: number;
  readonly warnings: readonly string[];
  /** Of an undo: how many of the files that it is about changed since what it takes back. */
  readonly disturbed: number;
  /** What was recorded after the target. */
  readonly goesBack: { readonly checkpoints: number; readonly turns: number; readonly steps: number };
}

export interface PreparedRollback {
  readonly plan: RollbackPlan;
  readonly present: Present;
}

export interface PlanOptions {
  readonly onScan?: ((files: number) => void) | undefined;
  /** Aborted by who does not want it any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Captures the present and works out the plan. Needs the lock; records nothing. */
export const prepareRollback = async (
  workspace: Workspace,
  aim: Aim,
  { onScan: onProgress, signal }: PlanOptions = {},
): Promise<PreparedRollback> => {
  const ground = new Ground(workspace.root);
  const isChosen = chooser(workspace, aim);
  const facts = factsAbout(workspace, aim, ground);

  let present = await capturePresent(workspace, { onProgress });
  for (let named: readonly RelativePath[] = []; ; ) {
    await giveWay(signal);
    present.batch.flush();
    const { all, conflicts, done } = wantedChanges(workspace, aim, present);
    refuseUnknownPaths(workspace, aim.only ?? [], { states: [present.state, aim.target.state], changes: all });
    await giveWay(signal);
    const wanted = withoutExcluded(present, isChosen === undefined ? all : choose(all, isChosen));
    const isExcluded = excludedBy(present.manifest);
    const found = lookForUncaptured(ground, wanted.changes);
    const unknown = [...found.files, ...madeAndIgnored(workspace, aim, present, ground)].filter((path) => !named.includes(path));
    if (unknown.length > 0) {
      // Ignored files in the way are recorded first, so that overwriting them can be undone.
      named = [...named, ...unknown];
      present = await capturePresent(workspace, { named, since: present, dirty: dirtyPaths(named) });
      continue;
    }
    const planned = planSteps(found.changes, facts);
    const { git: _, ...rest } = aim;
    const part = await planGitPart(workspace, aim, present);
    const told = sharesOf(workspace, aim, present);
    const disturbed = changedSince(workspace, aim, present);
    const shares = (told ?? []).filter(({ path }) => isChosen?.(path) ?? true);
    const plan: RollbackPlan = {
      ...rest,
      ...(part.git === undefined ? {} : { git: part.git }),
      unkept: part.unkept,
      expectedTree: stateName(present.state),
      steps: planned.steps,
      kept: [...planned.kept, ...wanted.kept, ...leftOutOfCommits(aim)],
      inTheWay: [
        ...planned.inTheWay,
        ...found.inTheWay,
        ...found.files.map((path) => ({ path, reason: 'is in the way and can not be captured' })),
      ],
      conflicts: conflicts.filter(({ path }) => isExcluded(path, false) === null),
      shares,
      replayed: done,
      warnings: [
        ...warningsFor(workspace, aim, present, all, part, disturbed),
        ...part.warnings,
        ...warningsOfShares(aim, shares, planned.steps),
        ...(told === undefined ? [UNTOLD] : []),
      ],
      disturbed,
      goesBack: countBack(workspace, aim.target),
    };
    return { plan, present };
  }
};

const leftOutOfCommits = ({ replay }: Aim): Kept[] => replay?.steps.flatMap(({ commit }) => commit?.leftOut ?? []) ?? [];

/** Undefined where damage to what was recorded in between keeps us from telling: that is no reason not to go back. */
const sharesOf = (workspace: Workspace, { verb, target, keepsCode }: Aim, { state }: Present): PathShare[] | undefined => {
  try {
    return verb === 'Rollback' && !keepsCode ? sharesSince(workspace, target, state) : [];
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return undefined;
    throw error;
  }
};

const UNTOLD = 'whose changes these are can not be told: something that was recorded since is damaged';

/** What leads from the present to what is wanted. */
const wantedChanges = (workspace: Workspace, aim: Aim, present: Present): Replayed => {
  const wanted = allChanges(workspace, aim, present);
  if (aim.hunks === undefined) return wanted;
  // What the replay made is read for its parts.
  present.batch.flush();
  return { ...wanted, all: limitToHunks(workspace.store, wanted.all, aim.hunks, present.batch) };
};

const allChanges = (workspace: Workspace, { target, replay, only, hunks }: Aim, present: Present): Replayed => {
  if (replay !== undefined) return replayOnto(workspace, replay, present);
  const paths = hunks === undefined ? (only ?? [ROOT]) : [ROOT];
  return { all: diffAround(workspace.store.objects, present.state, target.state, paths), conflicts: [], done: 0, states: [] };
};

/** A prompt's checkpoint is made before its turn. */
const countBack = ({ index }: Workspace, target: Recorded<Checkpoint>): RollbackPlan['goesBack'] => {
  // What was done elsewhere is no earlier state of this workspace.
  if (lineOf(target) !== null) return { checkpoints: 0, turns: 0, steps: 0 };
  const { kind, sequence } = target;
  const after = index.countAfter(sequence);
  return kind === 'prompt' ? { ...after, turns: after.turns + 1 } : after;
};

/** Counting lines means reading both sides: beyond this many files nobody reads the numbers. */
const MEASURED_STEPS = 2000;

/** The steps of a plan with their sizes and +/- lines, for showing. */
export const measureSteps = ({ store }: Workspace, steps: readonly PlanStep[]): MeasuredStep[] => {
  const measured = steps.length > MEASURED_STEPS ? [] : diffFiles(store.objects, steps);
  const files = new Map(measured.map((file) => [file.path, file]));
  return steps.map((step) => {
    const file = files.get(step.path);
    const lines = file === undefined || file.binary ? null : { insertions: file.insertions, deletions: file.deletions };
    return { ...step, lines, size: step.to !== null && 'blob' in step.to ? store.objects.size(step.to.blob) : null };
  });
};

/** Undefined when everything is meant. An undo is about the very paths that were rolled back, not about work done since. */
const chooser = ({ store }: Workspace, { only, hunks, undoes, keepsCode }: Aim): ((path: RelativePath) => boolean) | undefined => {
  if (keepsCode) return () => false;
  const touched = undoes && new Set(store.log.plan(undoes.id).map(({ path }) => path));
  const partly = hunks && new Set(hunks.map(({ path }) => path));
  if (touched === undefined && only === undefined && partly === undefined) return undefined;
  const whole = only ?? (partly === undefined ? [ROOT] : []);
  return (path) => (touched?.has(path) ?? true) && (partly?.has(path) || whole.some((one) => isWithin(path, one)));
};

/**
 * What a rollback made where nothing was is known to have been absent before it. Of other paths, the target's own rules
 * tell whether it could have held them.
 */
const factsAbout = (workspace: Workspace, { target, undoes, replay }: Aim, ground: Ground): PlanFacts => {
  const records = replay === undefined ? [target] : takenFrom(workspace, replay);
  const rules = undoes === undefined ? records.map((record) => leftOutOf(workspace, record)) : [];
  return {
    leftOut: (path, isDirectory) => rules.some((leftOut) => leftOut(path, isDirectory)),
    names: (directory) => ground.names(directory) ?? [],
  };
};

/** Files that the rollback to be undone wrote, and that ignore rules hide now: they have to go all the same. */
const madeAndIgnored = ({ store }: Workspace, { undoes }: Aim, present: Present, ground: Ground): RelativePath[] => {
  if (undoes === undefined) return [];
  const isExcluded = excludedBy(present.manifest);
  const made = store.log.plan(undoes.id).filter(({ to }) => to?.type === 'file' || to?.type === 'link');
  return made
    .map(({ path }) => path)
    .filter((path) => blobAt(store.objects, present.state, path) === null && isLeaf(ground.look(path)) && isExcluded(path, false) === null);
};

const isLeaf = (stat: Stats | undefined): boolean => stat !== undefined && (stat.isFile() || stat.isSymbolicLink());

interface Uncaptured {
  /** The changes, with directories that are there already but not captured taken into account. */
  readonly changes: StateChange[];
  readonly files: RelativePath[];
  readonly inTheWay: Kept[];
}

/** Looks on disk for what stands where the plan would create something, although the present does not hold it. */
const lookForUncaptured = (ground: Ground, changes: readonly StateChange[]): Uncaptured => {
  const result: Uncaptured = { changes: [], files: [], inTheWay: [] };
  for (const change of changes) {
    const { path, from, to } = change;
    const stat = from === null ? ground.look(path) : undefined;
    if (stat === undefined) result.changes.push(change);
    else if (isLeaf(stat)) result.files.push(path);
    else if (!stat.isDirectory()) result.inTheWay.push({ path, reason: 'a device, FIFO or socket is in the way' });
    else if (to?.type !== 'directory') result.inTheWay.push({ path, reason: 'an ignored directory is in the way' });
    else {
      const there: Node = { type: 'directory', permissions: stat.mode & 0o7777 };
      if (!sameNode(there, to)) result.changes.push({ path, from: there, to });
    }
  }
  return result;
};

const changedSince = ({ store }: Workspace, { undoes, keepsCode }: Aim, { state }: Present): number => {
  if (undoes === undefined || keepsCode) return 0;
  const touched = new Set(store.log.plan(undoes.id).map(({ path }) => path));
  return leafChanges(diffStates(store.objects, undoes.state, state)).filter(({ path }) => touched.has(path)).length;
};

const warningsFor = (
  workspace: Workspace,
  { verb, target, undoes, keepsCode, git, replay, subject }: Aim,
  present: Present,
  changes: readonly StateChange[],
  part: GitPart,
  disturbed: number,
): string[] => {
  if (keepsCode) return [];
  const warnings: string[] = [];
  for (const { id, commit } of replay?.steps ?? [])
    if (commit?.isMerge) warnings.push(`${shortId(id)} is a merge; what is taken is its change against its first parent`);
  const isOther = subject !== undefined || verb === 'Revert';
  const isTold = git !== undefined || part.git !== undefined || part.isSettled || part.warnings.length > 0;
  const moved = !isOther && !isTold && !sameHead(target.head, present.head);
  if (moved)
    warnings.push(`git is on ${describeHead(present.head)} now and was on ${describeHead(target.head)} then; it stays where it is`);
  if (!isOther && target.status === 'partial')
    warnings.push(`checkpoint ${shortId(target.id)} is partial: some paths could not be captured (retake show ${shortId(target.id)})`);
  const { omissions } = present.manifest;
  if (omissions.length > 0) {
    const [first] = omissions;
    warnings.push(
      `${omissions.length} path(s) can not be captured now and stay as they are, such as ${first === undefined ? '' : toText(first.path)}`,
    );
  }
  if (undoes !== undefined) {
    const touched = new Set(workspace.store.log.plan(undoes.id).map(({ path }) => path));
    if (disturbed > 0) warnings.push(`${disturbed} of these files changed after the rollback; the safety checkpoint keeps those changes`);
    const others = changes.filter(({ path }) => !touched.has(path)).length;
    if (others > 0) warnings.push(`${others} other path(s) changed since and are not touched`);
  }
  return warnings;
};

const describeHead = (head: GitHead | null): string => {
  if (head === null) return 'no repository';
  const commit = head.commit?.slice(0, 10) ?? 'no commit yet';
  return head.branch === null ? `a detached HEAD (${commit})` : `branch ${head.branch} (${commit})`;
};

/** The blobs that a plan needs. */
export const neededBlobs = (steps: readonly PlanStep[]): BlobId[] => [
  ...new Set(steps.flatMap(({ type, to }) => (to !== null && 'blob' in to && type !== 'chmod' ? [to.blob] : []))),
];
