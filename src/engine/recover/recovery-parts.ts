import {
  type MergeChoice,
  type OperationId,
  type Recorded,
  type RelativePath,
  RetakeError,
  type Rollback,
  shortId,
  type WorkspaceState,
} from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { Recovery } from './recover.ts';
import { type RecoverableStep, resolveSteps, unitsApart } from './recover-steps.ts';
import type { ReplayRequest } from './replay-request.ts';

/** What one recovery did, or is about to do: one that was stopped and gone on with has several parts. */
export interface RecoveryPart {
  /** Null for the present. */
  readonly before: WorkspaceState | null;
  readonly steps: readonly RecoverableStep[];
  readonly replay: ReplayRequest;
  /** What was left to be finished by hand, and the state in which it was; null for the present. */
  readonly marked: readonly RelativePath[];
  readonly finished: WorkspaceState | null;
  /** The record that it is known by. */
  readonly known: OperationId;
}

/** The parts of a recovery, oldest first, by its last record. */
export const recordedParts = async (workspace: Workspace, last: OperationId): Promise<RecoveryPart[]> => {
  const chain: Recorded<Rollback>[] = [];
  for (let at: OperationId | undefined = last; at !== undefined; at = chain[0]?.continues) {
    chain.unshift(workspace.store.log.read(at) as Recorded<Rollback>);
  }
  const parts: RecoveryPart[] = [];
  for (const [at, recovery] of chain.entries()) {
    const next = chain[at + 1];
    parts.push({ ...(await partOf(workspace, recovery)), finished: next === undefined ? null : stateBefore(workspace, next) });
  }
  return parts;
};

/** A part that is yet to be done, on top of the present. */
export const plannedPart = ({ request, steps }: Recovery): RecoveryPart => ({
  before: null,
  steps,
  replay: request.replay as ReplayRequest,
  marked: [],
  finished: null,
  known: request.target.id,
});

const partOf = async (workspace: Workspace, recovery: Recorded<Rollback>): Promise<Omit<RecoveryPart, 'finished'>> => {
  const { commits } = recovery;
  if (commits === undefined) throw new RetakeError('nothing-to-keep', `Recovery ${shortId(recovery.id)} was not to be committed`);
  const { squash, choices, rest } = commits;
  const done = commits.asked.slice(0, commits.done);
  const found = await resolveSteps(
    workspace,
    done.map(({ step }) => step),
  );
  const steps = done.flatMap(({ step, unit }) => found.filter(({ id }) => id === step).map((one) => ({ ...one, unit })));
  return {
    before: stateBefore(workspace, recovery),
    steps,
    replay: {
      steps: unitsApart(steps),
      squash,
      choices: choices as ReplayRequest['choices'],
      rest: rest as MergeChoice | null,
      stopsAtMarkers: true,
    },
    marked: recovery.left?.marked ?? [],
    known: recovery.id,
  };
};

const stateBefore = ({ store }: Workspace, { safety }: Recorded<Rollback>): WorkspaceState =>
  store.log.read(safety).state as WorkspaceState;
