import { composed, diffStates, narrowed, type ReplayConflict, type ReplayStep, replaySteps, type StateChange } from '../../diff/index.ts';
import {
  type Extent,
  isWithin,
  type MergeChoice,
  type OperationId,
  type Recorded,
  type RecoveryCommits,
  type RelativePath,
  RetakeError,
  ROOT,
  type Rollback,
  toText,
  type WorkspaceState,
} from '../../model/index.ts';
import type { WorkStep } from '../../timeline/index.ts';
import type { Present } from '../core/present.ts';
import type { Workspace } from '../core/workspace.ts';
import type { RollbackPlan, RollbackRequest } from '../rewind/plan.ts';
import type { CommitFacts } from './commit-step.ts';

/** Changes that are taken into the present, or out of it, one after the other. Plain data: it may be carried out by another process. */
export interface ReplayRequest extends ReplayChoice {
  readonly steps: readonly RequestedStep[];
  /** What was changed there since the newest record goes back before them. */
  readonly unrecorded?: Extent;
  /** The steps that run and may have changed that, by their tool use. */
  readonly unrecordedOf?: readonly string[];
  /** They are made one change first. */
  readonly squash?: boolean;
  /** What comes after a step that is to be finished by hand is left for later. */
  readonly stopsAtMarkers?: boolean;
  /** What comes of it is to be committed; tells what each step was asked for by. */
  readonly asked?: RecoveryCommits['asked'] | undefined;
}

/** What to do about conflicts: at these paths, and at all others. */
export interface ReplayChoice {
  readonly choices: readonly (readonly [RelativePath, MergeChoice])[];
  readonly rest: MergeChoice | null;
}

export interface RequestedStep extends ReplayStep {
  /** What it is known by. */
  readonly id: OperationId;
  readonly title: string;
  /** The recorded steps that are taken out, or brought back, with it. */
  readonly standsFor: readonly OperationId[];
  /** Of those only these paths are meant: the rest is other steps' doing. */
  readonly part?: readonly RelativePath[];
  /** Parts of records that are brought back with it, where the rest of them was never gone. */
  readonly partly?: Rollback['partly'];
  /** The operation of our own that goes back with it. */
  readonly takesBack?: OperationId;
  /** The record of the state it leads to: its rules tell which paths it may have left out rather than found absent. Null for a commit. */
  readonly takenFrom: OperationId | null;
  /** What it is, where it is no step of ours but a commit of the user's. */
  readonly commit?: CommitFacts;
}

/** A step of an agent's work, to be done again. */
export const requestedStep = ({ checkpoint, description, before, after, only, except, standsFor, part }: WorkStep): RequestedStep => ({
  id: checkpoint,
  title: description,
  before,
  after,
  ...(only === undefined ? {} : { only }),
  ...(except === undefined ? {} : { except }),
  standsFor,
  ...(part === undefined ? {} : { part }),
  takenFrom: checkpoint,
});

export interface Replayed {
  readonly all: readonly StateChange[];
  readonly conflicts: readonly ReplayConflict[];
  readonly done: number;
  /** After each step that is done. */
  readonly states: readonly WorkspaceState[];
}

/** What leads from the present to the present with these changes. */
export const replayOnto = (workspace: Workspace, request: ReplayRequest, { state, batch }: Pick<Present, 'state' | 'batch'>): Replayed => {
  const { objects } = workspace.store;
  const choices = { paths: new Map(request.choices), rest: request.rest ?? undefined, stopsAtMarkers: request.stopsAtMarkers ?? false };
  const squashed = request.squash && request.steps.length > 1 ? composed(objects, batch, request.steps) : undefined;
  const start = request.unrecorded === undefined ? state : asRecorded(workspace, request.unrecorded, { state, batch });
  const {
    conflicts,
    done,
    states,
    state: end,
  } = replaySteps(objects, batch, start, squashed === undefined ? request.steps : [squashed], choices);
  const changes = diffStates(objects, state, end);
  refuseNeedless(request, conflicts);
  if (squashed === undefined) return { all: changes, conflicts, done, states };
  const every = request.steps.map((_, at) => at);
  return {
    all: changes,
    conflicts: conflicts.map((conflict) => ({ ...conflict, steps: every })),
    done: request.steps.length,
    states: every.map(() => end),
  };
};

