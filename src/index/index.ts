/**
 * index: the SQLite read model of the operation log. Made for questions; may be deleted at any time.
 */
export * from './operation-index.ts';
