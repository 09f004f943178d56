import {
  type BlobId,
  type ByteString,
  compareBytes,
  join,
  type Node,
  parent,
  type RelativePath,
  ROOT,
  sameNode,
  type TreeId,
  type WorkspaceState,
} from '../model/index.ts';
import { filePermissions, isExecutable, type MetaTree, type ObjectStore, POINTER_NAME, readMeta, type TreeEntry } from '../store/index.ts';

/** One path that differs between two states; null is absence. */
export interface StateChange {
  readonly path: RelativePath;
  readonly from: Node | null;
  readonly to: Node | null;
}

interface Side {
  readonly tree: TreeId | null;
  readonly meta: TreeId | null;
}

const NOTHING: Side = { tree: null, meta: null };

/** Every path that differs, directories included, in path order; equal subtrees are not read. */
export const diffStates = (store: ObjectStore, from: WorkspaceState | null, to: WorkspaceState | null): StateChange[] => {
  const changes: StateChange[] = [];
  const compare = (directory: RelativePath, before: Side, after: Side): void => {
    if (before.tree === after.tree && before.meta === after.meta) return;
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
  compare(ROOT, sideOf(from), sideOf(to));
  return changes.sort((a, b) => compareBytes(a.path, b.path));
};

/** The changes of chosen paths, and of directories above them that have to come into being first. */
export const choose = (changes: readonly StateChange[], isChosen: (path: RelativePath) => boolean): StateChange[] => {
  const needed = new Set<RelativePath>();
  for (const { path, to } of changes) {
    if (to !== null && isChosen(path)) for (let up = parent(path); up !== ROOT; up = parent(up)) needed.add(up);
  }
  return changes.filter(
    ({ path, from, to }) => isChosen(path) || (needed.has(path) && to?.type === 'directory' && from?.type !== 'directory'),
  );
};

const sideOf = (state: WorkspaceState | null): Side => (state === null ? NOTHING : { tree: state.files, meta: state.meta });

/** One directory of a state, with tree and meta read as one. */
class Directory {
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

/** The file or link that a state holds at a path. */
export const blobAt = (store: ObjectStore, state: WorkspaceState, path: RelativePath): BlobId | null => {
  let tree = state.files;
  const names = path.split('/');
  for (const [depth, name] of names.entries()) {
    const entry = store.readTree(tree).find((candidate) => candidate.name === name);
    if (entry === undefined) return null;
    if (depth === names.length - 1) return entry.mode === 0o40000 ? null : (entry.id as BlobId);
    if (entry.mode !== 0o40000) return null;
    tree = entry.id as TreeId;
  }
  return null;
};
