/**
 * timeline: pure functions over operations, changes and messages: plans, undo chains, the tree of conversations. No disk, no clock,
 * no store.
 */
export * from './plan.ts';
export * from './rolled-back.ts';
export { turnPrompts } from './turns.ts';
export * from './undo.ts';
