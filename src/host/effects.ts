import {
  chmodSync,
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  mkdirSync,
  openSync,
  type PathLike,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';

/**
 * Every change Retake makes to a disk goes through here, so that a test can end the process before any one of them and
 * see what the next start finds (REL-2). SQLite's own writes are the one exception.
 */
export interface Effect {
  readonly kind: 'create' | 'write' | 'rename' | 'unlink' | 'mkdir' | 'rmdir' | 'link' | 'symlink' | 'chmod' | 'sync' | 'truncate';
  readonly path: string;
}

let observer: ((effect: Effect) => void) | undefined;

/** Called before each effect, and in the middle of each write. */
export const observeEffects = (callback: ((effect: Effect) => void) | undefined): void => {
  observer = callback;
};

const announce = (kind: Effect['kind'], path: PathLike): void => observer?.({ kind, path: String(path) });

export const createFile = (path: PathLike, mode: number): number => {
  announce('create', path);
  return openSync(path, 'wx', mode);
};

/** For writing into a file that is there. */
export const openIfExists = (path: PathLike): number | undefined => {
  try {
    return openSync(path, 'r+');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
};

export const writeAll = (fd: number, bytes: Uint8Array, path: PathLike): void => {
  let done = 0;
  if (observer !== undefined && bytes.length > 1) {
    // A torn write is what a kill in the middle of one looks like: show the observer that state too.
    announce('write', path);
    done = writeSync(fd, bytes, 0, bytes.length >> 1);
    announce('write', path);
  }
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done);
};

export const writeAt = (fd: number, bytes: Uint8Array, position: number, path: PathLike): void => {
  announce('write', path);
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, position + done);
};

export const truncate = (fd: number, path: PathLike): void => {
  announce('truncate', path);
  ftruncateSync(fd, 0);
};

export const setMode = (fd: number, mode: number): void => fchmodSync(fd, mode);

/** In seconds. */
export const setTime = (fd: number, time: number): void => futimesSync(fd, time, time);

export const makeAlike = (fd: number, { mode, uid, gid }: { readonly mode: number; readonly uid: number; readonly gid: number }): void => {
  const made = fstatSync(fd);
  if (made.uid !== uid || made.gid !== gid) fchownSync(fd, uid, gid);
  fchmodSync(fd, mode & 0o7777);
};

export const close = (fd: number): void => closeSync(fd);

export const sync = (fd: number, path: PathLike): void => {
  announce('sync', path);
  fsyncSync(fd);
};

export const rename = (from: PathLike, to: PathLike): void => {
  announce('rename', to);
  renameSync(from, to);
};

export const unlink = (path: PathLike): void => {
  announce('unlink', path);
  unlinkSync(path);
};

export const makeDirectory = (path: PathLike, mode = 0o777): void => {
  announce('mkdir', path);
  mkdirSync(path, { mode });
};

export const makeDirectories = (path: PathLike, mode = 0o700): void => {
  announce('mkdir', path);
  mkdirSync(path, { mode, recursive: true });
};

export const removeDirectory = (path: PathLike): void => {
  announce('rmdir', path);
  rmdirSync(path);
};

export const link = (from: PathLike, to: PathLike): void => {
  announce('link', to);
  linkSync(from, to);
};

export const symlink = (target: PathLike, path: PathLike): void => {
  announce('symlink', path);
  symlinkSync(target, path);
};

export const chmod = (path: PathLike, mode: number): void => {
  announce('chmod', path);
  chmodSync(path, mode);
};

/** Removes files and directories of ours, whether they are there or not. */
export const removeTree = (path: string): void => {
  announce('unlink', path);
  rmSync(path, { recursive: true, force: true });
};
