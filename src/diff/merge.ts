import { type ByteString, join, type Node, type RelativePath, ROOT, type WorkspaceState } from '../model/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { Followed, type FollowedRename } from './followed.ts';
import { leafOf } from './leaf.ts';
import { mergeLeaf, pick } from './merge-leaf.ts';
import { type ConflictReason, differs, type Merge, type MergeChange, type MergeConflict } from './merged.ts';
import { findRenames } from './renames.ts';
import { Directory, diffSides, inPathOrder, type Side, sideOf } from './sides.ts';
import type { StateChange } from './states.ts';
import type { MergeLabels, Sides } from './text/index.ts';

const LABELS: MergeLabels = { ours: 'ours', base: 'base', theirs: 'theirs' };

interface MergeOptions {
  readonly labels?: MergeLabels;
  /** The base and theirs hold only the paths that theirs is about: what ours has elsewhere was perhaps always there, and not renamed. */
  readonly partial?: boolean;
}

/**
 * What both sides made of `base`, as changes of `ours`. Reads only directories that differ, and only the content that both
 * sides changed; more only where a conflict may come from a rename.
 */
export const mergeStates = (
  store: ObjectStore,
  states: Sides<WorkspaceState | null>,
  { labels = LABELS, partial = false }: MergeOptions = {},
): Merge => {
  const sides = { base: sideOf(states.base), ours: sideOf(states.ours), theirs: sideOf(states.theirs) };
  const merge = new Merging(store, labels, new Followed(store, [], labels)).run(sides);
  const renames = findRenames(store, sides, merge.conflicts, partial ? ['theirs', 'both'] : ['ours', 'theirs', 'both']);
  return renames.length === 0 ? merge : new Merging(store, labels, new Followed(store, renames, labels)).run(sides);
};

const NO_MIDDLE = { manual: null, settled: null };

/** What the three sides have at one path. */
interface Place {
  readonly path: RelativePath;
  readonly nodes: Sides<Node | null>;
  readonly below: Sides<Side>;
}

/** The methods that merge a path tell whether something is there for certain afterwards, whatever is chosen for conflicts. */
class Merging {
  readonly #store: ObjectStore;
  readonly #labels: MergeLabels;
  readonly #renames: Followed;
  readonly #changes: MergeChange[] = [];
  readonly #conflicts: MergeConflict[] = [];
  readonly #hanging: StateChange[] = [];
  /** At how many paths a choice decides whether something is there. */
  #open = 0;

  constructor(store: ObjectStore, labels: MergeLabels, renames: Followed) {
    this.#store = store;
    this.#labels = labels;
    this.#renames = renames;
  }

