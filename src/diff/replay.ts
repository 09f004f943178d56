import { isWithin, type MergeChoice, type Node, type RelativePath, sameState, type WorkspaceState } from '../model/index.ts';
import type { ObjectBatch, ObjectStore } from '../store/index.ts';
import { applyChanges } from './apply-changes.ts';
import { mergeStates } from './merge.ts';
import { type MergeChoices, resolveMerge, writeMerged } from './merge-resolve.ts';
import type { ConflictReason, MergeConflict, Renamed } from './merged.ts';
import { narrowed, type Passage } from './narrow.ts';
import { withOwnLines } from './own-lines.ts';
import { diffStates, type StateChange } from './states.ts';
import type { MergeLabels } from './text/index.ts';

export interface ReplayStep extends Passage {
  /** What stands behind the markers of conflicts. */
  readonly labels?: MergeLabels;
  /** It is merged on its own, also where it follows the one before without a gap. */
  readonly apart?: boolean;
  /** Its states hold only the paths that it is about. */
  readonly partial?: boolean;
}

export interface ReplayConflict {
  /** The steps that changed the path, or where it was before it was renamed, and are merged together, by their places in the list. */
  readonly steps: readonly number[];
  readonly path: RelativePath;
  readonly reason: ConflictReason;
  /** Null while there is none: the path stays as ours has it. */
  readonly choice: MergeChoice | null;
  readonly base: Node | null;
  readonly ours: Node | null;
  readonly theirs: Node | null;
  /** What there would be to finish by hand; null where there is no such middle. */
  readonly manual: Node | null;
  readonly renamed: Renamed | null;
}

export interface Replay {
  readonly state: WorkspaceState;
  /** From where it began to `state`. */
  readonly changes: readonly StateChange[];
  readonly conflicts: readonly ReplayConflict[];
  /** How many of the steps are in `state`: all, unless it was to stop where something is left to be finished by hand. */
  readonly done: number;
  /** After each step that is done; those that are merged as one share what comes of it. */
  readonly states: readonly WorkspaceState[];
}

export interface ReplayChoices extends MergeChoices {
  /** Steps after one that leaves something to be finished by hand would be merged with its markers: they are not gone on with. */
  readonly stopsAtMarkers?: boolean;
  /** Of texts in conflict only the lines that a step changed are its own. */
  readonly ownLines?: boolean;
}

/**
 * Steps done again on another state, in order: each is merged, three-way, with what the ones before it made. Steps that follow each
 * other without a gap are one change. Everything is in the store afterwards.
 */
export const replaySteps = (
  store: ObjectStore,
  batch: ObjectBatch,
  onto: WorkspaceState,
  steps: readonly ReplayStep[],
  { stopsAtMarkers = false, ownLines = false, ...choices }: ReplayChoices = {},
): Replay => {
  const conflicts: ReplayConflict[] = [];
  const states: WorkspaceState[] = [];
  let state = onto;
  let done = 0;
  const whole = steps.map((step) => narrowed(store, batch, step));
  batch.flush();
  for (const stretch of joined(whole)) {
    if (stopsAtMarkers && conflicts.some(({ choice }) => choice === 'manual')) break;
    const sides = { base: stretch.before, ours: state, theirs: stretch.after };
    const partial = isPartial(stretch.steps);
    const merged = mergeStates(store, sides, stretch.labels === undefined ? { partial } : { partial, labels: stretch.labels });
    const merge = ownLines ? withOwnLines(store, merged) : merged;
    const resolved = resolveMerge(merge, choices);
    const open = new Set(resolved.unresolved);
    state = applyChanges(store, batch, state, writeMerged(batch, { ...resolved, unresolved: [] }));
    const changed = merge.conflicts.length === 0 ? [] : changedPaths(store, stretch.steps);
    for (const conflict of merge.conflicts) {
      conflicts.push({
        steps: changed.flatMap((paths, at) => (paths.some((path) => isAbout(conflict, path)) ? [done + at] : [])),
        ...described(batch, conflict),
        choice: open.has(conflict.path) ? null : (choices.paths?.get(conflict.path) ?? choices.rest ?? null),
      });
    }
    // The next merge reads what this one made.
    batch.flush();
    done += stretch.steps.length;
    for (const _ of stretch.steps) states.push(state);
  }
  return { state, changes: diffStates(store, onto, state), conflicts, done, states };
};

/** The same steps taken out again: what the last one did goes first. */
export const reversed = <Step extends ReplayStep>(steps: readonly Step[]): Step[] =>
  steps.toReversed().map((step) => ({ ...step, before: step.after, after: step.before }));

/** Several steps as one change of what the first was made of; where something else lies between them, the later one counts. */
export const composed = (store: ObjectStore, batch: ObjectBatch, steps: readonly ReplayStep[]): ReplayStep => {
  const [first, last] = [steps[0], steps.at(-1)] as [ReplayStep, ReplayStep];
  const { state } = replaySteps(store, batch, first.before, steps, { rest: 'theirs' });
  return { before: first.before, after: state, partial: isPartial(steps), ...joinedLabels(first, last) };
};

const isPartial = (steps: readonly ReplayStep[]): boolean => steps.some(({ partial }) => partial);

const joinedLabels = ({ labels: first }: ReplayStep, { labels: last }: ReplayStep): Pick<ReplayStep, 'labels'> =>
  first === undefined || last === undefined ? {} : { labels: { ...first, theirs: last.theirs } };

interface Stretch extends ReplayStep {
  readonly steps: readonly ReplayStep[];
}

/** Merged one by one, such steps would conflict once more for every change of the same place. */
const joined = (steps: readonly ReplayStep[]): Stretch[] => {
  const stretches: Stretch[] = [];
  for (const step of steps) {
    const last = stretches.at(-1);
    if (last !== undefined && !step.apart && sameState(last.after, step.before)) {
      stretches[stretches.length - 1] = { ...last, ...joinedLabels(last, step), after: step.after, steps: [...last.steps, step] };
    } else stretches.push({ ...step, steps: [step] });
  }
  return stretches;
};

const changedPaths = (store: ObjectStore, steps: readonly ReplayStep[]): RelativePath[][] =>
  steps.map(({ before, after }) => diffStates(store, before, after).map(({ path }) => path));

const isAbout = ({ path, renamed }: MergeConflict, changed: RelativePath): boolean => isWithin(changed, path) || changed === renamed?.from;

const described = (batch: ObjectBatch, { path, reason, base, ours, theirs, manual, renamed }: MergeConflict) => ({
  path,
  reason,
  base,
  ours,
  theirs,
  renamed,
  manual:
    manual !== null && 'bytes' in manual ? { type: manual.type, blob: batch.blob(manual.bytes), permissions: manual.permissions } : manual,
});
