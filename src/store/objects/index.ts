/**
 * objects: git objects of the store's repository, read and written in-process. Files and formats end here: callers see
 * ids, bytes, trees and commits.
 */
export { type CommitFields, encodeCommit, encodeTree, objectId, type StoredObject, type TreeEntry } from './codec.ts';
export { mendPack } from './mend-pack.ts';
export type { ObjectBatch } from './object-batch.ts';
export { inspectObjectFiles, MISSING } from './object-files.ts';
export { EMPTY_TREE, ObjectStore } from './object-store.ts';
