import { type BlobId, basename, type Node, type RelativePath, systemCode } from '../model/index.ts';
import { objectId, POINTER_NAME } from '../store/index.ts';
import type { WorkspaceFs } from './workspace-fs.ts';

/** Something that is none of the things a plan can speak of: a FIFO, a socket, a device, an unreadable file. */
export type Foreign = 'foreign';

/** What is at a path right now, told by its bytes and not by its times. */
export const observe = (fs: WorkspaceFs, path: RelativePath): Node | Foreign | null => {
  const stat = fs.look(path);
  if (stat === undefined) return null;
  const permissions = stat.mode & 0o7777;
  if (stat.isDirectory()) return { type: 'directory', permissions };
  try {
    if (stat.isSymbolicLink()) return { type: 'link', blob: objectId('blob', fs.readLink(path)) as BlobId };
    if (!stat.isFile()) return 'foreign';
    const blob = objectId('blob', fs.readFile(path, stat.size)) as BlobId;
    return { type: basename(path) === POINTER_NAME ? 'pointer' : 'file', blob, permissions };
  } catch (error) {
    if (systemCode(error) === 'EACCES') return 'foreign';
    throw error;
  }
};
