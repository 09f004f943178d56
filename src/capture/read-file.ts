import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { type ByteString, fromBytes, type OmissionReason, systemCode, toFs } from '../model/index.ts';

/** Bytes that were the whole content at one moment, with the stat data of that moment. */
export interface StableContent {
  readonly bytes: Buffer;
  readonly stat: Stats;
}

/** How often a file that keeps changing is read again before it is given up (CAP-6). */
const ATTEMPTS = 5;

/** O_NONBLOCK: a FIFO swapped in since the listing must not hang us. */
const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export const readStable = (path: ByteString, limit: number): StableContent | OmissionReason => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const result = readOnce(path, limit);
    if (typeof result !== 'string' && !isBeingWritten(result.stat)) return result;
    if (typeof result === 'string' && result !== 'unstable') return result;
    if (typeof result === 'string') continue;
    pause(longestStall() - ageOf(result.stat));
    const again = readOnce(path, limit);
    if (typeof again !== 'string' && sameContent(result.stat, again.stat) && result.bytes.equals(again.bytes)) return again;
  }
  return 'unstable';
};

/** The kernel copies page by page: what fits into one is never seen half written. */
const PAGE = 4096;
const LATELY = 1000;
const CORES = availableParallelism();

/** A write sets the times of its file when it begins: for how long after them the content may still change, and they do not. */
export const longestWrite = (size: number): number => (size > PAGE ? LATELY : 0);

/** How long a write may stand still because others have the processor: the longer, the more there are of them for each. */
const longestStall = (): number => Math.min(50 * Math.max(1, (loadavg()[0] as number) / CORES), LATELY);

/** How long ago the last write began; none begins later than now. Only ctime, because anybody can set the other. */
const ageOf = ({ ctimeMs }: Stats): number => Math.max(0, Date.now() - ctimeMs);

const isBeingWritten = (stat: Stats): boolean => {
  const age = ageOf(stat);
  return age < longestWrite(stat.size) && age < longestStall();
};

const sleeper = new Int32Array(new SharedArrayBuffer(4));

const pause = (milliseconds: number): void => {
  Atomics.wait(sleeper, 0, 0, milliseconds);
};

const readOnce = (path: ByteString, limit: number): StableContent | OmissionReason => {
  let fd: number;
  try {
    fd = openSync(toFs(path), READ_ONLY);
  } catch (error) {
    return failure(error);
  }
  try {
    const before = fstatSync(fd);
    if (!before.isFile()) return 'unstable';
    if (before.size > limit) return 'too-large';
    // One byte more than expected, so that growth shows.
    const buffer = Buffer.allocUnsafe(before.size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = readSync(fd, buffer, length, buffer.length - length, null);
    const after = fstatSync(fd);
    return length === before.size && sameContent(before, after) ? { bytes: buffer.subarray(0, length), stat: after } : 'unstable';
  } catch (error) {
    return failure(error);
  } finally {
    closeSync(fd);
  }
};

export const readLink = (path: ByteString): StableContent | OmissionReason => {
  try {
    const target = readlinkSync(toFs(path), { encoding: 'buffer' });
    const stat = lstatSync(toFs(path));
    return stat.isSymbolicLink() ? { bytes: target, stat } : 'unstable';
  } catch (error) {
    return systemCode(error) === 'EINVAL' ? 'unstable' : failure(error);
  }
};

/** A rule file's text: null when it is not a readable regular file. */
export const readRules = (path: ByteString): ByteString | null => {
  const content = readStable(path, 16 * 1024 * 1024);
  return typeof content === 'string' ? null : fromBytes(content.bytes);
};

const sameContent = (a: Stats, b: Stats): boolean => a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;

const failure = (error: unknown): OmissionReason => {
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'vanished';
  // ELOOP: the file became a link between listing and opening.
  return code === 'ELOOP' ? 'unstable' : 'unreadable';
};
