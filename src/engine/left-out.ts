import { type LeftOut, leftOutBy } from '../capture/index.ts';
import { blobAt } from '../diff/index.ts';
import { type ByteString, fromBytes, join, type Recorded, type RelativePath, type WorkspaceState } from '../model/index.ts';
import type { Workspace } from './workspace.ts';

/** Of paths that a record does not hold: which of them its rules left out, so that they may have been there. */
export const leftOutOf = (workspace: Workspace, record: Recorded): LeftOut =>
  leftOutBy(workspace.store.log.manifest(record.id), rulesOf(workspace, record));

/** Which paths the ignore rules in force then exclude, captured in spite of them or not. */
export const ignoredIn = (workspace: Workspace, record: Recorded): LeftOut =>
  leftOutBy({ ...workspace.store.log.manifest(record.id), include: [], omissions: [] }, rulesOf(workspace, record));

const rulesOf =
  ({ store }: Workspace, { state }: Recorded) =>
  (directory: RelativePath): ByteString | null => {
    const blob = blobAt(store.objects, state as WorkspaceState, join(directory, '.gitignore'));
    return blob === null ? null : fromBytes(store.objects.readBlob(blob));
  };