/** The present without what was changed, in a part of it, since the newest record. */
const asRecorded = (
  { store: { objects }, index }: Workspace,
  part: Extent,
  { state, batch }: Pick<Present, 'state' | 'batch'>,
): WorkspaceState => {
  const newest = index.newestContent()?.state ?? state;
  const { after } = narrowed(objects, batch, { ...part, before: state, after: newest });
  batch.flush();
  return after;
};

/** The records that tell what may be absent only because it was left out; where one is gone, its neighbours still tell. */
export const takenFrom = ({ store, index }: Workspace, { steps, unrecorded }: ReplayRequest): Recorded[] => {
  const newest = unrecorded === undefined ? undefined : index.newestContent();
  return [...new Set([...steps.flatMap((step) => step.takenFrom ?? []), ...(newest === undefined ? [] : [newest.id])])].flatMap(
    (id) => store.log.readIfIntact(id) ?? [],
  );
};

const refuseNeedless = ({ choices }: ReplayRequest, conflicts: readonly ReplayConflict[]): void => {
  const [needless] = choices.find(([path]) => !conflicts.some((conflict) => conflict.path === path)) ?? [];
  if (needless === undefined) return;
  throw new RetakeError('unknown-id', `${toText(needless)} is not in conflict, so that there is nothing to choose; nothing was changed`, {
    hint: 'A dry run lists the conflicts.',
  });
};

/** What is to be remembered of it in the log. */
export const replayedIn = (
  { replay, verb, continues, only, hunks }: Omit<RollbackRequest, 'git' | 'outside'>,
  { conflicts, replayed }: RollbackPlan,
): Pick<Rollback, 'steps' | 'partly' | 'takesBack' | 'left' | 'commits' | 'continues'> => {
  // Of a step whose lines went back only in part, nothing can be said.
  if (replay === undefined || verb === 'Merge' || hunks !== undefined) return {};
  const [done, rest] = [replay.steps.slice(0, replayed), replay.steps.slice(replayed)];
  const marked = conflicts.filter(({ choice }) => choice === 'manual').map(({ path }) => path);
  return {
    ...(only === undefined ? stepsMoved(done) : partsMoved(done, only)),
    ...(verb === 'Recover' && marked.length > 0 ? { left: { steps: rest.map(({ id }) => id), marked: [...new Set(marked)] } } : {}),
    ...(replay.asked === undefined ? {} : { commits: commitsOf(replay, replay.asked, replayed) }),
    ...(continues === undefined ? {} : { continues }),
  };
};

const stepsMoved = (done: readonly RequestedStep[]): Pick<Rollback, 'steps' | 'partly' | 'takesBack'> => {
  const partly = done.flatMap(({ standsFor, part, partly: more = [] }) => [
    ...(part === undefined ? [] : standsFor.map((step) => ({ step, paths: part }))),
    ...more,
  ]);
  const whole = done.filter(({ part }) => part === undefined);
  const takesBack = done.flatMap((step) => step.takesBack ?? []);
  return {
    steps: [...new Set(whole.flatMap(({ standsFor }) => standsFor))],
    ...(partly.length === 0 ? {} : { partly }),
    ...(takesBack.length === 0 ? {} : { takesBack }),
  };
};

/** The same where only some paths are meant: the rest of the steps, and of our own operations, stays. */
const partsMoved = (done: readonly RequestedStep[], only: readonly RelativePath[]): Pick<Rollback, 'steps' | 'partly'> => ({
  steps: [],
  partly: done.flatMap(({ standsFor, part = [ROOT] }) => {
    const paths = part.flatMap((path) => only.flatMap((one) => (isWithin(one, path) ? [one] : isWithin(path, one) ? [path] : [])));
    return paths.length === 0 ? [] : standsFor.map((step) => ({ step, paths }));
  }),
});

const commitsOf = ({ squash = false, choices, rest }: ReplayRequest, asked: RecoveryCommits['asked'], done: number): RecoveryCommits => ({
  asked,
  done,
  squash,
  choices,
  rest,
});
