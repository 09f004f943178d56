import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Workspace } from '../engine/index.ts';
import { fromBytes, fromText, isWithin, type RelativePath, RetakeError, ROOT } from '../model/index.ts';

/** Paths as the user writes them, from where the user stands, to paths of the workspace. */
export const workspacePaths = (workspace: Workspace, from: string, paths: readonly string[]): RelativePath[] => {
  const standing = fromBytes(realpathSync(from, { encoding: 'buffer' }));
  return paths.map((path) => {
    const absolute = fromText(resolve('/', path.startsWith('/') ? path : resolve(Buffer.from(standing, 'latin1').toString(), path)));
    if (!isWithin(absolute as unknown as RelativePath, workspace.root as unknown as RelativePath)) {
      throw new RetakeError('usage', `${path} is outside the workspace`, { hint: 'Give paths inside the workspace.' });
    }
    const relative = absolute.slice(workspace.root === '/' ? 1 : workspace.root.length + 1) as RelativePath;
    return relative === '' ? ROOT : relative;
  });
};
