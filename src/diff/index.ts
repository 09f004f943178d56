/**
 * diff: state ↔ state, file ↔ file, line ↔ line. Two sides of one base, merged. Reads the store; content that
 * a merge makes goes into a batch of the caller's.
 */
export { applyChanges } from './apply-changes.ts';
export * from './directories.ts';
export * from './divergence.ts';
export * from './files.ts';
export { leafOf } from './leaf.ts';
export { mergeStates } from './merge.ts';
export * from './merge-resolve.ts';
export type { ConflictReason, Merge, MergeConflict } from './merged.ts';
export { mostLike } from './most-like.ts';
export * from './narrow.ts';
export * from './replay.ts';
export * from './states.ts';
export { hasMarkers, type MergeLabels, markedLines } from './text/index.ts';
