import type { Stats } from 'node:fs';
import { dirtyPaths } from '../capture/index.ts';
import {
  blobAt,
  type ConflictReason,
  choose,
  diffFiles,
  diffStates,
  leafChanges,
  type Merge,
  type MergeChoice,
  mergeStates,
  resolveMerge,
  type StateChange,
  writeMerged,
} from '../diff/index.ts';
import {
  type BlobId,
  type Checkpoint,
  type GitHead,
  isWithin,
  type Node,
  type PlanStep,
  type Recorded,
  type RelativePath,
  RetakeError,
  type Rollback,
  type RollbackScope,
  sameHead,
  sameNode,
  shortId,
  stateName,
  toText,
  type WorkspaceState,
} from '../model/index.ts';
import { Ground } from '../restore/index.ts';
import { type Kept, type PlanFacts, planSteps } from '../timeline/index.ts';
import type { ConversationMove } from './conversation.ts';
import { type GitAim, type PlannedGit, planGit } from './git-plan.ts';
import { leftOutOf } from './left-out.ts';
import { capturePresent, type Present } from './present.ts';
import type { Workspace } from './workspace.ts';

/** What is to be brought back. */
export interface Aim {
  readonly verb: 'Rollback' | 'Undo' | 'Redo' | 'Switch' | 'Merge';
  readonly target: Recorded<Checkpoint>;
  /** The target's changes since another state are taken in, instead of the target itself. */
  readonly merge?: MergeAim;
  /** What the target is called, where it is more than a checkpoint. */
  readonly title?: string;
  /** The rollback that is taken back by this one. */
  readonly undoes?: Recorded<Rollback>;
  /** Limits the rollback to paths at or below these. */
  readonly only?: readonly RelativePath[] | undefined;
  /** Both that and the code go back unless `keepsCode` says otherwise. */
  readonly conversation?: ConversationMove | undefined;
  readonly keepsCode?: boolean;
  /** The user's git goes there too. */
  readonly git?: GitAim | undefined;
}

/** Plain data: it may be carried out by another process. */
interface MergeAim {
  /** What the target's changes are counted from. */
  readonly base: WorkspaceState;
  readonly labels: { readonly ours: string; readonly base: string; readonly theirs: string };
  /** What to do about conflicts: at these paths, and at all others. */
  readonly choices: readonly (readonly [RelativePath, MergeChoice])[];
  readonly rest: MergeChoice | null;
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
  /** The state it was made against; in any other it is not carried out. */
  readonly expectedTree: string;
  readonly steps: readonly PlanStep[];
  /** Paths that differ from the target and stay as they are. */
  readonly kept: readonly Kept[];
  readonly inTheWay: readonly Kept[];
  /** What a merge needs a choice for. While one has none, the plan is not carried out. */
  readonly conflicts: readonly PlannedConflict[];
  readonly warnings: readonly string[];
  /** What was recorded after the target. */
  readonly goesBack: { readonly checkpoints: number; readonly turns: number; readonly steps: number };
}

interface PlannedConflict {
  readonly path: RelativePath;
  readonly reason: ConflictReason;
  readonly choice: MergeChoice | null;
}

export interface PreparedRollback {
  readonly plan: RollbackPlan;
  readonly present: Present;
}

/** Captures the present and works out the plan. Needs the lock; records nothing. */
export const prepareRollback = async (workspace: Workspace, aim: Aim, onProgress?: (files: number) => void): Promise<PreparedRollback> => {
  const ground = new Ground(workspace.root);
  const isChosen = chooser(workspace, aim);
  const facts = factsAbout(workspace, aim, ground);

  let present = await capturePresent(workspace, { onProgress });
  for (let named: readonly RelativePath[] = []; ; ) {
    present.batch.flush();
    const { all, conflicts } = wantedChanges(workspace, aim, present);
    const changes = isChosen === undefined ? all : choose(all, isChosen);
    const found = lookForUncaptured(ground, changes);
    const unknown = [...found.files, ...madeAndIgnored(workspace, aim, present, ground)].filter((path) => !named.includes(path));
    if (unknown.length > 0) {
      // Ignored files in the way are recorded first, so that overwriting them can be undone.
      named = [...named, ...unknown];
      present = await capturePresent(workspace, { named, since: present, dirty: dirtyPaths(named) });
      continue;
    }
    const planned = planSteps(found.changes, facts);
    const { git: gitAim, ...rest } = aim;
    const git = gitAim && (await planGit(gitAim, present, aim.target.git?.staged.count ?? 0));
    const plan: RollbackPlan = {
      ...rest,
      ...(git === undefined ? {} : { git }),
      expectedTree: stateName(present.state),
      steps: planned.steps,
      kept: planned.kept,
      inTheWay: [
        ...planned.inTheWay,
        ...found.inTheWay,
        ...found.files.map((path) => ({ path, reason: 'is in the way and can not be captured' })),
      ],
      conflicts,
      warnings: warningsFor(workspace, aim, present, all),
      goesBack: countBack(workspace, aim.target),
    };
    return { plan, present };
  }
};

