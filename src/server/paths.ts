import { pathInWorkspace, type Workspace } from '../engine/index.ts';
import { type RelativePath, RetakeError, ROOT, toText } from '../model/index.ts';

/** A path of a request, which is always below the root: no other way leads out of it. */
export const pathIn = (workspace: Workspace, path: string): RelativePath => {
  const inside = path.startsWith('/') ? undefined : pathInWorkspace(workspace, path, toText(workspace.root));
  if (inside !== undefined && inside !== ROOT) return inside;
  throw new RetakeError('usage', 'A path is one below the root of the workspace');
};
