/**
 * diff: state ↔ state, file ↔ file, line ↔ line. Reads the store, writes nothing.
 */
export * from './files.ts';
export * from './states.ts';