/** What leads from the present to what is wanted. */
const wantedChanges = (
  { store: { objects } }: Workspace,
  { target, merge }: Aim,
  { state, batch }: Present,
): { all: StateChange[]; conflicts: PlannedConflict[] } => {
  const theirs = target.state as WorkspaceState;
  if (merge === undefined) return { all: diffStates(objects, state, theirs), conflicts: [] };
  const merged = mergeStates(objects, { base: merge.base, ours: state, theirs }, { labels: merge.labels });
  const resolved = resolveMerge(merged, { paths: new Map(merge.choices), rest: merge.rest ?? undefined });
  const open = new Set(resolved.unresolved);
  const chosen = new Map(merge.choices);
  refuseNeedless(merge, merged);
  const all = writeMerged(batch, { ...resolved, unresolved: [] });
  batch.flush();
  return {
    all,
    conflicts: merged.conflicts.map(({ path, reason }) => ({
      path,
      reason,
      choice: open.has(path) ? null : (chosen.get(path) ?? merge.rest),
    })),
  };
};

const refuseNeedless = ({ choices }: MergeAim, { conflicts }: Merge): void => {
  const [needless] = choices.find(([path]) => !conflicts.some((conflict) => conflict.path === path)) ?? [];
  if (needless === undefined) return;
  throw new RetakeError('unknown-id', `${toText(needless)} is not in conflict, so that there is nothing to choose; nothing was changed`, {
    hint: 'A dry run lists the conflicts.',
  });
};

/** A prompt's checkpoint is made before its turn. */
const countBack = ({ index }: Workspace, { kind, sequence }: Recorded<Checkpoint>): RollbackPlan['goesBack'] => {
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
const chooser = ({ store }: Workspace, { only, undoes, keepsCode }: Aim): ((path: RelativePath) => boolean) | undefined => {
  if (keepsCode) return () => false;
  const touched = undoes && new Set(store.log.plan(undoes.id).map(({ path }) => path));
  if (touched === undefined && only === undefined) return undefined;
  return (path) => (touched?.has(path) ?? true) && (only?.some((one) => isWithin(path, one)) ?? true);
};

/**
 * What a rollback made where nothing was is known to have been absent before it. Of other paths, the target's own rules
 * tell whether it could have held them.
 */
const factsAbout = (workspace: Workspace, { target, undoes }: Aim, ground: Ground): PlanFacts => ({
  leftOut: undoes === undefined ? leftOutOf(workspace, target) : () => false,
  names: (directory) => ground.names(directory) ?? [],
});

/** Files that the rollback to be undone wrote, and that ignore rules hide now: they have to go all the same. */
const madeAndIgnored = ({ store }: Workspace, { undoes }: Aim, present: Present, ground: Ground): RelativePath[] => {
  if (undoes === undefined) return [];
  const made = store.log.plan(undoes.id).filter(({ to }) => to?.type === 'file' || to?.type === 'link');
  return made.map(({ path }) => path).filter((path) => blobAt(store.objects, present.state, path) === null && isLeaf(ground.look(path)));
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

const warningsFor = (
  workspace: Workspace,
  { target, undoes, keepsCode, git }: Aim,
  present: Present,
  changes: readonly StateChange[],
): string[] => {
  if (keepsCode) return [];
  const warnings: string[] = [];
  const moved = git === undefined && !sameHead(target.head, present.head);
  if (moved)
    warnings.push(`git is on ${describeHead(present.head)} now and was on ${describeHead(target.head)} then; it stays where it is`);
  if (target.status === 'partial')
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
    const since = leafChanges(diffStates(workspace.store.objects, undoes.state, present.state)).filter(({ path }) => touched.has(path));
    if (since.length > 0)
      warnings.push(`${since.length} of these files changed after the rollback; the safety checkpoint keeps those changes`);
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
