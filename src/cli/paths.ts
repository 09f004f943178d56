import { pathInWorkspace, type Workspace } from '../engine/index.ts';
import { type RelativePath, RetakeError } from '../model/index.ts';

/** Paths as the user writes them, from where the user stands, to paths of the workspace. */
export const workspacePaths = (workspace: Workspace, from: string, paths: readonly string[]): RelativePath[] =>
  paths.map((path) => {
    // What a shell makes of a variable without a value: it must not stand for everything.
    if (path === '') throw new RetakeError('usage', 'A path can not be empty', { hint: 'A dot stands for the directory you stand in.' });
    const inside = pathInWorkspace(workspace, path, from);
    if (inside !== undefined) return inside;
    throw new RetakeError('usage', `${path} is outside the workspace`, { hint: 'Give paths inside the workspace.' });
  });
