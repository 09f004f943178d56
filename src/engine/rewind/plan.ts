import { dirtyPaths, excludedBy } from '../../capture/index.ts';
import { choose, diffAround, diffFiles, diffStates, leafChanges, leafOf, type ReplayConflict } from '../../diff/index.ts';
import { giveWay } from '../../host/index.ts';
import {
  type BlobId,
  type Checkpoint,
  type GitHead,
  isWithin,
  lineOf,
  type OperationId,
  type PlanStep,
  type Recorded,
  type RelativePath,
  RetakeError,
  ROOT,
  type Rollback,
  type RollbackLevel,
  type RollbackScope,
  type SessionId,
  sameHead,
  sameNode,
  shortId,
  stateName,
  toText,
} from '../../model/index.ts';
import { WorkspaceFs } from '../../restore/index.ts';
import { type Kept, type PlanFacts, planSteps } from '../../timeline/index.ts';
import { type Selection, selectiveReplay } from '../attribution/selective.ts';
import { isPersons, type PathShare, sharesSince, warningsOfShares } from '../attribution/shares.ts';
import type { ConversationMove } from '../conversation/conversation.ts';
import { leftOutOf, withoutExcluded } from '../core/left-out.ts';
import { capturePresent, type Present } from '../core/present.ts';
import type { Workspace } from '../core/workspace.ts';
import type { GitTarget, PlannedGit } from '../git/git-plan.ts';
import { type GitPart, planGitPart } from '../git/history-plan.ts';
import { refuseUnknownPaths } from '../read/refuse-unknown-paths.ts';
import { type RunningStep, readRunningSteps, warningsOfRunning } from '../record/running-steps.ts';
import { type ReplayChoice, type Replayed, type ReplayRequest, replayOnto, takenFrom } from '../recover/replay-request.ts';
import { lookForUncaptured, madeAndIgnored } from './hidden-paths.ts';
import { type HunkChoice, limitToHunks } from './hunks.ts';
import { LiveFiles } from './live-files.ts';
import { keepsSomeOutside, type OutsidePlan, planOutside } from './outside-plan.ts';

/** What is to be brought back. */
export interface RollbackRequest {
  readonly verb: 'Rollback' | 'Undo' | 'Redo' | 'Switch' | 'Merge' | 'Discard' | 'Revert' | 'Recover';
  readonly target: Recorded<Checkpoint>;
  /** Changes that are taken in or out, instead of going to the target itself. */
  readonly replay?: ReplayRequest;
  /** What agents did not do stays, and so does the work of these sessions. */
  readonly keepsMine?: true;
  /** Of a rewind: that stays if there is any of it, which is known once the present is. */
  readonly keepsMineIfAny?: KeepingMine;
  readonly staying?: readonly SessionId[];
  /** The recovery that is gone on with. */
  readonly continues?: OperationId;
  /** What it is about, where that is not the target: a commit. */
  readonly subject?: OperationId;
  /** Of the conversation alone: no code is recorded at the place that it goes to, and the target is only what the log has next to it. */
  readonly isUnrecorded?: true;
  /** What the target is called, where it is more than a checkpoint. */
  readonly title?: string;
  /** What it goes back to, where the target itself does not tell. */
  readonly level?: RollbackLevel;
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
  readonly git?: GitTarget | undefined;
  /** So do files outside the workspace that an edit tool changed. */
  readonly outside?: boolean | undefined;
}

/** What else decides how the person's changes stay. */
interface KeepingMine {
  readonly selection: Selection;
  readonly choice: ReplayChoice;
}

