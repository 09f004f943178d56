/**
 * model: ids, records, operations, errors. Pure data that every other module shares; imports nothing.
 */
export * from './branch-name.ts';
export * from './bytes.ts';
export * from './errors.ts';
export * from './event.ts';
export * from './extent.ts';
export * from './git.ts';
export * from './ids.ts';
export * from './merge.ts';
export * from './message.ts';
export * from './nearest.ts';
export * from './operation.ts';
export * from './plan.ts';
