import {
  type BlobId,
  type ByteString,
  compareBytes,
  join,
  type Node,
  type RelativePath,
  sameNode,
  type TreeId,
  type WorkspaceState,
} from '../model/index.ts';
import { filePermissions, isExecutable, type MetaTree, type ObjectStore, POINTER_NAME, readMeta, type TreeEntry } from '../store/index.ts';
import type { StateChange } from './states.ts';

/** A directory of one state, not read yet; both are null where there is none. */
export interface Side {
  readonly tree: TreeId | null;
  readonly meta: TreeId | null;
}

const NOTHING: Side = { tree: null, meta: null };

export const sideOf = (state: WorkspaceState | null): Side => (state === null ? NOTHING : { tree: state.files, meta: state.meta });

const sameSide = (a: Side, b: Side): boolean => a.tree === b.tree && a.meta === b.meta;

/** Every path below a directory that differs between two sides of it; equal subtrees are not read, nor those that are not to be entered. */
export const diffSides = (
  store: ObjectStore,
  top: RelativePath,
  from: Side,
  to: Side,
  enters: (directory: RelativePath) => boolean = () => true,
): StateChange[] => {
  const changes: StateChange[] = [];
  const compare = (directory: RelativePath, before: Side, after: Side): void => {
    if (sameSide(before, after) || !enters(directory)) return;
    const old = new Directory(store, before);
    const now = new Directory(store, after);
    for (const name of new Set([...old.names, ...now.names])) {
      const path = join(directory, name);
      const a = old.node(name);
      const b = now.node(name);
      if (!sameNode(a, b)) changes.push({ path, from: a, to: b });
      compare(path, old.below(name), now.below(name));
    }
  };
  compare(top, from, to);
  return changes;
};

export const inPathOrder = <T extends { readonly path: RelativePath }>(entries: readonly T[]): T[] =>
  entries.toSorted((a, b) => compareBytes(a.path, b.path));

/** One directory of a state, with tree and meta read as one. */
export class Directory {
  readonly names: readonly ByteString[];
  readonly #store: ObjectStore;
  readonly #entries: ReadonlyMap<ByteString, TreeEntry>;
  readonly #meta: MetaTree;

  constructor(store: ObjectStore, side: Side) {
    this.#store = store;
    this.#entries = new Map(side.tree === null ? [] : store.readTree(side.tree).map((entry) => [entry.name, entry]));
    this.#meta = readMeta(store, side.tree === null ? null : side.meta);
    this.names = [...this.#entries.keys(), ...(this.#meta.own.pointer === null ? [] : [POINTER_NAME])];
  }

  has(name: ByteString): boolean {
    return name === POINTER_NAME ? this.#meta.own.pointer !== null : this.#entries.has(name);
  }

  node(name: ByteString): Node | null {
    if (name === POINTER_NAME) return this.#pointer();
    const entry = this.#entries.get(name);
    if (entry === undefined) return null;
    if (entry.mode === 0o120000) return { type: 'link', blob: entry.id as BlobId };
    if (entry.mode === 0o40000) return { type: 'directory', permissions: readMeta(this.#store, this.#metaBelow(name)).own.permissions };
    return { type: 'file', blob: entry.id as BlobId, permissions: filePermissions(this.#meta.own, name, isExecutable(entry.mode)) };
  }

  below(name: ByteString): Side {
    const entry = this.#entries.get(name);
    return entry?.mode === 0o40000 ? { tree: entry.id as TreeId, meta: this.#metaBelow(name) } : NOTHING;
  }

  /** Whether both have the same at this name, and the same below it: told without reading what lies there. */
  isSameAt(name: ByteString, other: Directory): boolean {
    const [mine, theirs] = [this.below(name), other.below(name)];
    if (mine.tree !== null && theirs.tree !== null) return sameSide(mine, theirs);
    return sameNode(this.node(name), other.node(name));
  }

  #pointer(): Node | null {
    const { pointer } = this.#meta.own;
    if (pointer === null) return null;
    const { id: blob, permissions } = pointer;
    return permissions === null ? { type: 'link', blob } : { type: 'pointer', blob, permissions };
  }

  #metaBelow(name: ByteString): TreeId | null {
    return this.#meta.children.get(name) ?? null;
  }
}
