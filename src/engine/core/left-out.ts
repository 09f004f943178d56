import { excludedBy, type LeftOut, leftOutBy } from '../../capture/index.ts';
import { blobAt, type StateChange } from '../../diff/index.ts';
import { type ByteString, fromBytes, join, type Recorded, type RelativePath, RetakeError, type WorkspaceState } from '../../model/index.ts';
import type { Content } from '../../store/index.ts';
import type { Kept } from '../../timeline/index.ts';
import type { Workspace } from './workspace.ts';

/** Of paths that a record does not hold: which of them its rules left out, so that they may have been there. */
export const leftOutOf = (workspace: Workspace, { id, state }: Recorded): LeftOut => {
  try {
    return leftOutBy(workspace.store.log.manifest(id), rulesOf(workspace, state as WorkspaceState));
  } catch (error) {
    // Where the rules are lost, any path may have been left out.
    if (error instanceof RetakeError && error.code === 'store-damaged') return () => true;
    throw error;
  }
};

/** Which paths the ignore rules in force then exclude, captured in spite of them or not. */
export const ignoredIn = (workspace: Workspace, { manifest, state }: Content): LeftOut =>
  leftOutBy({ ...manifest, include: [], exclude: [], omissions: [] }, rulesOf(workspace, state));

/**
 * What `capture.exclude` names now is not recorded, so that changing it could not be undone: it stays as it is, even where the target holds it
 * from a time when it was not excluded.
 */
export const withoutExcluded = (
  { manifest }: Pick<Content, 'manifest'>,
  changes: readonly StateChange[],
): { readonly changes: readonly StateChange[]; readonly kept: readonly Kept[] } => {
  if (manifest.exclude === undefined) return { changes, kept: [] };
  const excluded = excludedBy(manifest);
  const left = new Set<RelativePath>();
  const rest = changes.filter(({ path, from, to }) => {
    const at = excluded(path, (to ?? from)?.type === 'directory');
    if (at !== null) left.add(at);
    return at === null;
  });
  return { changes: rest, kept: [...left].map((path) => ({ path, reason: 'capture.exclude leaves it out; it stays as it is' })) };
};

const rulesOf =
  ({ store }: Workspace, state: WorkspaceState) =>
  (directory: RelativePath): ByteString | null => {
    const blob = blobAt(store.objects, state, join(directory, '.gitignore'));
    return blob === null ? null : fromBytes(store.objects.readBlob(blob));
  };
