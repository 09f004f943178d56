import { diffStates, entryAt, leafChanges, mostLike } from '../../diff/index.ts';
import { type BlobId, type RelativePath, sameState, type WorkspaceState } from '../../model/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { AttributedChange } from '../../timeline/index.ts';

/** From one record to the next, or with no attributed change from the newest one to what is not recorded yet. */
export interface Stretch {
  readonly before: WorkspaceState;
  readonly after: WorkspaceState;
  readonly attributed: AttributedChange | null;
}

interface FileVersion extends Pick<Stretch, 'attributed'> {
  readonly path: RelativePath;
  /** Null where no file is there. */
  readonly blob: BlobId | null;
}

interface FileTrail {
  /** What was there before the first stretch. */
  readonly first: BlobId | null;
  /** Each change of the file since, oldest first. */
  readonly versions: readonly FileVersion[];
}

/** How the file that is at a path in the end came to be what it is, under the names that it had before too. */
export const trailOfFile = (store: ObjectStore, start: WorkspaceState, stretches: readonly Stretch[], end: RelativePath): FileTrail => {
  const versions: FileVersion[] = [];
  let path = end;
  for (const stretch of stretches.toReversed()) {
    const { before, after, attributed } = stretch;
    if (sameState(before, after)) continue;
    const [from, to] = [fileAt(store, before, path), fileAt(store, after, path)];
    if (from === to) continue;
    versions.unshift({ attributed, path, blob: to });
    // What a plan of ours brings back had been there under its own name.
    if (from === null && to !== null && !attributed?.isPlanned) path = cameFrom(store, stretch, { path, blob: to }) ?? path;
  }
  return { first: fileAt(store, start, path), versions };
};

export const LINK = 0o120000;

const fileAt = (store: ObjectStore, state: WorkspaceState, path: RelativePath): BlobId | null => {
  const entry = entryAt(store, state, path);
  return entry === undefined || entry.mode === LINK ? null : (entry.id as BlobId);
};

/** The name that a file had which appeared: of one that went and had the same content, or most of it. */
const cameFrom = (store: ObjectStore, { before, after }: Stretch, file: { path: RelativePath; blob: BlobId }): RelativePath | undefined => {
  const gone = leafChanges(diffStates(store, before, after)).flatMap(({ path, from, to }) =>
    from?.type === 'file' && to === null ? [{ path, blob: from.blob }] : [],
  );
  return mostLike(store, gone, file)?.path;
};
