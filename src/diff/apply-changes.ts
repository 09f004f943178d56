import {
  type ByteString,
  basename,
  join,
  type Node,
  parent,
  type RelativePath,
  ROOT,
  type TreeId,
  type WorkspaceState,
} from '../model/index.ts';
import {
  DIRECTORY_PERMISSIONS,
  describeDirectory,
  type GitPointer,
  isExecutable,
  type ObjectBatch,
  type ObjectStore,
  POINTER_NAME,
  readMeta,
  type TreeEntry,
  writeMeta,
} from '../store/index.ts';
import { Directory, type Side, sideOf } from './sides.ts';
import type { StateChange } from './states.ts';

/**
 * A state with some paths changed, the same as a capture of that content would be. Directories that no change is about are neither read
 * nor written; one that has to come into being without a change of its own has the usual permission bits. What was written can be read
 * after the batch is flushed.
 */
export const applyChanges = (
  store: ObjectStore,
  batch: ObjectBatch,
  state: WorkspaceState,
  changes: readonly StateChange[],
): WorkspaceState => {
  if (changes.length === 0) return state;
  const { tree, meta } = new Rewriting(store, batch, changes).rewrite(ROOT, sideOf(state), DIRECTORY_PERMISSIONS);
  return { files: tree, meta };
};

interface DirectoryIds {
  readonly tree: TreeId;
  readonly meta: TreeId | null;
}

interface WrittenDirectory extends DirectoryIds {
  readonly isEmpty: boolean;
}

class Rewriting {
  readonly #store: ObjectStore;
  readonly #batch: ObjectBatch;
  /** By directory, the names in it that become something else; null for directories that only have changes below. */
  readonly #concerned = new Map<RelativePath, Map<ByteString, StateChange | null>>();

  constructor(store: ObjectStore, batch: ObjectBatch, changes: readonly StateChange[]) {
    this.#store = store;
    this.#batch = batch;
    for (const change of changes) this.#concern(change.path, change);
  }

  #concern(path: RelativePath, change: StateChange | null): void {
    const directory = parent(path);
    const names = this.#concerned.get(directory) ?? new Map<ByteString, StateChange | null>();
    const isKnown = this.#concerned.has(directory);
    this.#concerned.set(directory, names);
    if (change !== null || !names.has(basename(path))) names.set(basename(path), change);
    if (!isKnown && directory !== ROOT) this.#concern(directory, null);
  }

  rewrite(path: RelativePath, side: Side, permissions: number): WrittenDirectory {
    const old = new Directory(this.#store, side);
    const concerned = this.#concerned.get(path) ?? new Map<ByteString, StateChange | null>();
    const made = new MadeDirectory();
    for (const name of old.names) {
      if (concerned.has(name)) continue;
      const below = old.below(name);
      if (below.tree === null) made.addLeaf(name, old.node(name));
      else made.addDirectory(name, { tree: below.tree, meta: below.meta });
    }
    for (const [name, change] of concerned) {
      const to = change?.to ?? null;
      const below =
        change === null
          ? this.#around(join(path, name), old.below(name))
          : to?.type === 'directory' && this.rewrite(change.path, old.below(name), to.permissions);
      if (below) made.addDirectory(name, below);
      else made.addLeaf(name, change === null ? old.node(name) : to);
    }
    return made.write(this.#batch, permissions);
  }

  /** The changes are about something below it, not about the directory itself. */
  #around(path: RelativePath, side: Side): WrittenDirectory | null {
    const permissions = side.tree === null ? DIRECTORY_PERMISSIONS : readMeta(this.#store, side.meta).own.permissions;
    const written = this.rewrite(path, side, permissions);
    return side.tree === null && written.isEmpty ? null : written;
  }
}

class MadeDirectory {
  readonly #tree: TreeEntry[] = [];
  readonly #files: { name: ByteString; permissions: number }[] = [];
  readonly #metas: [ByteString, TreeId][] = [];
  #pointer: GitPointer | null = null;

  addLeaf(name: ByteString, node: Node | null): void {
    if (node === null || node.type === 'directory') return;
    if (name === POINTER_NAME) this.#pointer = { id: node.blob, permissions: node.type === 'link' ? null : node.permissions };
    else if (node.type === 'link') this.#tree.push({ mode: 0o120000, name, id: node.blob });
    else {
      this.#tree.push({ mode: isExecutable(node.permissions) ? 0o100755 : 0o100644, name, id: node.blob });
      this.#files.push({ name, permissions: node.permissions });
    }
  }

  addDirectory(name: ByteString, { tree, meta }: DirectoryIds): void {
    this.#tree.push({ mode: 0o40000, name, id: tree });
    if (meta !== null) this.#metas.push([name, meta]);
  }

  write(batch: ObjectBatch, permissions: number): WrittenDirectory {
    const own = describeDirectory(permissions, this.#files, this.#pointer);
    const isEmpty = this.#tree.length === 0 && this.#pointer === null;
    return { tree: batch.tree(this.#tree), meta: writeMeta(batch, own, this.#metas), isEmpty };
  }
}
