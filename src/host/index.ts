/**
 * host: the only door to the machine. Clock, environment, writes to disk, processes, locks. Other rooms that read files
 * use node:fs directly; whoever changes a disk or starts a process goes through here.
 */

export * from './append.ts';
export * from './background.ts';
export * as effects from './effects.ts';
export * from './environment.ts';
export * from './files.ts';
export * from './git.ts';
export * from './interrupt.ts';
export * from './lock.ts';
export { hasEnded, type ProcessName } from './process-stat.ts';
export * from './processes.ts';
export * from './put-file.ts';
export * from './scratch.ts';
export * from './shell.ts';
export * from './sqlite.ts';
