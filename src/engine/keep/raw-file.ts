import type { BlobId, Node } from '../../model/index.ts';
import { isExecutable, type ObjectBatch, type ObjectStore } from '../../store/index.ts';
import type { GitEntry, RawFile } from '../../usergit/index.ts';

/** A file or link: all that git commits. */
export type GitFile = Extract<Node, { type: 'file' | 'link' }>;

const isRunnable = (node: GitFile): boolean => node.type === 'file' && isExecutable(node.permissions);

/** A recorded file with its bytes, as the user's git finds it in a work tree. */
export const rawFileOf = (store: ObjectStore, node: GitFile): RawFile => ({
  type: node.type,
  executable: isRunnable(node),
  bytes: store.readBlob(node.blob),
});

/** What git would have of it in a repository of our object format, without conversions. */
export const gitEntryOf = (node: GitFile): GitEntry => {
  if (node.type === 'link') return { mode: '120000', id: node.blob };
  return { mode: isRunnable(node) ? '100755' : '100644', id: node.blob };
};

/** The same in the store, with no other permission bits than git knows. */
export const nodeOf = (batch: ObjectBatch, { type, executable, bytes }: RawFile): GitFile => fileNode(type, batch.blob(bytes), executable);

/** Without the permission bits that git does not know. */
export const asGitKnows = (node: GitFile): GitFile => fileNode(node.type, node.blob, isRunnable(node));

/** With no other permission bits than git knows. */
export const fileNode = (type: GitFile['type'], blob: BlobId, executable: boolean): GitFile =>
  type === 'link' ? { type, blob } : { type, blob, permissions: executable ? 0o755 : 0o644 };
