import { entryAt, hasDirectoryAt } from '../../diff/index.ts';
import { isWithin, type RelativePath, RetakeError, toText, type WorkspaceState } from '../../model/index.ts';
import { WorkspaceFs } from '../../restore/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** What is compared: two states, and what was found to differ. */
interface Compared {
  readonly states: readonly (WorkspaceState | null)[];
  readonly changes: readonly { readonly path: RelativePath }[];
}

/**
 * Refuses paths that stand for nothing: in neither state, not among what differs, and not on disk, where what is ignored lies. Whoever
 * mistyped one would take "nothing to change" for an answer about another.
 */
export const refuseUnknownPaths = (workspace: Workspace, paths: readonly RelativePath[], { states, changes }: Compared): void => {
  const { objects } = workspace.store;
  const fs = new WorkspaceFs(workspace.root);
  for (const path of paths) {
    if (changes.some((change) => isWithin(change.path, path))) continue;
    if (states.some((state) => state !== null && (hasDirectoryAt(objects, state, path) || entryAt(objects, state, path)))) continue;
    if (fs.look(path) !== undefined) continue;
    throw new RetakeError('no-such-file', `There is no file or directory ${toText(path)}, neither now nor then`, {
      hint: 'Paths begin where you stand; retake diff ID --stat lists what differs.',
    });
  }
};
