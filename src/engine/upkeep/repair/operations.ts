import type { BlobId, ByteString, ObjectId, Recorded, TreeId } from '../../../model/index.ts';
import {
  commitOf,
  EMPTY_TREE,
  encodeCommit,
  encodeTree,
  type ObjectStore,
  objectId,
  removedBy,
  type TreeEntry,
} from '../../../store/index.ts';
import type { Workspace } from '../../core/workspace.ts';
import { readIfIntact } from './sources.ts';

/** Of operations that the index knows, those that the store has lost. */
export const lostOf = ({ store }: Workspace, known: readonly Recorded[]): Recorded[] => {
  const removed = removedBy([...known, ...store.log.since(0).operations]);
  return known.filter(({ id }) => !removed.has(id) && store.log.readIfIntact(id) === undefined);
};

/**
 * Makes operations again from what the index says of them. Their ids tell whether that came out right: an id is the hash of all that the
 * operation says, and of the tree that it holds. Needs the lock.
 */
export const reviveOperations = (workspace: Workspace, known: readonly Recorded[]): void => {
  const lost = lostOf(workspace, known);
  if (lost.length === 0) return;
  const { objects } = workspace.store;
  const roots = rootsIn(objects);
  for (const recorded of lost) {
    const { id, state, ...operation } = recorded;
    const entries = state === null ? [] : [...named('files', state.files), ...named('meta', state.meta)];
    // Where the root is lost too, it may have been made of the same parts as another one.
    const candidates =
      state === null ? [[]] : [...(roots.get(keyOf(entries)) ?? []), ...manifestsIn(roots).map((one) => [...entries, one])];
    for (const root of candidates) {
      const tree = encodeTree(root);
      const commit = encodeCommit(commitOf(operation as Recorded, objectId('tree', tree) as TreeId));
      if (objectId('commit', commit) !== id) continue;
      const treeId = objectId('tree', tree);
      objects.place([
        ...(treeId === EMPTY_TREE ? [] : [{ id: treeId, type: 'tree' as const, bytes: tree }]),
        { id, type: 'commit', bytes: commit },
      ]);
      break;
    }
  }
};

const named = (name: string, id: TreeId | null): TreeEntry[] => (id === null ? [] : [{ mode: 0o40000, name: name as ByteString, id }]);

/** Trees that can be the root of an operation, by the state that they hold. */
const rootsIn = (objects: ObjectStore): Map<string, (readonly TreeEntry[])[]> => {
  const roots = new Map<string, (readonly TreeEntry[])[]>();
  for (const id of new Set<ObjectId>(objects.ofType('tree'))) {
    const entries = readIfRoot(objects, id as TreeId);
    if (entries === undefined) continue;
    const key = keyOf(entries);
    roots.set(key, [...(roots.get(key) ?? []), entries]);
  }
  return roots;
};

const readIfRoot = (objects: ObjectStore, id: TreeId): readonly TreeEntry[] | undefined => {
  const object = readIfIntact(objects, id);
  if (object === undefined) return undefined;
  const entries = objects.readTree(id);
  return entries.some(({ name }) => name === 'files') && entries.some(({ name }) => name === 'manifest') ? entries : undefined;
};

const keyOf = (entries: readonly TreeEntry[]): string =>
  ['files', 'meta'].map((wanted) => entries.find(({ name }) => name === wanted)?.id).join();

const manifestsIn = (roots: Map<string, (readonly TreeEntry[])[]>): TreeEntry[] => {
  const found = [...roots.values()].flat().flatMap((entries) => entries.filter(({ name }) => name === 'manifest'));
  return [...new Map(found.map((entry) => [entry.id as BlobId, entry])).values()];
};
