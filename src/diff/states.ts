import { type BlobId, isWithin, type Node, parent, type RelativePath, ROOT, type TreeId, type WorkspaceState } from '../model/index.ts';
import type { ObjectStore, TreeEntry } from '../store/index.ts';
import { diffSides, inPathOrder, sideOf } from './sides.ts';

/** One path that differs between two states; null is absence. */
export interface StateChange {
  readonly path: RelativePath;
  readonly from: Node | null;
  readonly to: Node | null;
}

/** Every path that differs, directories included, in path order; equal subtrees are not read. */
export const diffStates = (store: ObjectStore, from: WorkspaceState | null, to: WorkspaceState | null): StateChange[] =>
  inPathOrder(diffSides(store, ROOT, sideOf(from), sideOf(to)));

/** The same without reading directories in which nothing is meant: they may be damaged. What lies beside what is meant may be told too. */
export const diffAround = (
  store: ObjectStore,
  from: WorkspaceState | null,
  to: WorkspaceState | null,
  paths: readonly RelativePath[],
): StateChange[] => {
  const enters = (directory: RelativePath): boolean => paths.some((path) => isWithin(directory, path) || isWithin(path, directory));
  return inPathOrder(diffSides(store, ROOT, sideOf(from), sideOf(to), enters));
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

/** The file or link that a state holds at a path. */
export const blobAt = (store: ObjectStore, state: WorkspaceState, path: RelativePath): BlobId | null =>
  (entryAt(store, state, path)?.id as BlobId | undefined) ?? null;

/** The same with its mode, which is all that git knows of it. */
export const entryAt = (store: ObjectStore, state: WorkspaceState, path: RelativePath): TreeEntry | undefined => {
  const entry = anyEntryAt(store, state, path);
  return entry?.mode === DIRECTORY ? undefined : entry;
};

export const hasDirectoryAt = (store: ObjectStore, state: WorkspaceState, path: RelativePath): boolean =>
  path === ROOT || anyEntryAt(store, state, path)?.mode === DIRECTORY;

const DIRECTORY = 0o40000;

const anyEntryAt = (store: ObjectStore, state: WorkspaceState, path: RelativePath): TreeEntry | undefined => {
  let tree = state.files;
  const names = path.split('/');
  for (const [depth, name] of names.entries()) {
    const entry = store.readTree(tree).find((candidate) => candidate.name === name);
    if (depth === names.length - 1 || entry?.mode !== DIRECTORY) return depth === names.length - 1 ? entry : undefined;
    tree = entry.id as TreeId;
  }
  return undefined;
};
