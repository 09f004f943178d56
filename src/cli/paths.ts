import { pathInWorkspace, type Workspace } from '../engine/index.ts';
import { type RelativePath, RetakeError } from '../model/index.ts';

/** Paths as the user writes them, from where the user stands, to paths of the workspace. */
export const workspacePaths = (workspace: Workspace, from: string, paths: readonly string[]): RelativePath[] =>
  paths.map((path) => {
    const inside = pathInWorkspace(workspace, path, from);
    if (inside !== undefined) return inside;
    throw new RetakeError('usage', `${path} is outside the workspace`, { hint: 'Give paths inside the workspace.' });
  });
