/**
 * diff: state ↔ state, file ↔ file, line ↔ line. Two sides of one base in one. Reads the store, writes nothing.
 */
export * from './files.ts';
export { mergeStates } from './merge.ts';
export * from './merge-resolve.ts';
export type { ConflictReason, MadeFile, Merge, MergeChange, MergeConflict } from './merged.ts';
export * from './states.ts';
