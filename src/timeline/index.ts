/**
 * timeline: pure functions over operations and changes: plans, undo chains. No disk, no clock, no store.
 */
export * from './plan.ts';
export * from './rolled-back.ts';
export * from './undo.ts';
