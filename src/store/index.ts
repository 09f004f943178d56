/**
 * store: the private git repository. Objects (loose and in packs), refs, the operation log, and the two formats of ours
 * inside it: meta and manifest. Knows nothing of users' files.
 */
export { isConfigurationWhole, writeConfiguration } from './configuration.ts';
export * from './manifest.ts';
export * from './meta.ts';
export * from './objects/index.ts';
export { type Content, commitOf, countForgotten, forgottenBy, LAST, OPERATIONS, refOf, sequenceIn } from './operation-log.ts';
export * from './packing/index.ts';
export { findLost, type KnownElsewhere, type RefSurvey, removedBy, surveyRefs } from './ref-survey.ts';
export * from './refs.ts';
export * from './store.ts';
export { highestWritten, operationsAmong } from './written-operations.ts';
