import { randomBytes } from 'node:crypto';
import { constants, openSync, type PathLike, readFileSync, statSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { RetakeError, systemCode } from '../model/index.ts';
import * as effects from './effects.ts';
import { isAlive } from './processes.ts';

/** Whether a reported write must survive a power cut (`power`: fsync) or only the death of any process (`process`). */
export type Durability = 'process' | 'power';

/** The beginning of every temporary name of ours: git takes files that begin so for strays of its own and clears them away. */
const TEMPORARY_PREFIX = 'tmp_obj_retake_';

/** Tells apart processes that had the same id, one after the other. */
const ours = randomBytes(4).toString('hex');
let named = 0;

export const temporaryName = (): string => `${TEMPORARY_PREFIX}${process.pid}-${ours}-${(named++).toString(36)}`;

export const isTemporary = (name: string): boolean => name.startsWith(TEMPORARY_PREFIX);

/** Whether a temporary name is that of a process which is gone: nobody uses the file any more, nor will anybody remove it. */
export const isAbandoned = (name: string): boolean => {
  const [pid = '', made] = isTemporary(name) ? name.slice(TEMPORARY_PREFIX.length).split('-') : [];
  if (pid === '') return false;
  return Number(pid) === process.pid ? made !== ours : !isAlive(Number(pid));
};

export const readIfExists = (path: string): Buffer | undefined => {
  try {
    // Asked first, because the answer is often no, and an exception costs more than a question.
    return exists(path) ? readAtOnce(path) : undefined;
  } catch (error) {
    // A directory of that name is no such file.
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
};

/** Reads a file without waiting for anybody: a pipe in its place is empty, and not the end of the process. */
export const readAtOnce = (path: string): Buffer => readFileSync(path, { flag: constants.O_RDONLY | constants.O_NONBLOCK });

export const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

export interface ReplaceOptions {
  readonly mode?: number;
  /** For somebody else's file: the mode and owner that it is to have, whatever the umask and whoever we are. */
  readonly like?: { readonly mode: number; readonly uid: number; readonly gid: number };
  readonly durability?: Durability;
  /** Where the temporary file goes, for directories in which even a stray would be misread. */
  readonly temporaryIn?: string;
}

/** Replaces a file whole: readers see the old bytes or the new ones. */
export const replaceFile = (path: string, bytes: Uint8Array, options: ReplaceOptions = {}): void => {
  const temporary = `${options.temporaryIn ?? dirname(path)}/${temporaryName()}`;
  try {
    const fd = effects.createFile(temporary, options.mode ?? 0o600);
    try {
      effects.writeAll(fd, bytes, temporary);
      if (options.like !== undefined) effects.makeAlike(fd, options.like);
      if (options.durability === 'power') effects.sync(fd, temporary);
    } finally {
      effects.close(fd);
    }
    effects.rename(temporary, path);
    if (options.durability === 'power') syncPath(dirname(path));
  } catch (error) {
    removeQuietly(temporary);
    throw describeWriteFailure(error, path);
  }
};

export const syncPath = (path: PathLike): void => {
  const fd = openSync(path, 'r');
  try {
    effects.sync(fd, path);
  } finally {
    effects.close(fd);
  }
};

/** For cleaning up after a failure that is being reported already. */
export const removeQuietly = (path: PathLike): void => {
  try {
    unlinkSync(path);
  } catch {
    // It was never made, or the disk refuses this too; the first failure is the one worth telling.
  }
};

export const noSpace = (path: string, { cause, details }: { cause?: unknown; details?: Record<string, unknown> } = {}): RetakeError =>
  new RetakeError('no-space', `The disk is full: could not write ${path}`, {
    hint: 'Free some space and try again; nothing recorded before was changed.',
    ...(details === undefined ? {} : { details }),
    cause,
  });

/** Turns "disk full" and "no permission" into errors that say what to do (REL-3); others pass unchanged. */
export const describeWriteFailure = (error: unknown, path: string): unknown => {
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return noSpace(path, { cause: error });
    case 'ENOTDIR':
    case 'EEXIST':
      return new RetakeError('permission', `Can not make ${path}: a file is in the way`, {
        hint: 'Move it away, or let RETAKE_HOME name another directory.',
        cause: error,
      });
    case 'EISDIR':
    case 'ENOTEMPTY':
      return new RetakeError('permission', `Can not write ${path}: a directory is in the way`, {
        hint: 'Move it away; nothing recorded before was changed.',
        cause: error,
      });
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new RetakeError('permission', `Not allowed to write ${path}`, {
        hint: 'Check the permissions of that path and its folder.',
        cause: error,
      });
    default:
      return error;
  }
};
