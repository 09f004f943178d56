import { join } from 'node:path';
import { hasMarkers } from '../../diff/index.ts';
import {
  type Checkpoint,
  type LeftToRecover,
  type OperationId,
  pathFields,
  type Recorded,
  type RelativePath,
  RetakeError,
  type Rollback,
  shortId,
  toText,
} from '../../model/index.ts';
import { WorkspaceFs } from '../../restore/index.ts';
import { readList, writeList } from '../core/list-file.ts';
import type { Workspace } from '../core/workspace.ts';
import type { AddressOptions } from '../read/resolve.ts';
import { createCheckpoint } from '../record/checkpoint.ts';
import type { RollbackRequest } from '../rewind/plan.ts';
import { reachabilityOf } from './reachability.ts';
import { type RecoverableStep, resolveSteps, unitsApart } from './recover-steps.ts';
import type { ReplayChoice } from './replay-request.ts';

export interface RecoverRequest extends ReplayChoice, AddressOptions {
  /** As one change. */
  readonly squash?: boolean | undefined;
  /** What comes of it becomes commits too. */
  readonly commit?: boolean | undefined;
}

/** What is to be recovered. */
export interface Recovery {
  readonly request: RollbackRequest;
  readonly steps: readonly RecoverableStep[];
}

/** Doing again what was rolled back, or done elsewhere, on top of the present (GIT-6). */
export const resolveRecover = async (
  workspace: Workspace,
  addresses: readonly string[],
  { session, squash = false, commit = false, ...choice }: RecoverRequest,
): Promise<Recovery> => {
  refuseWhileUnderWay(workspace);
  return requestAt(workspace, await resolveSteps(workspace, addresses, { session }), { ...choice, squash }, commit);
};

export const refuseWhileUnderWay = (workspace: Workspace): void => {
  const under = unfinishedRecovery(workspace);
  // Where only the markers were left and are gone, nobody has to say so.
  if (
    under !== undefined &&
    (under.commits !== undefined || under.left.steps.length > 0 || stillMarked(workspace, under.left).length > 0)
  ) {
    throw new RetakeError('recover-under-way', `Recovery ${shortId(under.id)} is not finished yet`, {
      hint: 'Go on with it: retake recover --continue, or take it back: retake recover --abort',
      details: leftJson(under.left),
    });
  }
};

/** `rest` is null when all that was left was to be finished by hand, and is, or to be committed. */
export const resolveContinue = async (
  workspace: Workspace,
  choice: ReplayChoice,
): Promise<{ recovery: OperationId; commits: boolean; rest: Recovery | null }> => {
  const under = unfinishedRecovery(workspace) ?? refuse('There is no recovery to go on with');
  const open = stillMarked(workspace, under.left);
  if (open.length > 0) {
    throw new RetakeError('markers-left', `There are still markers in ${open.map(toText).join(', ')}`, {
      hint: 'Finish these files, then: retake recover --continue; or take all of it back: retake recover --abort',
      details: { marked: open.map(pathFields) },
    });
  }
  const { id: recovery, left, commits: committed } = under;
  const commits = committed !== undefined;
  if (left.steps.length === 0) return { recovery, commits, rest: null };
  const asked = new Map(committed?.asked.map(({ step, unit }) => [step, unit]));
  const found = await resolveSteps(workspace, left.steps);
  const steps = found.map((step) => ({ ...step, unit: asked.get(step.id) ?? step.unit }));
  const { request } = await requestAt(workspace, steps, choice, commits);
  return { recovery, commits, rest: { request: { ...request, continues: recovery }, steps } };
};

/** The parts of the recovery that is under way, newest first: each is to be undone. */
export const recoveryToAbort = (workspace: Workspace): OperationId[] => {
  const { id } = unfinishedRecovery(workspace) ?? refuse('There is no recovery to take back');
  const parts: OperationId[] = [];
  for (let at: OperationId | undefined = id; at !== undefined; ) {
    parts.push(at);
    at = (workspace.index.get(at)?.operation as Recorded<Rollback> | undefined)?.continues;
  }
  return parts;
};

/** Nothing is left to do of it, which its record does not know. */
export const closeRecovery = (workspace: Workspace, recovery: OperationId): Promise<void> =>
  workspace.write(() => writeList(closedPath(workspace), [...closed(workspace), recovery].slice(-MOST_CLOSED)));

/** A recovery that was forgotten about is under way only while it is the newest: older ones need not be remembered. */
const MOST_CLOSED = 100;
const closedPath = ({ data }: Workspace): string => join(data, 'recoveries-closed.json');
const closed = (workspace: Workspace): OperationId[] => readList(closedPath(workspace), (value) => typeof value === 'string');

type Unfinished = Recorded<Rollback> & { readonly left: LeftToRecover };

/** The newest recovery in force, if it stopped and was not gone on with. The log tells, so that being killed loses nothing. */
const unfinishedRecovery = (workspace: Workspace): Unfinished | undefined => {
  const newest = workspace.isProtected ? reachabilityOf(workspace).recoveries.at(-1) : undefined;
  if (newest === undefined || (newest.left ?? newest.commits) === undefined || closed(workspace).includes(newest.id)) return undefined;
  return { ...newest, left: newest.left ?? { steps: [], marked: [] } };
};

const stillMarked = ({ root }: Workspace, { marked }: LeftToRecover): RelativePath[] => {
  const fs = new WorkspaceFs(root);
  return marked.filter((path) => {
    const stat = fs.look(path);
    return stat?.isFile() && hasMarkers(fs.readFile(path, stat.size));
  });
};

const requestAt = async (
  workspace: Workspace,
  steps: readonly RecoverableStep[],
  choice: ReplayChoice & { readonly squash?: boolean },
  commits: boolean,
): Promise<Recovery> => {
  const last = steps.at(-1) ?? refuse('There is nothing to recover');
  const target = steps.findLast((step) => step.target !== null)?.target ?? (await newestCheckpoint(workspace));
  const requestedSteps = (commits ? unitsApart(steps) : steps).map(({ target: _, sequence: __, unit: ___, work: ____, ...step }) => step);
  const asked = commits ? steps.map(({ id: step, unit }) => ({ step, unit })) : undefined;
  const request: RollbackRequest = {
    verb: 'Recover',
    target,
    ...(last.target === null ? { subject: last.id } : {}),
    title: steps.length === 1 ? last.title : `${steps.length} steps`,
    replay: { steps: requestedSteps, ...choice, stopsAtMarkers: true, asked },
  };
  return { request, steps };
};

/** A commit has no record that could be the target: the recovery begins where the workspace is. */
const newestCheckpoint = async (workspace: Workspace): Promise<Recorded<Checkpoint>> => {
  const newest = workspace.isProtected ? workspace.index.newestCheckpoints(1)[0]?.operation : undefined;
  return (newest as Recorded<Checkpoint> | undefined) ?? (await createCheckpoint(workspace, {})).checkpoint;
};

const leftJson = ({ steps, marked }: LeftToRecover) => ({ steps, marked: marked.map(pathFields) });

const refuse = (message: string): never => {
  throw new RetakeError('nothing-to-recover', message, { hint: 'retake log lists what was rolled back.' });
};