export const scopeOf = ({ conversation, keepsCode = false }: Pick<RollbackRequest, 'conversation' | 'keepsCode'>): RollbackScope => {
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
export interface RollbackPlan extends Omit<RollbackRequest, 'git' | 'outside' | 'keepsMineIfAny'> {
  /** Absent when git stays, or is there already. */
  readonly git?: PlannedGit;
  /** The keeps of single steps whose commits go from the branch with it. */
  readonly unkept: readonly OperationId[];
  /** The state it was made against; in any other it is not carried out. */
  readonly expectedTree: string;
  readonly steps: readonly PlanStep[];
  /** Files outside the workspace that change, and those that stay as an agent left them. */
  readonly outside: Omit<OutsidePlan, 'warnings'>;
  /** Paths that differ from the target and stay as they are. */
  readonly kept: readonly Kept[];
  /** Those of them that stay because somebody keeps changing them. */
  readonly setAside: readonly RelativePath[];
  readonly inTheWay: readonly Kept[];
  /** What needs a choice. While one has none, the plan is not carried out. */
  readonly conflicts: readonly ReplayConflict[];
  /** Of a rewind: who changed what differs from the target. */
  readonly shares: readonly PathShare[];
  /** How many of the changes that were to be taken in or out this does. */
  readonly replayed: number;
  readonly warnings: readonly string[];
  /** What agents are at while this is planned. */
  readonly running: readonly RunningStep[];
  /** Of an undo: how many of the files that it is about changed since what it takes back. */
  readonly disturbed: number;
  /** What was recorded after the target. */
  readonly goesBack: { readonly checkpoints: number; readonly turns: number; readonly steps: number };
}

/** There is nothing to change: the workspace is there already. */
export const isIdle = ({ steps, conversation, git, outside }: RollbackPlan): boolean =>
  steps.length === 0 && conversation === undefined && git === undefined && outside.steps.length === 0;

export interface PreparedRollback {
  /** What the plan was made for. */
  readonly request: RollbackRequest;
  readonly plan: RollbackPlan;
  readonly present: Present;
}

export interface PlanOptions {
  readonly onScan?: ((files: number) => void) | undefined;
  /** Aborted by who does not want it any more. */
  readonly signal?: AbortSignal | undefined;
  /** Paths that are left as they are, because they keep changing. */
  readonly setAside?: readonly RelativePath[] | undefined;
}

/** Captures the present and works out the plan. Needs the lock; records nothing. A file that keeps changing meanwhile is left out of it. */
export const prepareRollback = async (
  workspace: Workspace,
  request: RollbackRequest,
  options: PlanOptions = {},
): Promise<PreparedRollback> => {
  const prepared = await prepareRequested(workspace, request, options);
  const { keepsMineIfAny: keeping } = request;
  const { shares, outside } = prepared.plan;
  if (keeping === undefined || !(shares.some(isPersons) || keepsSomeOutside(outside))) return prepared;
  const selected = selectiveReplay(workspace, request.target, { ...keeping.selection, keepMine: true }, keeping.choice);
  const setAside = [...(options.setAside ?? []), ...prepared.plan.setAside];
  return prepareRequested(workspace, { ...request, ...selected, keepsMine: true }, { ...options, setAside });
};

const prepareRequested = async (
  workspace: Workspace,
  request: RollbackRequest,
  { onScan: onProgress, signal, setAside = [] }: PlanOptions = {},
): Promise<PreparedRollback> => {
  const live = new LiveFiles(workspace, setAside);
  const fs = new WorkspaceFs(workspace.root);
  const isChosen = chooser(workspace, request);
  const facts = factsAbout(workspace, request, fs);

  let present = await capturePresent(workspace, { onProgress });
  for (const named = new Set<RelativePath>(); ; ) {
    await giveWay(signal);
    present.batch.flush();
    const { all, conflicts, done } = wantedChanges(workspace, request, present);
    refuseUnknownPaths(workspace, request.only ?? [], { states: [present.state, request.target.state], changes: all });
    await giveWay(signal);
    const wanted = withoutExcluded(present, isChosen === undefined ? all : choose(all, isChosen));
    const isExcluded = excludedBy(present.manifest);
    const left = live.leave(wanted.changes);
    const found = lookForUncaptured(fs, left.changes);
    const unknown = [...found.hidden, ...madeAndIgnored(workspace, request, present, fs)].filter(
      (path) => !named.has(path) && !live.has(path),
    );
    if (unknown.length > 0) {
      // What is ignored and will be changed is recorded first, so that changing it can be undone.
      for (const path of unknown) named.add(path);
      present = await capturePresent(workspace, { named: [...named], since: present, dirty: dirtyPaths(named) });
      continue;
    }
    const planned = planSteps(found.changes, facts);
    const moved = await live.find(planned.steps, found.hidden, present.manifest.omissions, signal);
    if (moved.length > 0) {
      // What is left needs no other look.
      if (!live.isHurried)
        present = await capturePresent(workspace, { named: [...named], since: present, dirty: dirtyPaths([...named, ...moved]) });
      continue;
    }
    const { git: _, outside: __, keepsMineIfAny: ___, ...rest } = request;
    const { warnings: outsideWarnings, ...outside } = planOutside(workspace, request, present);
    const part = await planGitPart(workspace, request, present);
    const told = sharesOf(workspace, request, present);
    const since = changedSince(workspace, request, present);
    const running = readRunningSteps(workspace);
    const shares = (told ?? []).filter(({ path }) => isChosen?.(path) ?? true);
    const plan: RollbackPlan = {
      ...rest,
      ...(part.git === undefined ? {} : { git: part.git }),
      unkept: part.unkept,
      expectedTree: stateName(present.state),
      steps: planned.steps,
      outside,
      kept: [...planned.kept, ...wanted.kept, ...left.kept, ...leftOutOfCommits(request)],
      setAside: left.kept.map(({ path }) => path),
      inTheWay: [
        ...planned.inTheWay,
        ...found.inTheWay,
        ...found.hidden.map((path) => ({ path, reason: 'is in the way and can not be captured' })),
      ],
      conflicts: conflicts.filter(({ path }) => isExcluded(path, false) === null && !live.has(path)),
      shares,
      replayed: done,
      warnings: [
        ...(request.keepsCode ? [] : warningsOfRunning(running)),
        ...warningsFor(request, present, part, since),
        ...part.warnings,
        ...warningsOfShares(request, shares, planned.steps),
        ...outsideWarnings,
        ...(told === undefined ? [UNTOLD] : []),
      ],
      running,
      disturbed: since.disturbed,
      goesBack: countBack(workspace, request.target),
    };
    return { request, plan, present };
  }
};

const leftOutOfCommits = ({ replay }: RollbackRequest): Kept[] => replay?.steps.flatMap(({ commit }) => commit?.leftOut ?? []) ?? [];

/** Undefined where damage to what was recorded in between keeps us from telling: that is no reason not to go back. */
const sharesOf = (workspace: Workspace, { verb, target, keepsCode }: RollbackRequest, { state }: Present): PathShare[] | undefined => {
  try {
    return verb === 'Rollback' && !keepsCode ? sharesSince(workspace, target, state) : [];
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return undefined;
    throw error;
  }
};

const UNTOLD = 'whose changes these are can not be told: something that was recorded since is damaged';

/** What leads from the present to what is wanted. */
const wantedChanges = (workspace: Workspace, request: RollbackRequest, present: Present): Replayed => {
  const wanted = allChanges(workspace, request, present);
  if (request.hunks === undefined) return wanted;
  // What the replay made is read for its parts.
  present.batch.flush();
  return { ...wanted, all: limitToHunks(workspace.store, wanted.all, request.hunks, present.batch) };
};

const allChanges = (workspace: Workspace, { target, replay, only, hunks }: RollbackRequest, present: Present): Replayed => {
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
export const chooser = (
  { store }: Workspace,
  { only, hunks, undoes, keepsCode }: Pick<RollbackRequest, 'only' | 'hunks' | 'undoes' | 'keepsCode'>,
): ((path: RelativePath) => boolean) | undefined => {
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
const factsAbout = (workspace: Workspace, { target, undoes, replay }: RollbackRequest, fs: WorkspaceFs): PlanFacts => {
  const records = replay === undefined ? [target] : takenFrom(workspace, replay);
  const rules = undoes === undefined ? records.map((record) => leftOutOf(workspace, record)) : [];
  return {
    leftOut: (path, isDirectory) => rules.some((leftOut) => leftOut(path, isDirectory)),
    names: (directory) => fs.names(directory) ?? [],
  };
};

/** Of an undo: how many of the files it is about, and how many other paths, changed since what it takes back. */
const changedSince = (
  { store }: Workspace,
  { undoes, keepsCode }: RollbackRequest,
  { state }: Present,
): { disturbed: number; others: number } => {
  if (undoes === undefined || keepsCode) return { disturbed: 0, others: 0 };
  const left = new Map(store.log.plan(undoes.id).map(({ path, to }) => [path, leafOf(to)]));
  const changes = diffStates(store.objects, undoes.state, state);
  // What it left where ignore rules hide it is not in its own record.
  const disturbed = leafChanges(changes).filter(
    ({ path, from, to }) => left.has(path) && !sameNode(from ?? left.get(path) ?? null, to),
  ).length;
  return { disturbed, others: changes.filter(({ path }) => !left.has(path)).length };
};

const warningsFor = (
  { verb, target, keepsCode, git, replay, subject }: RollbackRequest,
  present: Present,
  part: GitPart,
  { disturbed, others }: ReturnType<typeof changedSince>,
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
  if (disturbed > 0) warnings.push(`${disturbed} of these files changed after the rollback; the safety checkpoint keeps those changes`);
  if (others > 0) warnings.push(`${others} other path(s) changed since and are not touched`);
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
