import { type Durability, describeWriteFailure } from '../../host/index.ts';
import { type BlobId, isObjectId, type ObjectId, RetakeError, type TreeId } from '../../model/index.ts';
import { BoundedCache } from './bounded-cache.ts';
import { type CommitFields, decodeCommit, decodeTree, type ObjectType, objectId, type StoredObject, type TreeEntry } from './codec.ts';
import { Damage, unlessDamaged } from './damage.ts';
import { LooseObjects } from './loose.ts';
import { ObjectBatch, type Pending } from './object-batch.ts';
import type { Pack } from './pack.ts';
import { type DamagedPack, PackDirectory } from './pack-directory.ts';
import { type PackPlace, PackReader } from './pack-reader.ts';
import { PackWriter } from './pack-writer.ts';

/** How often packs may change under one read before we believe what we see. */
const ATTEMPTS = 5;

const CACHED_TREE_ENTRIES = 32_768;

export const EMPTY_TREE = objectId('tree', Buffer.alloc(0)) as TreeId;

/**
 * The objects of a bare git repository (SHA-1), read and written without git. Other processes, git among them, may add
 * objects and repack at any time; nothing is handed out whose hash was not checked.
 */
export class ObjectStore {
  readonly #objectsDirectory: string;
  readonly #durability: Durability;
  readonly #loose: LooseObjects;
  readonly #packs: PackDirectory;
  readonly #reader: PackReader;
  readonly #trees = new BoundedCache<TreeId, readonly TreeEntry[]>(CACHED_TREE_ENTRIES, (entries) => entries.length + 1);

  constructor(gitDirectory: string, options: { durability: Durability }) {
    this.#objectsDirectory = `${gitDirectory}/objects`;
    this.#durability = options.durability;
    this.#loose = new LooseObjects(this.#objectsDirectory, options.durability);
    this.#packs = new PackDirectory(this.#objectsDirectory);
    this.#reader = new PackReader((id, near) => this.#findBase(id, near));
  }

  /**
   * Whether the object is in a pack, or in a loose file that looks intact. A yes is as fresh as the list of packs, which
   * `begin` and `refreshPacks` renew; before a no the store looks whether packs came or went.
   */
  has(id: ObjectId): boolean {
    if (!isObjectId(id)) return false;
    return this.#packs.has(id) || this.#loose.looksPresent(id) || (this.#packs.refreshIfTouched() && this.#packs.has(id));
  }

  /** Reads the object and verifies its hash; throws `store-damaged` when it is missing or corrupt. */
  read(id: ObjectId): StoredObject {
    return this.#attempt(
      id,
      (place) => verified(id, this.#reader.read(place)),
      () => this.#loose.read(id),
    );
  }

  readBlob(id: BlobId): Buffer {
    return this.#readTyped(id, 'blob');
  }

