import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { describeWriteFailure, effects, isTemporary, removeQuietly, temporaryName } from '../../host/index.ts';
import { type ByteString, RetakeError, systemCode, toFs, toText } from '../../model/index.ts';
import { above, below, realPath, statIfAny } from '../paths.ts';

/**
 * Replaces a file of the user's repository as git does: who has made its `.lock` may. Our lock is a second name of the new
 * file from the instant it exists, so that a lock which a killed process of ours left is told from git's own, and taken away.
 */
export const replaceLocked = (file: ByteString, bytes: Buffer): void => {
  const { path, lock } = placesOf(file);
  const temporary = below(above(path), temporaryName());
  clearLeftovers(file);
  try {
    writeNew(temporary, bytes, statIfAny(path));
    takeLock(temporary, lock);
    try {
      effects.rename(toFs(temporary), toFs(path));
    } finally {
      effects.unlink(toFs(lock));
    }
  } catch (error) {
    removeQuietly(toFs(temporary));
    throw describeWriteFailure(error, toText(path));
  }
};

/** git follows a symlink too. */
const placesOf = (file: ByteString): { path: ByteString; lock: ByteString } => {
  const path = realPath(file) ?? file;
  return { path, lock: `${path}.lock` as ByteString };
};

const writeNew = (path: ByteString, bytes: Buffer, like: Stats | undefined): void => {
  const fd = effects.createFile(toFs(path), 0o666);
  try {
    if (like !== undefined) effects.setMode(fd, like.mode & 0o777);
    effects.writeAll(fd, bytes, toFs(path));
  } finally {
    effects.close(fd);
  }
};

const takeLock = (index: ByteString, lock: ByteString): void => {
  try {
    effects.link(toFs(index), toFs(lock));
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw busy(lock);
    createLock(lock);
  }
};

/** For file systems without hard links. */
const createLock = (lock: ByteString): void => {
  try {
    effects.close(effects.createFile(toFs(lock), 0o666));
  } catch (error) {
    throw systemCode(error) === 'EEXIST' ? busy(lock) : error;
  }
};

const busy = (lock: ByteString): RetakeError =>
  new RetakeError('git-busy', `git is at work in this repository: ${toText(lock)} exists`, {
    hint: 'Wait for it to finish. If no git process is running, one was killed: remove that file and try again.',
    details: { lock: toText(lock) },
  });

/** What a killed process of ours left. */
export const clearLeftovers = (file: ByteString): void => {
  const { path, lock } = placesOf(file);
  const directory = above(path);
  const strays = readdirSync(toFs(directory), { encoding: 'latin1' })
    .filter(isTemporary)
    .map((name) => below(directory, name));
  const held = fileAt(lock);
  if (held !== undefined && [path, ...strays].some((name) => isSame(fileAt(name), held))) effects.unlink(toFs(lock));
  for (const stray of strays) effects.unlink(toFs(stray));
};

const fileAt = (path: ByteString): Stats | undefined => lstatSync(toFs(path), { throwIfNoEntry: false });

const isSame = (a: Stats | undefined, b: Stats): boolean => a !== undefined && a.ino === b.ino && a.dev === b.dev;
