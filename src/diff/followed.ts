import { parent, type RelativePath, ROOT } from '../model/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { type MergedLeaf, mergeLeaf } from './merge-leaf.ts';
import type { Rename } from './renames.ts';
import type { MergeLabels } from './text/index.ts';

/** A rename, and what comes of both sides' changes in the new place. */
export interface FollowedRename extends Rename {
  readonly merged: MergedLeaf;
}

/** Renames by the paths where a merge meets them. */
export class Followed {
  readonly #byOld: ReadonlyMap<RelativePath, FollowedRename>;
  readonly #byNew: ReadonlyMap<RelativePath, FollowedRename>;
  readonly #ways = new Set<RelativePath>();

  constructor(store: ObjectStore, renames: readonly Rename[], labels: MergeLabels) {
    const followed = renames.map((rename) => ({ ...rename, merged: mergeLeaf(store, rename.nodes, labels) }));
    this.#byOld = new Map(followed.map((rename) => [rename.from, rename]));
    this.#byNew = new Map(followed.map((rename) => [rename.to, rename]));
    for (const { to } of renames) for (let path = to; path !== ROOT && !this.#ways.has(path); path = parent(path)) this.#ways.add(path);
  }

  from(path: RelativePath): FollowedRename | undefined {
    return this.#byOld.get(path);
  }

  to(path: RelativePath): FollowedRename | undefined {
    return this.#byNew.get(path);
  }

  /** Whether this is a new name, or a directory above one. */
  leadsTo(path: RelativePath): boolean {
    return this.#ways.has(path);
  }
}
