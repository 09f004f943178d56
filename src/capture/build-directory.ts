import { type BlobId, type ByteString, type RelativePath, ROOT, type TreeId } from '../model/index.ts';
import {
  DIRECTORY_PERMISSIONS,
  describeDirectory,
  type GitPointer,
  isExecutable,
  type ObjectBatch,
  type TreeEntry,
  writeMeta,
} from '../store/index.ts';
import type { Entry } from './record.ts';

export interface DirectoryIds {
  readonly tree: TreeId;
  readonly meta: TreeId | null;
}

/** Turns the entries of a directory into its tree and its meta. */
export const buildDirectory = (
  batch: ObjectBatch,
  directory: RelativePath,
  mode: number,
  entries: readonly Entry[],
  metaBelow: (name: ByteString) => TreeId | null,
): DirectoryIds => {
  const files: { name: ByteString; permissions: number }[] = [];
  const metas: [ByteString, TreeId][] = [];
  const tree: TreeEntry[] = [];
  let pointer: GitPointer | null = null;
  for (const { name, kind, id, print } of entries) {
    const permissions = print.mode & 0o7777;
    if (kind === 'pointer') pointer = { id: id as BlobId, permissions };
    else if (kind === 'pointer-link') pointer = { id: id as BlobId, permissions: null };
    else if (kind === 'link') tree.push({ mode: 0o120000, name, id });
    else if (kind === 'directory') {
      tree.push({ mode: 0o40000, name, id });
      const meta = metaBelow(name);
      if (meta !== null) metas.push([name, meta]);
    } else {
      tree.push({ mode: isExecutable(permissions) ? 0o100755 : 0o100644, name, id });
      files.push({ name, permissions });
    }
  }
  // The root's own permissions are the user's affair: a rollback never changes the directory it works in.
  const own = directory === ROOT ? DIRECTORY_PERMISSIONS : mode & 0o7777;
  return { tree: batch.tree(tree), meta: writeMeta(batch, describeDirectory(own, files, pointer), metas) };
};
