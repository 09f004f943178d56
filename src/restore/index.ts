/**
 * restore: plan → workspace. The only writer of users' files: journalled, atomic per file, and unable to leave the
 * workspace.
 */
export * from './actions.ts';
export * from './apply.ts';
export * from './journal.ts';
export { keepsChanging } from './keeps-changing.ts';
export * from './observe.ts';
export * from './outside.ts';
export * from './workspace-fs.ts';
