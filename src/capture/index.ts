/**
 * capture: workspace → tree. Ignore rules, the walk over the disk, and the memory of what was there last time. Only
 * reads users' files; writes to the store alone.
 */
export * from './dirty.ts';
export type { Seed } from './entry-reader.ts';
export * from './git-context.ts';
export { IgnoreRules, ignoresWithin } from './ignore/rules.ts';
export { Journal, type Mark } from './journal/journal.ts';
export * from './left-out.ts';
export { readStable } from './read-file.ts';
export type { FileStat, Fingerprint } from './record.ts';
export * from './request.ts';
export * from './scan.ts';
export * from './snapshot.ts';
export * from './walk.ts';
