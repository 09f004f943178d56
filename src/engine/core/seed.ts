import type { Fingerprint, Prefetch, Seed } from '../../capture/index.ts';
import { type Durability, effects, syncPath } from '../../host/index.ts';
import { type BlobId, type ByteString, isObjectId, type ObjectId, type RelativePath } from '../../model/index.ts';
import type { Store } from '../../store/index.ts';
import {
  CertainIds,
  isWhollyPacked,
  linkPacks,
  looseObjectPath,
  objectDirectories,
  tryLink,
  UserIndex,
  type UserRepository,
} from '../../usergit/index.ts';
import type { UserGit } from './git-context.ts';
import { startPrefetch } from './prefetch.ts';

export interface Seeding {
  readonly seed: Seed | undefined;
  readonly prefetch: Prefetch | undefined;
}

const NOTHING: Seeding = { seed: undefined, prefetch: undefined };

/**
 * What the user's object store spares the first checkpoint: files whose bytes git holds already are neither read nor
 * written, their packs are linked into the store instead. A link is a second name of the same bytes: the user's own gc may
 * drop the first one (STO-2).
 */
export const seedFrom = async (store: Store, { repository, settings, gitContext }: UserGit, durability: Durability): Promise<Seeding> => {
  if (repository === undefined || repository.objectFormat !== 'sha1') return NOTHING;
  const index = UserIndex.read(repository);
  if (index.problem !== null) return NOTHING;
  const prefix = gitContext.containing?.prefix ?? '';
  const prefetch = prefix === '' ? startPrefetch(repository, index) : undefined;
  const ids = await CertainIds.read(repository, settings, index);
  const packs = `${store.directory}/objects/pack`;
  if (!linkPacks(repository, packs)) return { seed: undefined, prefetch };
  if (durability === 'power') syncPath(packs);
  store.objects.refreshPacks();
  const borrowed = new Borrowed(store, repository, durability);
  const seed: Seed = {
    blobFor(path: RelativePath, stat: Fingerprint): BlobId | undefined {
      const id = ids.idOf((prefix === '' ? path : `${prefix}/${path}`) as RelativePath, stat);
      return id !== undefined && isObjectId(id) && borrowed.obtain(id) ? (id as BlobId) : undefined;
    },
  };
  return { seed, prefetch };
};

/** Single objects that the user's packs don't hold. */
class Borrowed {
  readonly #store: Store;
  readonly #directories: readonly ByteString[];
  readonly #durability: Durability;
  /** The linked packs hold all that git knows of, and an id that git has told the size of is in them. */
  readonly #packsHoldAll: boolean;

  constructor(store: Store, repository: UserRepository, durability: Durability) {
    this.#durability = durability;
    this.#packsHoldAll = isWhollyPacked(repository);
    this.#store = store;
    this.#directories = objectDirectories(repository);
  }

  /** Makes sure that the store holds the object, linking its loose file if need be. */
  obtain(id: ObjectId): boolean {
    if (this.#packsHoldAll || this.#store.objects.has(id)) return true;
    const directory = `${this.#store.directory}/objects/${id.slice(0, 2)}`;
    effects.makeDirectories(directory);
    const place = `${directory}/${id.slice(2)}`;
    // What is in the place already is torn, or the store would have it: it has to be written anew.
    if (!this.#directories.some((from) => tryLink(looseObjectPath(from, id), place) === 'linked')) return false;
    // git leaves syncing loose objects to the system.
    if (this.#durability === 'power') for (const path of [place, directory]) syncPath(path);
    return true;
  }
}
