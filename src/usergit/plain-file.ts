import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type ByteString, fromBytes, systemCode, toFs } from '../model/index.ts';

export interface PlainFile {
  readonly bytes: Buffer;
  readonly mtimeMs: number;
}

export interface PlainFileOptions {
  /** Whether a symlink counts as the file it points to. */
  readonly follow: boolean;
  /** How many bytes to read at most; what is longer is cut there. */
  readonly limit?: number;
}

/**
 * Reads a file that the user's repository or configuration names. It may be anything: a FIFO or device there must
 * neither hang nor feed us, so it is opened without blocking and read only if it is regular.
 */
export const readPlainFile = (path: ByteString, options: PlainFileOptions): PlainFile | 'absent' | 'unreadable' => {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (options.follow ? 0 : constants.O_NOFOLLOW);
  let fd: number;
  try {
    // Asked first, because the answer is mostly no, and a failing open is dear.
    const stat = (options.follow ? statSync : lstatSync)(toFs(path), { throwIfNoEntry: false });
    if (stat === undefined) return 'absent';
    const known = KNOWN.get(path);
    if (known?.stamp === stampOf(stat) && known.limit === options.limit) return known.file;
    fd = openSync(toFs(path), flags);
  } catch (error) {
    const code = systemCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : 'unreadable';
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return 'unreadable';
    const file = { bytes: readUpTo(fd, Math.min(stat.size, options.limit ?? stat.size)), mtimeMs: stat.mtimeMs };
    remember(path, stat, file, options.limit);
    return file;
  } catch {
    return 'unreadable';
  } finally {
    closeSync(fd);
  }
};

/** Small files that a process which stays looks at again and again, as long as they are the same by all that the system tells. */
const KNOWN = new Map<ByteString, { readonly stamp: string; readonly file: PlainFile; readonly limit: number | undefined }>();
const MOST_KNOWN = 256;
const LARGEST_KNOWN = 64 * 1024;

/** Two changes this close to each other may leave the same times. */
const RECENT = 2100;

const remember = (path: ByteString, stat: Stats, file: PlainFile, limit: number | undefined): void => {
  KNOWN.delete(path);
  if (stat.size > LARGEST_KNOWN || Math.max(stat.mtimeMs, stat.ctimeMs) > Date.now() - RECENT) return;
  KNOWN.set(path, { stamp: stampOf(stat), file, limit });
  const [oldest] = KNOWN.keys();
  if (KNOWN.size > MOST_KNOWN && oldest !== undefined) KNOWN.delete(oldest);
};

const stampOf = ({ size, mtimeMs, ctimeMs, ino, dev, mode }: Stats): string => [size, mtimeMs, ctimeMs, ino, dev, mode].join(' ');

/** The text of a file, or null when there is none that can be read. */
export const readPlainText = (path: ByteString, options: PlainFileOptions): ByteString | null => {
  const file = readPlainFile(path, options);
  return typeof file === 'string' ? null : fromBytes(file.bytes);
};

const readUpTo = (fd: number, size: number): Buffer => {
  const bytes = Buffer.allocUnsafe(size);
  let done = 0;
  while (done < size) {
    const read = readSync(fd, bytes, done, size - done, done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
};
