import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** The system's limit is 108 bytes with the final zero on Linux, 104 elsewhere. */
const LONGEST = 103;

export interface SocketPath {
  readonly path: string;
  /** To be called when nobody listens or connects there any more. */
  release(): void;
}

/**
 * A name for the socket in a directory that the system accepts. Where its path is too long, Linux offers a short one by way
 * of the opened directory.
 */
export const socketPath = (directory: string): SocketPath => {
  const path = join(directory, 'socket');
  if (Buffer.byteLength(path) <= LONGEST || process.platform !== 'linux') return { path, release: () => {} };
  const fd = openSync(directory, 'r');
  return { path: `/proc/self/fd/${fd}/socket`, release: () => closeSync(fd) };
};
