import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { now as clock, exists, Lock, noSpace, refuseIfAborted } from '../../host/index.ts';
import type { ObjectId } from '../../model/index.ts';
import { forgottenBy, type LooseFile, NewPack, type PackProgress, removeEmptyFolders, removeIfThere } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { measured } from '../timing/measured.ts';
import { type DiskUse, diskUse } from './disk-use.ts';
import { type Extent, extentWorthwhile } from './extent.ts';
import { isLogWhole, requireHead, requireWholeLog } from './log-whole.ts';
import { type Inventory, type PackingPlan, planAll, planLoose, takeInventory } from './packing-plan.ts';
import { KnownLog, type Roots } from './roots.ts';
import { removePacksWithoutIndex, removeStrays } from './strays.ts';
import { type Swapped, swap } from './swap.ts';
import { unpinUnused } from './unpin-unused.ts';
import { noteUpkeep, readUpkeepMemo } from './upkeep-memo.ts';

/** What nothing refers to any more is kept this long: somebody may just be looking at it. */
const GRACE = 3_600_000;

export interface GcOptions {
  readonly onProgress?: ((progress: GcProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Without the time for which what was given up is kept for those who may just be looking at it. */
  readonly now?: boolean | undefined;
  /** Only as far as it is worth it. */
  readonly asNeeded?: boolean | undefined;
}

export type GcProgress = { readonly phase: 'reading'; readonly done: number; readonly total?: undefined } | PackProgress;

export interface GcReport extends Swapped {
  readonly extent: Extent;
  readonly before: DiskUse;
  readonly after: DiskUse;
  /** Objects in the new pack. */
  readonly packed: number;
  readonly straysRemoved: number;
  /** Refs that held something of the user's git which no operation speaks of any more. */
  readonly heldReleased: number;
  /** Objects that can't be read. They stay where they are, and with them all that nothing seems to need. */
  readonly damaged: number;
}

/**
 * Packs objects with deltas, packs refs, and clears away what nothing has referred to for a while (STO-3). The lock is taken for two
 * moments only: to clear away strays, and to put the new pack in the place of what it holds; others record meanwhile. Interrupted or
 * killed at any instant it leaves a sound store, and strays for the next one.
 */
export const collectGarbage = async (workspace: Workspace, options: GcOptions = {}): Promise<GcReport> => {
  // One at a time: nobody else takes packs away.
  const lock = new Lock(join(workspace.data, 'gc-lock'));
  try {
    return await lock.hold(() => measured(workspace, 'gc', () => collect(workspace, options)));
  } finally {
    lock.close();
  }
};

const collect = async (workspace: Workspace, options: GcOptions): Promise<GcReport> => {
  const { storePath } = workspace;
  const since = options.now ? Number.POSITIVE_INFINITY : clock().getTime() - GRACE;
  const size = () => diskUse(storePath, join(workspace.data, 'held.git'));
  const before = size();
  requireHead(workspace);
  if (!isLogWhole(workspace)) await workspace.write(() => requireWholeLog(workspace));
  const straysRemoved = await workspace.write(() => {
    const removed = removeStrays(workspace);
    workspace.store.log.packRefs();
    return removed;
  });
  const log = new KnownLog(workspace.store);
  // Before the inventory: what an operation needs is there before it is.
  const roots = log.rootsNow(since);
  const inventory = takeInventory(`${storePath}/objects`);
  const extent = options.asNeeded ? extentWorthwhile(conditionOf(workspace, inventory, log, since)) : 'all';
  const done = extent === 'nothing' ? NOTHING : await pack(workspace, { extent, since, log, roots, inventory, options });
  if (extent === 'all' && done.damaged === 0) {
    const isFree = Date.parse(readUpkeepMemo(workspace).pendingSince ?? '') <= since;
    noteUpkeep(workspace, { packedAt: clock().toISOString(), ...(isFree ? { pending: 0 } : {}) });
  }
  const heldReleased = await unpinUnused(workspace, { log, since, asNeeded: options.asNeeded ?? false, signal: options.signal });
  return { extent, before, straysRemoved, ...done, heldReleased, after: size() };
};

const NOTHING = { packed: 0, packsRemoved: 0, objectsRemoved: 0, damaged: 0 };

const conditionOf = (workspace: Workspace, { packs, loose }: Inventory, { operations }: KnownLog, since: number) => {
  const packedAt = Date.parse(readUpkeepMemo(workspace).packedAt ?? '') || 0;
  const forgotten = operations.filter(({ createdAt }) => Date.parse(createdAt) > packedAt - GRACE && Date.parse(createdAt) <= since);
  return {
    looseObjects: loose.length,
    packs: packs.filter(({ isShared }) => !isShared).length,
    operations: operations.length,
    forgotten: forgotten.flatMap(forgottenBy).length,
  };
};

interface Task {
  readonly extent: Extent;
  readonly since: number;
  readonly log: KnownLog;
  readonly roots: Roots;
  readonly inventory: Inventory;
  readonly options: GcOptions;
}

const pack = async (
  workspace: Workspace,
  { extent, since, log, roots, inventory, options }: Task,
): Promise<Swapped & Pick<GcReport, 'packed' | 'damaged'>> => {
  const { storePath, store } = workspace;
  const { signal, onProgress } = options;
  const reading = onProgress && ((done: number) => onProgress({ phase: 'reading', done }));
  const request = { store, inventory, roots, signal, onProgress: reading };
  const plan = extent === 'all' ? await planAll(request, since) : await planLoose(request);
  refuseWithoutRoom(storePath, plan);
  const made = new NewPack(storePath);
  try {
    await made.fill(store.objects, plan.wanted, { onProgress, signal });
    refuseIfAborted(signal);
    // A store that was removed meanwhile does not come back for that.
    if (!exists(storePath)) return NOTHING;
    const aged = inventory.loose.filter(({ modified }) => modified <= since);
    const swapped = await workspace.write(async () => {
      const done = await swap(workspace, { plan, pack: made, roots: log.rootsNow(since), aged });
      const isWhole = plan.needed !== null && !plan.isDamaged && plan.unreadable.size + made.unreadable.size === 0;
      return { ...done, packsRemoved: done.packsRemoved + (isWhole ? removePacksWithoutIndex(workspace) : 0) };
    });
    const isInNew = (id: ObjectId): boolean => plan.wanted.has(id) && !made.unreadable.has(id);
    await removeDuplicates(workspace, inventory.loose, isInNew, signal);
    const damaged = new Set([...plan.unreadable, ...made.unreadable]).size;
    return { ...swapped, packed: plan.wanted.size - made.unreadable.size, damaged };
  } finally {
    made.discard();
    for (const { content } of inventory.packs) content?.close();
  }
};

/** The new pack is not much smaller than what it is made of: objects in packs are copied as they are. */
const refuseWithoutRoom = (storePath: string, { wanted, going }: PackingPlan): void => {
  const share = (bytes: number, count: number): number => (count === 0 ? 0 : bytes * Math.min(1, wanted.size / count));
  const packed = going.reduce((sum, { content }) => sum + (content?.count ?? 0), 0);
  const needed = Math.round(
    share(
      going.reduce((sum, { bytes }) => sum + bytes, 0),
      packed,
    ),
  );
  const { bavail, bsize } = statfsSync(storePath);
  if (needed > bavail * bsize) throw noSpace(`${storePath}/objects/pack`, { details: { neededBytes: needed, freeBytes: bavail * bsize } });
};

const AT_A_TIME = 500;

/** What is in a pack by now. Needs no lock: a pack goes only by us, and who finds the file gone looks there. */
const removeDuplicates = async (
  { store, storePath }: Workspace,
  loose: readonly LooseFile[],
  isInNew: (id: ObjectId) => boolean,
  signal: AbortSignal | undefined,
): Promise<void> => {
  for (const [place, { id, path }] of loose.entries()) {
    if (isInNew(id) || store.objects.isPacked(id)) removeIfThere(path);
    if (place % AT_A_TIME !== 0) continue;
    await nextTurn();
    refuseIfAborted(signal);
  }
  removeEmptyFolders(`${storePath}/objects`);
};
