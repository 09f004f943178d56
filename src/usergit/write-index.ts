import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { describeWriteFailure, effects, isTemporary, removeQuietly, temporaryName } from '../host/index.ts';
import { type ByteString, RetakeError, systemCode, toFs, toText } from '../model/index.ts';
import { indexBytes } from './index-bytes.ts';
import { UserIndex } from './index-file.ts';
import { above, below, realPath, statIfAny } from './paths.ts';
import type { UserRepository } from './repository.ts';
import type { StagedEntry } from './staging.ts';

/**
 * Replaces the user's index with exactly these entries. What git knows of files whose entries stay is kept, so that it need
 * not read them again.
 *
 * As for git itself, who has `index.lock` may replace the index. Our lock is a second name of the new index from the instant
 * it exists, so that a lock which a killed process of ours left is told from git's own, and taken away.
 */
export const writeIndex = (repository: UserRepository, entries: readonly StagedEntry[]): void => {
  const path = indexPath(repository);
  const lock = `${path}.lock` as ByteString;
  const temporary = below(above(path), temporaryName());
  clearLeftovers(path, lock);
  try {
    writeNew(temporary, newIndex(repository, entries), statIfAny(path));
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

/** Where git would write: it follows a symlink. */
const indexPath = (repository: UserRepository): ByteString => {
  const path = below(repository.gitDirectory, 'index');
  return realPath(path) ?? path;
};

const newIndex = (repository: UserRepository, entries: readonly StagedEntry[]): Buffer => {
  const hashSize = repository.objectFormat === 'sha1' ? 20 : 32;
  if (entries.some(({ id }) => id.length !== hashSize * 2))
    throw new RetakeError('store-damaged', 'What was recorded of the git index is of another object format than the repository');
  const present = UserIndex.read(repository);
  return indexBytes(entries, hashSize, (entry, to, start) => {
    if (entry.stage === 0) present.copyStat(entry, to, start);
  });
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
const clearLeftovers = (path: ByteString, lock: ByteString): void => {
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
