import { statSync } from 'node:fs';
import { join } from 'node:path';
import { now } from '../../host/index.ts';
import { isCheckpoint, lineOf, type Recorded, toFs } from '../../model/index.ts';
import { countForgotten } from '../../store/index.ts';
import { classify, type PruneReason, type Retention, type RetentionClass, retain } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { reachabilityOf } from '../recover/reachability.ts';
import type { Settings } from '../settings/settings.ts';
import { type DiskUse, diskUse } from './disk-use.ts';
import { requireWholeLog } from './log-whole.ts';
import { recordPrune } from './record-prune.ts';
import { Weights } from './weights.ts';

export interface PruneOptions {
  /** How many bytes the workspace may take; what the settings say unless given. */
  readonly allowance?: number | undefined;
  /** Whether to tell what would become free, which takes a look at all that is recorded. */
  readonly weighs?: boolean;
  readonly onProgress?: ((objects: number) => void) | undefined;
}

export interface PrunePlan {
  /** The newest operation that was there when it was made. */
  readonly upTo: number;
  /** Oldest first. */
  readonly goes: readonly { readonly operation: Recorded; readonly retentionClass: RetentionClass; readonly why: PruneReason }[];
  /** How many stay. */
  readonly stays: number;
  /** What becomes free when the store is packed; null where that was not asked for. */
  readonly frees: number | null;
  readonly usage: DiskUse;
  readonly allowance: number;
}

const DAY = 86_400_000;

/** What goes to keep the workspace's store within its limits (STO-3). Changes nothing. What is worth keeping is not to be told by half of the log. */
export const planPrune = (workspace: Workspace, options: PruneOptions = {}): PrunePlan => {
  requireWholeLog(workspace);
  const { store, settings } = workspace;
  const { allowance = settings['retention.maxBytes'], weighs = false, onProgress } = options;
  const usage = diskUse(workspace.storePath);
  const upTo = store.log.newest?.sequence ?? 0;
  const weights = new Weights(store.objects, onProgress);
  const room = usage.bytes > allowance ? roomIn(workspace, allowance, usage) : weighs ? Number.POSITIVE_INFINITY : null;
  const { goes, stays, excess } = chosen(workspace, room, weights);
  const frees = weighs ? goes.reduce((sum, { operation }) => sum + weights.weigh(operation), excess) : null;
  return { upTo, goes, stays: stays.length, frees, usage, allowance };
};

const chosen = (workspace: Workspace, room: number | null, weights: Weights): Retention => {
  const { settings, index, root } = workspace;
  const time = now().getTime();
  const isThere = statSync(toFs(root), { throwIfNoEntry: false }) !== undefined;
  const lines = Map.groupBy(index.list().reverse(), ({ operation }) => lineOf(operation));
  const classified = [...lines].flatMap(([line, entries]) =>
    classify(entries, {
      reachability: reachabilityOf(workspace, { line }),
      activeSince: time - settings['retention.days'] * DAY,
      isThere: isThere && line === null,
    }),
  );
  return retain(classified, {
    time,
    days: daysOf(settings),
    count: settings['retention.maxCheckpoints'],
    ...(room === null ? {} : { room: { bytes: room, weigh: (operation) => weights.weigh(operation) } }),
  });
};

const daysOf = (settings: Settings): Partial<Record<RetentionClass, number>> => ({
  step: settings['retention.days'],
  turn: settings['retention.days'],
  'rolled-back': settings['retention.rolledBackDays'],
  'fork-point': settings['retention.forkDays'],
});

/** What objects may take, when everything is to take no more than so much. */
const roomIn = ({ storePath }: Workspace, most: number, { bytes }: DiskUse): number =>
  Math.max(0, most - (bytes - diskUse(join(storePath, 'objects')).bytes));

/** Somebody who records all the time must not keep the store from being pruned, nor be kept waiting: this is tried again another day. */
const ATTEMPTS = 3;

/** Gives up what has to go. Those who record meanwhile wait only until it is written down. */
export const prune = async (workspace: Workspace, options: PruneOptions = {}): Promise<PrunePlan> => {
  let plan = planPrune(workspace, options);
  for (let attempt = 0; plan.goes.length > 0 && attempt < ATTEMPTS; attempt++) {
    if (await workspace.write(() => applyPrune(workspace, plan))) return plan;
    plan = planPrune(workspace, options);
  }
  return { ...plan, goes: [], stays: plan.stays + plan.goes.length, frees: plan.frees === null ? null : 0 };
};

/** Records the prune and removes the refs; false where the plan is not true any more. Needs the lock. */
const applyPrune = (workspace: Workspace, plan: PrunePlan): boolean => {
  if (!isStillTrue(workspace, plan)) return false;
  const targets = plan.goes.map(({ operation }) => operation.id);
  const toldOf = plan.goes.reduce((sum, { operation }) => sum + countForgotten(operation), 0);
  recordPrune(workspace, { description: describePrune(plan), targets, toldOf });
  workspace.store.log.forget(targets);
  return true;
};

/** What was recorded since needs nothing that goes: plain checkpoints of other sessions than those concerned. */
const isStillTrue = ({ index, store }: Workspace, { upTo, goes }: PrunePlan): boolean => {
  if (store.log.newest?.sequence === upTo) return true;
  const sessions = new Set(goes.map(({ operation }) => operation.session));
  const since = index.list({ from: upTo + 1 }).map(({ operation }) => operation);
  return since.every((operation) => isCheckpoint(operation) && operation.kind !== 'safety' && !sessions.has(operation.session));
};

export const PRUNE_REASONS: Readonly<Record<PruneReason, string>> = { age: 'too old', count: 'too many', bytes: 'to make room' };

/** How many go for which reason. */
export const reasonsOf = (goes: PrunePlan['goes']): string =>
  [...Map.groupBy(goes, ({ why }) => why)].map(([why, some]) => `${some.length} ${PRUNE_REASONS[why]}`).join(', ');

const describePrune = ({ goes }: Pick<PrunePlan, 'goes'>): string => `Prune ${goes.length} records: ${reasonsOf(goes)}`;
