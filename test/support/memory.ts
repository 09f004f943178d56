import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const SHARED = '/dev/shm';

/** Bytes that tests may need there at once; a container may have a few megabytes only. */
const ENOUGH = 2 ** 31;

const hasRoom = (directory: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize > ENOUGH;
  } catch {
    return false;
  }
};

/** A directory in memory, where there is one with room; else the one for temporary files. */
export const memoryDirectory = (): string => (hasRoom(SHARED) ? SHARED : tmpdir());
