import type { ObjectId } from '../../model/index.ts';
import { type LooseFile, listLoose, listPacks, operationsAmong, Reach, type Store, type StoredPack } from '../../store/index.ts';
import type { Roots } from './roots.ts';

/** What lies in the store at one moment. */
export interface Inventory {
  readonly packs: readonly StoredPack[];
  readonly loose: readonly LooseFile[];
}

export const takeInventory = (objectsDirectory: string): Inventory => ({
  packs: listPacks(objectsDirectory),
  loose: listLoose(objectsDirectory),
});

export const isIn = (packs: readonly StoredPack[], id: ObjectId): boolean =>
  packs.some(({ content }) => (content?.offsetOf(id) ?? -1) >= 0);

/** Packs that can be relied on. */
export const soundPacks = (packs: readonly StoredPack[]): StoredPack[] => packs.filter(({ content }) => content?.isSound);

/** What is to be done with the objects of a store. */
export interface PackingPlan {
  /** What the new pack is to hold, with the paths that git compares by. */
  readonly wanted: ReadonlyMap<ObjectId, string>;
  /** Packs that it takes the place of. */
  readonly going: readonly StoredPack[];
  /** All that operations needed when the plan was made, wherever it lies; null where not all was looked at. */
  readonly needed: ReadonlyMap<ObjectId, string> | null;
  /** Objects that can't be read, by git at least. They stay where they are. */
  readonly unreadable: ReadonlySet<ObjectId>;
  /** Nobody knows what is behind something that can't be read: nothing may go that is not in the new pack. */
  readonly isDamaged: boolean;
}

export interface PlanRequest {
  readonly store: Store;
  readonly inventory: Inventory;
  readonly roots: Roots;
  readonly onProgress?: ((objects: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Only what is in no pack goes into another one. */
export const planLoose = async ({ store: { objects }, inventory, roots, ...options }: PlanRequest): Promise<PackingPlan> => {
  const sound = soundPacks(inventory.packs);
  const reach = new Reach(objects, { ...options, isKnown: (id) => isIn(sound, id) });
  await reach.add(roots.living);
  const loose = new Set(inventory.loose.map(({ id }) => id));
  const { unreadable } = reach;
  const wanted = new Map([...reach.found].filter(([id]) => loose.has(id) && !unreadable.has(id)));
  return { wanted, going: [], needed: null, unreadable, isDamaged: unreadable.size > 0 };
};

/** All that is needed goes into one pack, but for what the user's packs hold. What was written `since` stays, needed or not. */
export const planAll = async ({ store, inventory, roots, ...options }: PlanRequest, since: number): Promise<PackingPlan> => {
  const { objects } = store;
  const reach = new Reach(objects, options);
  await reach.add(roots.living);
  const spared = new Reach(objects, { ...options, isKnown: (id) => reach.found.has(id) });
  await spared.add(roots.spared);
  const sound = soundPacks(inventory.packs);
  const shared = sound.filter(({ isShared }) => isShared);
  const own = sound.filter(({ isShared }) => !isShared);
  const loose = new Set(inventory.loose.map(({ id }) => id));
  const unheld = [...loose, ...own.flatMap(({ content }) => [...(content?.ids() ?? [])])].filter((id) => !reach.found.has(id));
  await spared.add(newerThanLog(store, unheld));
  const isDamaged = roots.isTorn || reach.unreadable.size > 0 || sound.length < inventory.packs.length;
  // git makes nothing of a pack that is cut short; what we can still read in it stays there.
  const canBePacked = (id: ObjectId): boolean => !reach.unreadable.has(id) && (loose.has(id) || isIn(own, id));
  const wanted = new Map<ObjectId, string>();
  const unreadable = new Set(reach.unreadable);
  for (const [id, path] of reach.found) {
    if (isIn(shared, id)) continue;
    if (canBePacked(id)) wanted.set(id, path);
    else unreadable.add(id);
  }
  const keep = (id: ObjectId, path = ''): void => {
    if (!wanted.has(id) && canBePacked(id) && !isIn(shared, id)) wanted.set(id, path);
  };
  for (const [id, path] of spared.found) keep(id, path);
  for (const { content, modified } of own) if (isDamaged || modified > since) for (const id of content?.ids() ?? []) keep(id);
  if (isDamaged) for (const id of loose) keep(id);
  const isDoneAlready = own.length === 1 && own[0]?.content?.count === wanted.size && [...wanted.keys()].every((id) => isIn(own, id));
  return {
    ...(isDoneAlready ? { wanted: new Map(), going: [] } : { wanted, going: own.filter((pack) => !holdsAny(pack, unreadable)) }),
    needed: reach.found,
    unreadable,
    isDamaged,
  };
};

/** Operations with numbers that nobody has. They were never reported, or nobody is left who knows that they were: they stay until somebody has. */
const newerThanLog = (store: Store, ids: readonly ObjectId[]): ObjectId[] =>
  operationsAmong(store, ids).flatMap(({ id, sequence }) => (sequence > store.log.highest ? [id] : []));

export const holdsAny = (pack: StoredPack, ids: ReadonlySet<ObjectId>): boolean => [...ids].some((id) => isIn([pack], id));
