import { constants, openSync, statSync } from 'node:fs';
import * as effects from './effects.ts';

/** Adds one line to a file that many processes write to: each line arrives whole. */
export const appendLine = (path: string, line: string): void => {
  // Whoever put a pipe in its place is not waited for.
  const fd = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK, 0o600);
  try {
    effects.writeAll(fd, Buffer.from(`${line}\n`), path);
  } finally {
    effects.close(fd);
  }
};

export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
