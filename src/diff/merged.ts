import { type Node, type RelativePath, sameNode } from '../model/index.ts';
import type { StateChange } from './states.ts';

/** A file that a merge made: its content is in no store yet. */
export interface MadeFile {
  readonly type: 'file';
  readonly bytes: Buffer;
  readonly permissions: number;
}

/** Whether something else is there afterwards; what was made is made because no side has it. */
export const differs = (from: Node | null, to: Node | MadeFile | null): boolean =>
  to !== null && 'bytes' in to ? true : !sameNode(from, to);

/** One path that differs between our state and the merged one. */
export interface MergeChange {
  readonly path: RelativePath;
  readonly from: Node | null;
  readonly to: Node | MadeFile | null;
}

export type ConflictReason =
  /** The same lines, the same link, or the same `.git` pointer, differently. */
  | 'both-changed'
  | 'both-added'
  | 'changed-and-deleted'
  /** A file here, a link there. */
  | 'type'
  | 'binary'
  /** Permission bits alone; the content could be merged. */
  | 'permissions'
  /** A file or link on the one side, on the other a directory with something new in it. Stands for all that lies below. */
  | 'directory-in-the-way';

/** A file or link that a side moved elsewhere, while the other left it in its old place or moved it to the same. */
export interface Renamed {
  readonly from: RelativePath;
  readonly by: 'ours' | 'theirs' | 'both';
}

/** A path that can not be merged without a choice. Until then it is as ours has it. */
export interface MergeConflict {
  /** Of something renamed, the new one. */
  readonly path: RelativePath;
  readonly reason: ConflictReason;
  readonly base: Node | null;
  readonly ours: Node | null;
  readonly theirs: Node | null;
  /**
   * What a person gets to finish by hand: what could be merged is, text that could not stands between markers, permission
   * bits that could not are ours. Null where there is no such middle, only the sides.
   */
  readonly manual: Node | MadeFile | null;
  /** The same with what could not be merged, and only that, as one side has it; null where there is no such middle. */
  readonly settled: { readonly ours: Node | MadeFile; readonly theirs: Node | MadeFile } | null;
  /** What leads from ours to theirs, here and below; of something renamed, in its old place too. */
  readonly toTheirs: readonly MergeChange[];
  /** The side that did not rename it has it there still, and so has the base. */
  readonly renamed: Renamed | null;
}

/** Two states made one, but for the conflicts. Lists are in path order. */
export interface Merge {
  /** What leads from ours to the merged state whatever is chosen for the conflicts. */
  readonly changes: readonly MergeChange[];
  readonly conflicts: readonly MergeConflict[];
  /** Directories with conflicts below, which are there in the end only if something in them is. */
  readonly hanging: readonly StateChange[];
}
