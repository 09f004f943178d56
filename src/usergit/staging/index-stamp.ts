import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { toFs } from '../../model/index.ts';
import { below } from '../paths.ts';
import type { UserRepository } from '../repository.ts';

/**
 * One word for what the index file holds, by the checksum it ends with: the same for the same bytes, wherever they were copied to.
 * Where git was told to write none, by the file's times.
 */
export const indexStamp = ({ gitDirectory, objectFormat }: UserRepository): string => {
  let fd: number;
  try {
    fd = openSync(toFs(below(gitDirectory, 'index')), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return 'none';
  }
  try {
    const { size, mtimeMs, ctimeMs, ino } = fstatSync(fd);
    const checksum = Buffer.alloc(objectFormat === 'sha1' ? 20 : 32);
    const read = size < checksum.length ? 0 : readSync(fd, checksum, 0, checksum.length, size - checksum.length);
    const isTold = read === checksum.length && checksum.some((byte) => byte !== 0);
    return isTold ? `${size} ${checksum.toString('hex')}` : [size, mtimeMs, ctimeMs, ino].join(' ');
  } catch {
    return 'unreadable';
  } finally {
    closeSync(fd);
  }
};