  readTree(id: TreeId): readonly TreeEntry[] {
    // Like git, we know this one by heart: what records no content needs nothing else.
    if (id === EMPTY_TREE) return [];
    const known = this.#trees.get(id);
    if (known !== undefined) return known;
    const entries = decoded(id, () => decodeTree(this.#readTyped(id, 'tree')));
    this.#trees.set(id, entries);
    return entries;
  }

  readCommit(id: ObjectId): Required<CommitFields> {
    return decoded(id, () => decodeCommit(this.#readTyped(id, 'commit')));
  }

  /** The size of the object's content, without reading all of it, and so without verifying it. */
  size(id: ObjectId): number {
    return this.#attempt(
      id,
      (place) => this.#reader.size(place),
      () => this.#loose.header(id)?.size,
    );
  }

  /** The bytes that the object takes on disk; none where it is missing, or in a pack that is shared with another repository. */
  diskSize(id: ObjectId): number {
    const place = this.#packs.find(id);
    return place === undefined ? this.#loose.diskSize(id) : place.pack.diskSizeAt(place.offset);
  }

  /** Undefined where the object is missing or damaged. */
  typeOf(id: ObjectId): ObjectType | undefined {
    const place = this.#packs.find(id);
    return unlessDamaged(() => (place === undefined ? this.#loose.header(id)?.type : this.#reader.type(place)));
  }

  /** Every object of a type, whether or not anything refers to it; each as often as there are copies. `own`: none of what another repository shares. */
  *ofType(type: ObjectType, { own = false }: { own?: boolean } = {}): Generator<ObjectId> {
    for (const id of this.#loose.ids()) if (unlessDamaged(() => this.#loose.header(id))?.type === type) yield id;
    for (const pack of this.#packs.all) {
      if (own && pack.isShared) continue;
      for (const [id, offset] of pack.entries()) if (unlessDamaged(() => this.#reader.type({ pack, offset })) === type) yield id;
    }
  }

  /** New objects are collected and written together. */
  begin(): ObjectBatch {
    if (this.#packs.refreshIfTouched()) this.#reader.clear();
    return new ObjectBatch({
      objectsDirectory: this.#objectsDirectory,
      durability: this.#durability,
      packs: this.#packs,
      loose: this.#loose,
      remember: (id, entries) => this.#trees.set(id, entries),
    });
  }

  /** Whether a batch that was begun a while ago may still be used: what it took as stored is. */
  isStillGood(batch: ObjectBatch): boolean {
    if (!this.#packs.refreshIfTouched()) return batch.isInMemory;
    this.#reader.clear();
    return false;
  }

  /** Stores objects one by one, unless they are there. */
  place(objects: readonly Pending[]): void {
    // A pack that we know of may be gone since, with objects in it that nobody needed then.
    if (objects.length > 0 && this.#packs.refreshIfTouched()) this.#reader.clear();
    for (const { id, type, bytes } of objects) if (!this.#packs.has(id) && !this.#loose.isIntact(id)) this.#loose.write(id, type, bytes);
  }

  /** Stores a second copy of objects that are there, in a pack of their own. */
  copy(ids: readonly ObjectId[]): void {
    const writer = new PackWriter(this.#objectsDirectory, this.#durability);
    try {
      for (const id of ids) {
        const { type, bytes } = this.read(id);
        writer.add(id, type, bytes);
      }
      writer.finish();
    } catch (error) {
      writer.abandon();
      throw describeWriteFailure(error, this.#objectsDirectory);
    }
    this.refreshPacks();
  }

  /** Whether the object can be read from a pack. */
  isPacked(id: ObjectId): boolean {
    const tried = new Set<Pack>();
    for (let place = this.#packs.find(id); place !== undefined; place = this.#packs.find(id, tried)) {
      try {
        verified(id, this.#reader.read(place));
        return true;
      } catch (error) {
        if (!(error instanceof Damage)) throw error;
        this.#reader.clear();
        tried.add(place.pack);
      }
    }
    return false;
  }

  /** Whether the object is in a file of its own, and whole. */
  isLoose(id: ObjectId): boolean {
    return this.#loose.isIntact(id);
  }

  /** Looks for packs that other processes added or removed; true when there were any. */
  refreshPacks(): boolean {
    const changed = this.#packs.refresh();
    if (changed) this.#reader.clear();
    return changed;
  }

  /** Packs that can't be used, or not be relied on: damaged, or of a kind we don't know. */
  get damagedPacks(): readonly DamagedPack[] {
    return this.#packs.damaged;
  }

  /** Gives back file descriptors and memory; the store opens again what it needs. */
  close(): void {
    this.#packs.close();
    this.#reader.clear();
    this.#trees.clear();
  }

  /** Tries every copy of the object, and all again when packs came or went meanwhile. */
  #attempt<T>(id: ObjectId, fromPack: (place: PackPlace) => T, fromLoose: () => T | undefined): T {
    if (!isObjectId(id)) throw missing(id, []);
    let damage: Damage | undefined;
    const noting = (copy: () => T | undefined): T | undefined => {
      try {
        return copy();
      } catch (error) {
        if (!(error instanceof Damage)) throw error;
        damage ??= error;
        this.#reader.clear();
        return undefined;
      }
    };
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      damage = undefined;
      const tried = new Set<Pack>();
      for (let place = this.#packs.find(id); place !== undefined; place = this.#packs.find(id, tried)) {
        const { pack, offset } = place;
        const result = noting(() => fromPack({ pack, offset }));
        if (result !== undefined) return result;
        tried.add(pack);
      }
      const result = noting(fromLoose);
      if (result !== undefined) return result;
      if (!this.refreshPacks()) break;
    }
    throw damage === undefined ? missing(id, this.damagedPacks) : corrupt(id, damage);
  }

  #findBase(id: ObjectId, near: Pack): PackPlace | StoredObject | undefined {
    const offset = near.offsetOf(id);
    return offset >= 0 ? { pack: near, offset } : (this.#packs.find(id) ?? this.#loose.read(id));
  }

  #readTyped(id: ObjectId, type: ObjectType): Buffer {
    const object = this.read(id);
    if (object.type !== type) throw corrupt(id, new Damage(`it is a ${object.type} where a ${type} is needed`));
    return object.bytes;
  }
}

const verified = (id: ObjectId, object: StoredObject): StoredObject => {
  if (objectId(object.type, object.bytes) !== id) throw new Damage('its content does not match its id');
  return object;
};

const decoded = <T>(id: ObjectId, decode: () => T): T => {
  try {
    return decode();
  } catch (error) {
    throw error instanceof Damage ? corrupt(id, error) : error;
  }
};

const HINT = 'Run `retake check` to see which checkpoints are affected; the others are not.';

const corrupt = (id: ObjectId, damage: Damage): RetakeError =>
  new RetakeError('store-damaged', `Object ${id} of the store is damaged: ${damage.message}`, {
    hint: HINT,
    details: { id, problem: 'corrupt' },
    cause: damage,
  });

const missing = (id: ObjectId, damagedPacks: readonly DamagedPack[]): RetakeError =>
  new RetakeError('store-damaged', `Object ${id} is missing from the store`, {
    hint: HINT,
    details: { id, problem: 'missing', ...(damagedPacks.length === 0 ? {} : { damagedPacks }) },
  });
