import type { ObjectStore } from '../store/index.ts';
import type { Merge, MergeConflict } from './merged.ts';
import { isBinary, transplant } from './text/index.ts';

/** A merge in which "theirs" of a text means their changed lines alone, and not the file as they have it with other people's changes. */
export const withOwnLines = (store: ObjectStore, merge: Merge): Merge => ({
  ...merge,
  conflicts: merge.conflicts.map((conflict) => ownLines(store, conflict) ?? conflict),
});

const ownLines = (store: ObjectStore, conflict: MergeConflict): MergeConflict | undefined => {
  const { path, base, ours, theirs, renamed } = conflict;
  if (renamed !== null || base?.type !== 'file' || theirs?.type !== 'file' || (ours !== null && ours.type !== 'file')) return undefined;
  const [before, after] = [store.readBlob(base.blob), store.readBlob(theirs.blob)];
  const onto = ours === null ? Buffer.alloc(0) : store.readBlob(ours.blob);
  if ([before, after, onto].some(isBinary)) return undefined;
  const bytes = transplant(before, after, onto);
  // They only took lines out of a file that is not there.
  if (ours === null && bytes.length === 0) return { ...conflict, theirs: null, settled: null, toTheirs: [] };
  return { ...conflict, settled: null, toTheirs: [{ path, from: ours, to: { type: 'file', bytes, permissions: theirs.permissions } }] };
};
