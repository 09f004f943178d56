import { type FSWatcher, watch } from 'node:fs';
import { type ByteString, parent, type RelativePath, ROOT, systemCode, toFs } from '../../model/index.ts';
import { absolutePath } from '../disk.ts';
import { eventQueue } from './event-queue.ts';

/** A name in a watched directory came, went or was exchanged (`isRename`), or what it names was changed. */
export type Heard = (directory: RelativePath, name: ByteString, isRename: boolean) => void;

interface Watch {
  readonly watcher: FSWatcher;
  /** Watched directories right below. */
  below: Set<RelativePath> | undefined;
}

/** One watch per directory: the system has none for whole trees. */
export class Watches {
  readonly #root: ByteString;
  readonly #heard: Heard;
  readonly #failed: (error: Error) => void;
  readonly #all = new Map<RelativePath, Watch>();

  constructor(root: ByteString, heard: Heard, failed: (error: Error) => void) {
    this.#root = root;
    this.#heard = heard;
    this.#failed = failed;
  }

  get count(): number {
    return this.#all.size;
  }

  has(directory: RelativePath): boolean {
    return this.#all.has(directory);
  }

  /** False when the directory can't be watched: it is gone, or not ours to read. Throws when the system has no watches left. */
  add(directory: RelativePath): boolean {
    if (this.#all.has(directory)) return true;
    const watcher = this.#watch(directory);
    if (watcher === undefined) return false;
    this.#all.set(directory, { watcher, below: undefined });
    const above = directory === ROOT ? undefined : this.#all.get(parent(directory));
    if (above !== undefined) {
      above.below ??= new Set();
      above.below.add(directory);
    }
    return true;
  }

  /** Ends the watch of a directory and of all below it. */
  remove(directory: RelativePath): void {
    const watch = this.#all.get(directory);
    if (watch === undefined) return;
    for (const below of watch.below ?? []) this.remove(below);
    watch.watcher.close();
    this.#all.delete(directory);
    if (directory !== ROOT) this.#all.get(parent(directory))?.below?.delete(directory);
  }

  close(): void {
    for (const { watcher } of this.#all.values()) watcher.close();
    this.#all.clear();
  }

  #watch(directory: RelativePath): FSWatcher | undefined {
    try {
      const watcher = watch(
        toFs(absolutePath(this.#root, directory)),
        // latin1: one character per byte, see model/bytes.ts.
        { encoding: 'latin1' as BufferEncoding, persistent: false },
        (kind, name) => {
          eventQueue.arrived();
          this.#heard(directory, (name ?? '') as ByteString, kind === 'rename');
        },
      );
      watcher.on('error', this.#failed);
      return watcher;
    } catch (error) {
      const code = systemCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'ELOOP' || code === 'ENAMETOOLONG') return undefined;
      throw error;
    }
  }
}
