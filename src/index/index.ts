/**
 * index: the SQLite read model of the operation log. Made for questions; may be deleted at any time.
 */
export { inspectIndex, readBodies } from './inspect.ts';
export {
  type ChangeCounts,
  type CheckpointPlace,
  type Entry,
  OperationIndex,
  type RecordedTurn,
  type Stretch,
} from './operation-index.ts';
