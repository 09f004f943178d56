import { type Durability, describeWriteFailure } from '../../host/index.ts';
import type { BlobId, ObjectId, TreeId } from '../../model/index.ts';
import { type CommitFields, encodeCommit, encodeTree, inTreeOrder, type ObjectType, objectId, type TreeEntry } from './codec.ts';
import { LooseListing, type LooseObjects } from './loose.ts';
import type { PackDirectory } from './pack-directory.ts';
import { PackWriter } from './pack-writer.ts';

/** Where a batch writes, and what it may take as already written. */
interface Destination {
  readonly objectsDirectory: string;
  readonly durability: Durability;
  readonly packs: PackDirectory;
  readonly loose: LooseObjects;
  /** Trees are often read right after they were made. */
  readonly remember: (id: TreeId, entries: readonly TreeEntry[]) => void;
}

export interface Pending {
  readonly id: ObjectId;
  readonly type: ObjectType;
  readonly bytes: Buffer;
}

/** Beyond either, a pack is cheaper than files, and what was added so far no longer waits in memory. */
const MOST_PENDING = 64;
const MOST_PENDING_BYTES = 4 << 20;

/**
 * New objects that are written together.
 *
 * - An id is given out before its object is stored; `flush` is what stores it. A batch that failed anywhere refuses to
 *   go on, so that no caller takes its ids for stored ones.
 * - "Already stored" is judged by the packs as they were at `begin` or at the last pack of our own: gc must not run meanwhile.
 */
export class ObjectBatch {
  readonly #destination: Destination;
  /** Ids that need no more attention: added before, or found in the store. */
  readonly #settled = new Set<ObjectId>();
  #listing: LooseListing;
  #pending: Pending[] = [];
  #pendingBytes = 0;
  #writer: PackWriter | undefined;
  #bytesAdded = 0;
  #over = false;

  constructor(destination: Destination) {
    this.#destination = destination;
    this.#listing = new LooseListing(destination.loose);
  }

  /** Bytes written so far, as they are on disk. */
  get bytesAdded(): number {
    return this.#bytesAdded;
  }
  /** Bytes that wait for being written, before compression. */
  get bytesPending(): number {
    return this.#pendingBytes;
  }

  /** Nothing of it is on disk, and nothing went wrong. */
  get isInMemory(): boolean {
    return !this.#over && this.#writer === undefined && this.#bytesAdded === 0;
  }

  /** The caller may reuse `bytes` afterwards. */
  blob(bytes: Buffer): BlobId {
    return this.#add('blob', bytes) as BlobId;
  }

  /** Entries may come in any order. */
  tree(entries: readonly TreeEntry[]): TreeId {
    const sorted = inTreeOrder(entries);
    const id = this.#add('tree', encodeTree(sorted)) as TreeId;
    this.#destination.remember(id, sorted);
    return id;
  }

  commit(fields: CommitFields): ObjectId {
    return this.#add('commit', encodeCommit(fields));
  }

  /** Stores what was added. The batch can then be used for more. */
  flush(): void {
    this.#unlessOver(() => {
      const { loose, packs } = this.#destination;
      if (this.#writer !== undefined) {
        this.#writer.finish();
        this.#writer = undefined;
        packs.refresh();
      }
      for (const { id, type, bytes } of this.#pending) if (!this.#listing.hasIntact(id)) this.#bytesAdded += loose.write(id, type, bytes);
      this.#clearPending();
      this.#settled.clear();
      this.#listing = new LooseListing(loose);
    });
  }

  /**
   * Hands over what is not stored, for others to see to it; undefined when some of it is in a pack already. The batch takes
   * no part in it any more.
   */
  handOver(): readonly Pending[] | undefined {
    if (this.#over || this.#writer !== undefined) return undefined;
    const pending = this.#pending;
    this.#bytesAdded += this.#pendingBytes;
    this.#clearPending();
    return pending;
  }

  /** Drops what is not flushed, and ends the batch. */
  abandon(): void {
    this.#over = true;
    this.#writer?.abandon();
    this.#writer = undefined;
    this.#clearPending();
    this.#settled.clear();
  }

  #add(type: ObjectType, bytes: Buffer): ObjectId {
    return this.#unlessOver(() => {
      const id = objectId(type, bytes);
      if (this.#settled.has(id)) return id;
      if (!this.#destination.packs.has(id)) this.#take(id, type, bytes);
      this.#settled.add(id);
      return id;
    });
  }

  #take(id: ObjectId, type: ObjectType, bytes: Buffer): void {
    const most = this.#pending.length >= MOST_PENDING || this.#pendingBytes + bytes.length > MOST_PENDING_BYTES;
    if (this.#writer === undefined && !most) {
      this.#pending.push({ id, type, bytes: Buffer.from(bytes) });
      this.#pendingBytes += bytes.length;
      return;
    }
    this.#writer ??= this.#startPack();
    if (!this.#listing.hasIntact(id)) this.#bytesAdded += this.#writer.add(id, type, bytes);
  }

  #startPack(): PackWriter {
    const writer = new PackWriter(this.#destination.objectsDirectory, this.#destination.durability);
    this.#writer = writer;
    for (const { id, type, bytes } of this.#pending) if (!this.#listing.hasIntact(id)) this.#bytesAdded += writer.add(id, type, bytes);
    this.#clearPending();
    return writer;
  }

  #clearPending(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  #unlessOver<T>(work: () => T): T {
    if (this.#over) throw new Error('this batch was abandoned, or failed before');
    try {
      return work();
    } catch (error) {
      this.abandon();
      throw describeWriteFailure(error, this.#destination.objectsDirectory);
    }
  }
}
