import { type ObjectId, RetakeError } from '../../model/index.ts';
import { type LooseFile, listPacks, type NewPack, Reach, removeIfThere, removePack } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { holdsAny, isIn, type PackingPlan, soundPacks } from './packing-plan.ts';
import type { Roots } from './roots.ts';

export interface Swap {
  readonly plan: PackingPlan;
  readonly pack: NewPack;
  /** As of now. */
  readonly roots: Roots;
  /** Loose objects that are old enough to go, if nothing needs them. */
  readonly aged: readonly LooseFile[];
}

export interface Swapped {
  readonly packsRemoved: number;
  readonly objectsRemoved: number;
}

/**
 * Puts the new pack in its place and takes away what it replaces. Since the plan was made, others may have recorded something that
 * needs objects of packs that are about to go: they found them there, and did not write them again. Those are copied first. Killed
 * anywhere in between, the store holds all that is needed, and some of it twice. Needs the lock.
 */
export const swap = async (workspace: Workspace, { plan, pack, roots, aged }: Swap): Promise<Swapped> => {
  const { objects } = workspace.store;
  const { needed, wanted } = plan;
  const { durability } = workspace.settings;
  objects.refreshPacks();
  try {
    if (needed === null) {
      pack.moveIn(durability);
      return { packsRemoved: 0, objectsRemoved: 0 };
    }
    const later = new Reach(objects, { isKnown: (id) => needed.has(id) });
    await later.add(roots.living);
    const spared = new Reach(objects, { isKnown: (id) => needed.has(id) || later.found.has(id) });
    await spared.add(roots.spared);
    // Packed anew it may be the same as before.
    const going = plan.going.filter((old) => old.name !== pack.name && !holdsAny(old, pack.unreadable)).map(({ name }) => name);
    const packs = listPacks(`${workspace.storePath}/objects`);
    const staying = soundPacks(packs).filter(({ name }) => !going.includes(name));
    const isSafe = (id: ObjectId): boolean => (wanted.has(id) && !pack.unreadable.has(id)) || isIn(staying, id) || objects.isLoose(id);
    const inDanger = [...later.found.keys(), ...[...spared.found.keys()].filter((id) => objects.has(id))].filter((id) => !isSafe(id));
    for (const { content } of packs) content?.close();
    const canGo = later.unreadable.size === 0 && copy(workspace, inDanger);
    pack.moveIn(durability);
    if (canGo) for (const name of going) removePack(`${workspace.storePath}/objects`, name);
    const isNeeded = (id: ObjectId): boolean => needed.has(id) || later.found.has(id) || spared.found.has(id) || wanted.has(id);
    const superfluous = canGo && !plan.isDamaged && pack.unreadable.size === 0 ? aged.filter(({ id }) => !isNeeded(id)) : [];
    return {
      packsRemoved: canGo ? going.length : 0,
      objectsRemoved: superfluous.filter(({ path }) => removeIfThere(path)).length,
    };
  } finally {
    objects.refreshPacks();
  }
};

/** False when one of them can't be read: then nothing may go. */
const copy = ({ store: { objects } }: Workspace, ids: readonly ObjectId[]): boolean => {
  try {
    if (ids.length > 0) objects.copy(ids);
    return true;
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return false;
    throw error;
  }
};
