import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readingDisk } from './damage.ts';

const LENGTH = 20;

/** SHA-1 of the first `length` bytes of a file, or of all of it. */
export const checksumOf = (path: string, length = Number.MAX_SAFE_INTEGER): Buffer => {
  const hash = createHash('sha1');
  const chunk = Buffer.allocUnsafe(1 << 20);
  const fd = openSync(path, 'r');
  try {
    for (let left = length; left > 0; ) {
      const count = readingDisk(() => readSync(fd, chunk, 0, Math.min(chunk.length, left), null));
      if (count === 0) break;
      hash.update(chunk.subarray(0, count));
      left -= count;
    }
  } finally {
    closeSync(fd);
  }
  return hash.digest();
};

/** The checksum that a file of git's ends with. */
export const trailerOf = (path: string): { readonly trailer: Buffer; readonly before: number } => {
  const fd = openSync(path, 'r');
  try {
    const before = Math.max(0, fstatSync(fd).size - LENGTH);
    const trailer = Buffer.alloc(LENGTH);
    return {
      trailer: trailer.subarray(
        0,
        readingDisk(() => readSync(fd, trailer, 0, LENGTH, before)),
      ),
      before,
    };
  } finally {
    closeSync(fd);
  }
};

/** The file's own checksum, if it is right. */
export const soundChecksum = (path: string): Buffer | undefined => {
  const { trailer, before } = trailerOf(path);
  return before > 0 && checksumOf(path, before).equals(trailer) ? trailer : undefined;
};
