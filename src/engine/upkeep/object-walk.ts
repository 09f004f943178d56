import { type BlobId, join, type ObjectId, type Recorded, type RelativePath, RetakeError, ROOT, type TreeId } from '../../model/index.ts';
import type { ObjectStore, TreeEntry } from '../../store/index.ts';

export interface Broken {
  readonly id: ObjectId;
  readonly problem: string;
}

export interface BrokenPath extends Broken {
  /** From the operation's root on: `files/src/index.ts`. */
  readonly path: RelativePath;
}

const DIRECTORY = 0o40000;

/** Walks what operations hold. Remembers for each tree what is broken below it, so that shared parts are looked at once. */
export class ObjectWalk {
  readonly #objects: ObjectStore;
  readonly #readsContent: boolean;
  readonly #onProgress: ((objects: number) => void) | undefined;
  readonly #seen = new Map<ObjectId, readonly Broken[]>();

  /** Content is read and verified, or only looked whether it is there. */
  constructor(objects: ObjectStore, readsContent: boolean, onProgress?: (objects: number) => void) {
    this.#objects = objects;
    this.#readsContent = readsContent;
    this.#onProgress = onProgress;
  }

  get count(): number {
    return this.#seen.size;
  }

  damageIn({ id }: Recorded): readonly Broken[] {
    return this.#visit(this.#objects.readCommit(id).tree, true);
  }

  /** The same, by the paths that are affected. */
  pathsIn({ id }: Recorded): BrokenPath[] {
    const tree = this.#objects.readCommit(id).tree;
    return this.#visit(tree, true).length === 0 ? [] : this.#pathsBelow(tree, ROOT);
  }

  #pathsBelow(tree: ObjectId, path: RelativePath): BrokenPath[] {
    const own = (this.#seen.get(tree) ?? []).find(({ id }) => id === tree);
    if (own !== undefined) return [{ ...own, path }];
    return this.#objects.readTree(tree as TreeId).flatMap((entry) => {
      const broken = this.#seen.get(entry.id) ?? [];
      if (broken.length === 0) return [];
      const at = join(path, entry.name);
      return isTree(entry) ? this.#pathsBelow(entry.id, at) : broken.map((one) => ({ ...one, path: at }));
    });
  }

  #visit(id: ObjectId, isDirectory: boolean): readonly Broken[] {
    const known = this.#seen.get(id);
    if (known !== undefined) return known;
    const broken = this.#inspect(id, isDirectory);
    this.#seen.set(id, broken);
    this.#onProgress?.(this.#seen.size);
    return broken;
  }

  #inspect(id: ObjectId, isDirectory: boolean): readonly Broken[] {
    try {
      if (isDirectory) {
        const below = this.#objects.readTree(id as TreeId).flatMap((entry) => this.#visit(entry.id, isTree(entry)));
        return below.length < 2 ? below : [...new Map(below.map((broken) => [broken.id, broken])).values()];
      }
      if (this.#readsContent) this.#objects.readBlob(id as BlobId);
      return this.#readsContent || this.#objects.has(id) ? [] : [{ id, problem: 'missing' }];
    } catch (error) {
      if (!(error instanceof RetakeError && error.code === 'store-damaged')) throw error;
      return [{ id, problem: String(error.details?.problem ?? error.message) }];
    }
  }
}

const isTree = ({ mode }: TreeEntry): boolean => mode === DIRECTORY;
