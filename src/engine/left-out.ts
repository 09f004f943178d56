import { type LeftOut, leftOutBy } from '../capture/index.ts';
import { blobAt } from '../diff/index.ts';
import { fromBytes, join, type Recorded, type WorkspaceState } from '../model/index.ts';
import type { Workspace } from './workspace.ts';

/** Of paths that a record does not hold: which of them its rules left out, so that they may have been there. */
export const leftOutOf = ({ store }: Workspace, { id, state }: Recorded): LeftOut =>
  leftOutBy(store.log.manifest(id), (directory) => {
    const blob = blobAt(store.objects, state as WorkspaceState, join(directory, '.gitignore'));
    return blob === null ? null : fromBytes(store.objects.readBlob(blob));
  });
