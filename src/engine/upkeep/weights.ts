import type { ObjectId, Recorded, TreeId } from '../../model/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import { unlessDamaged } from '../read/record-changes.ts';

const DIRECTORY = 0o40000;
const REPOSITORY = 0o160000;

/** What operations take on disk, each without what one that was weighed before it has too. What can't be read weighs nothing more. */
export class Weights {
  readonly #objects: ObjectStore;
  readonly #seen = new Set<ObjectId>();
  readonly #onProgress: ((objects: number) => void) | undefined;

  constructor(objects: ObjectStore, onProgress?: (objects: number) => void) {
    this.#objects = objects;
    this.#onProgress = onProgress;
  }

  weigh({ id }: Pick<Recorded, 'id'>): number {
    if (!this.#isNew(id)) return 0;
    const tree = unlessDamaged<TreeId | null>(() => this.#objects.readCommit(id).tree, null);
    return this.#objects.diskSize(id) + (tree === null ? 0 : this.#tree(tree));
  }

  #tree(id: TreeId): number {
    if (!this.#isNew(id)) return 0;
    let bytes = this.#objects.diskSize(id);
    for (const entry of unlessDamaged(() => this.#objects.readTree(id), [])) {
      if (entry.mode === DIRECTORY) bytes += this.#tree(entry.id as TreeId);
      else if (entry.mode !== REPOSITORY && this.#isNew(entry.id)) bytes += this.#objects.diskSize(entry.id);
    }
    return bytes;
  }

  #isNew(id: ObjectId): boolean {
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    if (this.#seen.size % 1000 === 0) this.#onProgress?.(this.#seen.size);
    return true;
  }
}
