import { pathInWorkspace, type Workspace } from '../engine/index.ts';
import { fromBytes, type RelativePath, RetakeError, ROOT, toText } from '../model/index.ts';

/** A path of a request, which is always below the root: no other way leads out of it. */
export const pathIn = (workspace: Workspace, path: string): RelativePath => {
  const inside = path.startsWith('/') ? undefined : pathInWorkspace(workspace, path, toText(workspace.root));
  if (inside !== undefined && inside !== ROOT) return inside;
  throw outside();
};

/** The same for a path that is not UTF-8, as answers tell it. It is only compared with others. */
export const pathOfBytes = (base64: string): RelativePath => {
  const path = fromBytes(Buffer.from(base64, 'base64')) as RelativePath;
  if (path.split('/').every((name) => !['', '.', '..'].includes(name)) && !path.includes('\0')) return path;
  throw outside();
};

const outside = (): RetakeError => new RetakeError('usage', 'A path is one below the root of the workspace');
