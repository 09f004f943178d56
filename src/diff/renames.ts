import { type Node, parent, type RelativePath, ROOT } from '../model/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { type Leaf, leafOf } from './leaf.ts';
import type { MergeConflict, Renamed } from './merged.ts';
import { findMoves, findSharedMoves, type Moveable } from './moved-files.ts';
import { diffSides, type Side } from './sides.ts';
import type { StateChange } from './states.ts';
import type { Sides } from './text/index.ts';

/** Something renamed, with what the base and each side have of it, wherever they have it. */
export interface Rename extends Renamed {
  readonly to: RelativePath;
  readonly nodes: Sides<Leaf>;
}

interface Changes {
  readonly ours: readonly StateChange[];
  readonly theirs: readonly StateChange[];
}

/**
 * Renames that conflicts come from: of paths that one side changed and the other deleted, and of files that both sides have under
 * the same new name. Nothing is read where there are no such conflicts.
 */
export const findRenames = (
  store: ObjectStore,
  sides: Sides<Side>,
  conflicts: readonly MergeConflict[],
  by: readonly Renamed['by'][],
): Rename[] => {
  const concerned = {
    ours: conflicts.filter((conflict) => isChangedAndDeleted(conflict) && conflict.ours === null),
    theirs: conflicts.filter((conflict) => isChangedAndDeleted(conflict) && conflict.theirs === null),
    both: conflicts.filter(isAddedByBoth),
  };
  const asked = by.filter((one) => concerned[one].length > 0);
  if (asked.length === 0) return [];
  const since = (side: Side) => diffSides(store, ROOT, sides.base, side);
  const changes = { ours: since(sides.ours), theirs: since(sides.theirs) };
  return asked.flatMap((one) =>
    one === 'both' ? renamedByBoth(store, changes, concerned.both) : renamedBy(store, changes, one, concerned[one]),
  );
};

const isMoveable = (node: Node | null): node is Exclude<Leaf, { type: 'pointer' }> => node?.type === 'file' || node?.type === 'link';

/** A change of type is more than a rename can carry along. */
const isChangedAndDeleted = ({ reason, base, ours, theirs }: MergeConflict): boolean =>
  reason === 'changed-and-deleted' && isMoveable(base) && base.type === (ours ?? theirs)?.type;

const isAddedByBoth = ({ reason, base, ours, theirs }: MergeConflict): boolean =>
  (reason === 'both-added' || reason === 'permissions') && base === null && ours?.type === 'file' && theirs?.type === 'file';

const renamedBy = (store: ObjectStore, changes: Changes, by: 'ours' | 'theirs', conflicts: readonly MergeConflict[]): Rename[] => {
  const [own, others] = by === 'ours' ? [changes.ours, changes.theirs] : [changes.theirs, changes.ours];
  const isFree = freePlaces(own, others);
  const moves = {
    gone: goneIn(own),
    come: own.flatMap(({ path, from, to }) => (from === null && isFree(path) ? moveable(path, to) : [])),
    left: own.flatMap(({ path, from }) => moveable(path, from)),
  };
  const asked = new Map(conflicts.map((conflict) => [conflict.path, conflict]));
  const nodes = new Map(own.map(({ path, to }) => [path, leafOf(to)]));
  return findMoves(store, moves, new Set(asked.keys())).map(({ from: { path: from }, to: { path: to } }) => {
    const { base, ours, theirs } = asked.get(from) as MergeConflict;
    const there = nodes.get(to) ?? null;
    return { from, to, by, nodes: { base, ours: ours ?? there, theirs: theirs ?? there } as Sides<Leaf> };
  });
};

const renamedByBoth = (store: ObjectStore, { ours, theirs }: Changes, conflicts: readonly MergeConflict[]): Rename[] => {
  const goneInTheirs = new Set(goneIn(theirs).map(({ path }) => path));
  const gone = goneIn(ours).filter(({ path }) => goneInTheirs.has(path));
  if (gone.length === 0) return [];
  const past = new Map(ours.map(({ path, from }) => [path, from]));
  const asked = new Map(conflicts.map((conflict) => [conflict.path, conflict]));
  const added = conflicts.map((conflict) => ({
    path: conflict.path,
    ours: (conflict.ours as Leaf).blob,
    theirs: (conflict.theirs as Leaf).blob,
  }));
  return findSharedMoves(store, gone, added).map(({ from: { path: from }, to: { path: to } }) => {
    const { ours: one, theirs: other } = asked.get(to) as MergeConflict;
    return { from, to, by: 'both', nodes: { base: past.get(from), ours: one, theirs: other } as Sides<Leaf> };
  });
};

const moveable = (path: RelativePath, node: Node | null): Moveable[] =>
  isMoveable(node) ? [{ path, type: node.type, blob: node.blob }] : [];

const goneIn = (changes: readonly StateChange[]): Moveable[] =>
  changes.flatMap(({ path, from, to }) => (to === null ? moveable(path, from) : []));

/** Where a side put something new, and the other has nothing, nor a file in place of one of the directories above. */
const freePlaces = (own: readonly StateChange[], others: readonly StateChange[]): ((path: RelativePath) => boolean) => {
  const there = new Map(others.map(({ path, to }) => [path, to]));
  // Where a directory replaced a file, the other has the file still unless it did something about it.
  const replaced = new Map(own.map(({ path, from }) => [path, from]));
  const isBlocked = (directory: RelativePath): boolean => {
    if (directory === ROOT) return false;
    const node = there.has(directory) ? there.get(directory) : replaced.get(directory);
    return leafOf(node ?? null) !== null || isBlocked(parent(directory));
  };
  return (path) => (there.get(path) ?? null) === null && !isBlocked(parent(path));
};
