import { fstatSync, readSync } from 'node:fs';

/** The first bytes of an open file, as text. */
export const headOf = (fd: number, most: number): string => {
  const head = Buffer.alloc(Math.min(most, fstatSync(fd).size));
  return head.toString('utf8', 0, readSync(fd, head, 0, head.length, 0));
};