  run(sides: Sides<Side>): Merge {
    this.#mergeBelow(ROOT, sides);
    return { changes: inPathOrder(this.#changes), conflicts: inPathOrder(this.#conflicts), hanging: inPathOrder(this.#hanging) };
  }

  #mergeBelow(directory: RelativePath, sides: Sides<Side>): boolean {
    const base = new Directory(this.#store, sides.base);
    const ours = new Directory(this.#store, sides.ours);
    const theirs = new Directory(this.#store, sides.theirs);
    let there = false;
    for (const name of new Set([...base.names, ...ours.names, ...theirs.names])) {
      if (this.#mergeName(join(directory, name), name, { base, ours, theirs })) there = true;
    }
    return there;
  }

  #mergeName(path: RelativePath, name: ByteString, { base, ours, theirs }: Sides<Directory>): boolean {
    const mayBeOneSided = !this.#renames.leadsTo(path);
    if (mayBeOneSided && (ours.isSameAt(name, theirs) || base.isSameAt(name, theirs))) return ours.has(name);
    const place: Place = {
      path,
      nodes: { base: base.node(name), ours: ours.node(name), theirs: theirs.node(name) },
      below: { base: base.below(name), ours: ours.below(name), theirs: theirs.below(name) },
    };
    if (mayBeOneSided && base.isSameAt(name, ours)) return this.#takeTheirs(place);
    const [ourType, theirType] = [place.nodes.ours?.type, place.nodes.theirs?.type];
    if (ourType === 'directory' && theirType === 'directory') return this.#mergeDirectories(place);
    if (ourType === 'directory') return this.#mergeWithDirectory(place, 'ours');
    if (theirType === 'directory') return this.#mergeWithDirectory(place, 'theirs');
    return this.#mergeLeaves(place);
  }

  #takeTheirs(place: Place): boolean {
    for (const change of this.#toTheirs(place)) this.#changes.push(change);
    return place.nodes.theirs !== null;
  }

  #toTheirs({ path, nodes, below }: Place): StateChange[] {
    const own = differs(nodes.ours, nodes.theirs) ? [{ path, from: nodes.ours, to: nodes.theirs }] : [];
    return [...own, ...diffSides(this.#store, path, below.ours, below.theirs)];
  }

  #mergeDirectories({ path, nodes, below }: Place): boolean {
    const { base, ours, theirs } = nodes;
    const bits = (node: Node | null) => (node?.type === 'directory' ? node.permissions : undefined);
    const permissions = pick(bits(base), bits(ours), bits(theirs));
    const change = { path, from: ours, to: theirs };
    if (permissions === undefined)
      this.#conflicts.push({ path, reason: 'permissions', ...nodes, manual: ours, settled: null, toTheirs: [change], renamed: null });
    else if (permissions !== bits(ours)) this.#changes.push(change);
    this.#mergeBelow(path, below);
    return true;
  }

  /** One side has a directory here, the other something else or nothing. */
  #mergeWithDirectory(place: Place, side: 'ours' | 'theirs'): boolean {
    const { base } = place.nodes;
    const other = place.nodes[side === 'ours' ? 'theirs' : 'ours'];
    if (other === null && (base?.type === 'directory' || this.#renames.leadsTo(place.path))) return this.#mergeDeleted(place);
    // Nothing, where a file was: both sides gave that up, and only one put a directory there.
    if (other === null) return side === 'ours' || this.#takeTheirs(place);
    if (base?.type === 'directory' && !this.#hasNews(place, side)) return side === 'theirs' || this.#takeTheirs(place);
    return this.#conflict(place, 'directory-in-the-way');
  }

  /** A directory that one side deleted, or never had, is there if the other put something into it. Its bits alone do not keep it. */
  #mergeDeleted({ path, nodes, below }: Place): boolean {
    const earlier = this.#open;
    const there = this.#mergeBelow(path, below);
    const change = { path, from: nodes.ours, to: nodes.theirs };
    const isOpen = !there && this.#open > earlier;
    if (isOpen) this.#hanging.push(change);
    else if (there === (nodes.theirs !== null)) this.#changes.push(change);
    return there;
  }

  #hasNews({ path, below }: Place, side: 'ours' | 'theirs'): boolean {
    return diffSides(this.#store, path, below.base, below[side]).some(({ to }) => to !== null);
  }

  #mergeLeaves(place: Place): boolean {
    const { path } = place;
    const [gone, come] = [this.#renames.from(path), this.#renames.to(path)];
    if (gone !== undefined) return this.#leave(place, gone);
    if (come !== undefined) return this.#arrive(place, come);
    const { base, ours, theirs } = place.nodes;
    const { to, reason, settled } = mergeLeaf(
      this.#store,
      { base: leafOf(base), ours: leafOf(ours), theirs: leafOf(theirs) },
      this.#labels,
    );
    if (reason !== null) return this.#conflict(place, reason, { manual: to, settled });
    if (differs(ours, to)) this.#changes.push({ path, from: ours, to });
    return to !== null;
  }

  /** The old place of something renamed. */
  #leave({ path, nodes: { ours } }: Place, { merged }: FollowedRename): boolean {
    if (merged.reason !== null) this.#open++;
    else if (ours !== null) this.#changes.push({ path, from: ours, to: null });
    return false;
  }

  /** The new place of something renamed: what both sides made of it belongs here. */
  #arrive({ path, nodes: here }: Place, { from, by, nodes, merged: { to, reason, settled } }: FollowedRename): boolean {
    if (reason === null) {
      if (differs(here.ours, to)) this.#changes.push({ path, from: here.ours, to });
      return true;
    }
    const back = { path: from, from: by === 'theirs' ? nodes.ours : null, to: by === 'ours' ? nodes.theirs : null };
    const toTheirs = [...(by === 'both' ? [] : [back]), { path, from: here.ours, to: here.theirs }];
    this.#open++;
    this.#conflicts.push({ path, reason, ...nodes, manual: to, settled, toTheirs, renamed: { from, by } });
    return by === 'both';
  }

  #conflict(place: Place, reason: ConflictReason, middle: Pick<MergeConflict, 'manual' | 'settled'> = NO_MIDDLE): boolean {
    const { path, nodes } = place;
    this.#open++;
    this.#conflicts.push({ path, reason, ...nodes, ...middle, toTheirs: this.#toTheirs(place), renamed: null });
    return nodes.ours !== null && nodes.theirs !== null;
  }
}
