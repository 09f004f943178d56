import { type MergeChoice, parent, type RelativePath, ROOT } from '../model/index.ts';
import type { ObjectBatch } from '../store/index.ts';
import { differs, type Merge, type MergeChange, type MergeConflict } from './merged.ts';
import { inPathOrder } from './sides.ts';
import type { StateChange } from './states.ts';

export interface MergeChoices {
  readonly paths?: ReadonlyMap<RelativePath, MergeChoice>;
  /** For conflicts that are not named. */
  readonly rest?: MergeChoice | undefined;
}

/** A merge with its conflicts decided. While any is unresolved, nothing of it may be carried out. */
export interface ResolvedMerge {
  /** From ours to the result, in path order. */
  readonly changes: readonly MergeChange[];
  readonly skipped: readonly RelativePath[];
  /** Left to be finished by hand. */
  readonly marked: readonly RelativePath[];
  /** Not chosen, or `manual` where there is nothing to finish by hand. */
  readonly unresolved: readonly RelativePath[];
}

export const resolveMerge = (merge: Merge, { paths, rest }: MergeChoices = {}): ResolvedMerge => {
  const decided = merge.conflicts.map((conflict) => decide(conflict, paths?.get(conflict.path) ?? rest));
  const needed = above(decided.flatMap(({ present }) => present ?? []));
  const hanging = merge.hanging.filter(({ path, to }) => needed.has(path) === (to !== null));
  const chosen = (choice: Decided['choice']) => decided.filter((one) => one.choice === choice).map(({ path }) => path);
  return {
    changes: inPathOrder([...merge.changes, ...hanging, ...decided.flatMap(({ changes }) => changes)]),
    skipped: chosen('skip'),
    marked: chosen('manual'),
    unresolved: chosen(undefined),
  };
};

const above = (paths: readonly RelativePath[]): Set<RelativePath> => {
  const directories = new Set<RelativePath>();
  for (const path of paths) for (let up = parent(path); up !== ROOT && !directories.has(up); up = parent(up)) directories.add(up);
  return directories;
};

interface Decided {
  readonly path: RelativePath;
  readonly choice: MergeChoice | undefined;
  readonly changes: readonly MergeChange[];
  /** Where something is in the end: at the path, or where it was before it was renamed. */
  readonly present: RelativePath | null;
}

const decide = (conflict: MergeConflict, choice: MergeChoice | undefined): Decided => {
  const { path, ours, theirs, toTheirs, renamed } = conflict;
  const middle = middleFor(conflict, choice);
  const ourPlace = renamed?.by === 'theirs' ? renamed.from : path;
  if (middle !== null) {
    const isMoved = ourPlace !== path;
    const leaving = isMoved ? [{ path: ourPlace, from: ours, to: null }] : [];
    const making = isMoved || differs(ours, middle) ? [{ path, from: isMoved ? null : ours, to: middle }] : [];
    return { path, choice, changes: [...leaving, ...making], present: path };
  }
  if (choice === 'theirs') {
    return { path, choice, changes: toTheirs, present: theirs && (renamed?.by === 'ours' ? renamed.from : path) };
  }
  return { path, choice: choice === 'manual' ? undefined : choice, changes: [], present: ours && ourPlace };
};

/** What is made of both sides; null where one of them is taken as it is, or nothing is done. */
const middleFor = ({ manual, settled }: MergeConflict, choice: MergeChoice | undefined): MergeChange['to'] => {
  if (choice === 'manual') return manual;
  return choice === 'ours' || choice === 'theirs' ? (settled?.[choice] ?? null) : null;
};

/** Hands the content that the merge made to a batch; the changes are then about stored content alone. */
export const writeMerged = (batch: ObjectBatch, { changes, unresolved }: ResolvedMerge): StateChange[] => {
  if (unresolved.length > 0) throw new Error(`a merge with ${unresolved.length} unresolved conflict(s) is not carried out`);
  return changes.map(({ path, from, to }) => {
    if (to === null || !('bytes' in to)) return { path, from, to };
    return { path, from, to: { type: 'file', blob: batch.blob(to.bytes), permissions: to.permissions } };
  });
};
