/**
 * index: the SQLite read model of the operation log. Made for questions; may be deleted at any time.
 */
export { inTheWay } from './database.ts';
export { inspectIndex, readBodies } from './inspect.ts';
export { OperationIndex } from './operation-index.ts';
export type { ChangeCounts, CheckpointPlace, Entry, RecordedTurn, Stretch } from './rows.ts';
