import { accessSync, closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { platform } from 'node:os';
import { effects, syncPath } from '../host/index.ts';
import {
  type ByteString,
  basename,
  compareBytes,
  parent,
  type RelativePath,
  RetakeError,
  ROOT,
  systemCode,
  toBytes,
  toFs,
  toText,
} from '../model/index.ts';

const hasProc = platform() === 'linux';
/** O_PATH, which Node does not name: to pass through a directory, the right to list it is not needed. */
const PATH_ONLY = hasProc ? 0o10000000 : constants.O_RDONLY;
const OPEN_DIRECTORY = PATH_ONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const READ_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A directory that is open; names in it are reached through the descriptor, whatever becomes of its path. */
export interface OpenDirectory {
  readonly fd: number;
  /** The path to a name in it, for any file function. */
  at(name: ByteString): string | Buffer;
}

/** A parent of the path is missing, or is not a directory (any more): a link put there is never followed. */
export class PathGone extends Error {
  readonly path: RelativePath;
  constructor(path: RelativePath) {
    super(`not a directory: ${path}`);
    this.path = path;
  }
}

/**
 * The workspace as a place to stand on. Each component of a path is opened without following links, from the root down,
 * and what is done at the end is done relative to the open parent: nothing outside can be reached, also when a directory
 * is swapped for a link meanwhile (RST-6). Linux offers this through /proc; elsewhere each component is checked just
 * before use, which leaves a narrow race.
 */
export class WorkspaceFs {
  readonly #root: ByteString;

  constructor(root: ByteString) {
    this.#root = root;
  }

  /** Runs `work` in the directory that holds `path`. */
  inParent<T>(path: RelativePath, work: (directory: OpenDirectory, name: ByteString) => T): T {
    return this.inDirectory(parent(path), (directory) => work(directory, basename(path)));
  }

  inDirectory<T>(path: RelativePath, work: (directory: OpenDirectory) => T): T {
    let fd = open(toFs(this.#root), ROOT);
    try {
      let absolute = this.#root;
      for (const name of path === ROOT ? [] : (path.split('/') as ByteString[])) {
        const next = open(at(fd, absolute, name), path);
        closeSync(fd);
        fd = next;
        absolute = `${absolute}/${name}` as ByteString;
      }
      return work({ fd, at: (name) => at(fd, absolute, name) });
    } finally {
      closeSync(fd);
    }
  }

  /** What is at a path, links not followed anywhere; undefined when there is nothing. */
  look(path: RelativePath): Stats | undefined {
    return this.#orNothing(() =>
      this.inParent(path, (directory, name) => {
        try {
          return lstatSync(directory.at(name), { throwIfNoEntry: false });
        } catch (error) {
          throw mayNotEnter(error, path);
        }
      }),
    );
  }

  names(path: RelativePath): readonly ByteString[] | undefined {
    return this.#orNothing(() =>
      this.inDirectory(path, ({ at }) => (readdirSync(at('.' as ByteString), { encoding: 'latin1' }) as ByteString[]).sort(compareBytes)),
    );
  }

  /** May names be added to and removed from this directory? */
  isWritable(path: RelativePath): boolean {
    return this.inDirectory(path, ({ at }) => {
      try {
        accessSync(at('.' as ByteString), constants.W_OK | constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
  }

  /** Brings a directory's entries to disk, if it is still there. */
  sync(path: RelativePath): void {
    this.#orNothing(() => this.inDirectory(path, ({ at }) => syncPath(at('.' as ByteString))));
  }

  /** Changes the permissions of the very thing that is there, and not of what a link swapped in meanwhile points to. */
  setPermissions(path: RelativePath, permissions: number): void {
    this.inParent(path, (directory, name) => {
      const fd = openSync(directory.at(name), PATH_ONLY | constants.O_NOFOLLOW);
      try {
        effects.chmod(hasProc ? `/proc/self/fd/${fd}` : directory.at(name), permissions);
      } finally {
        closeSync(fd);
      }
    });
  }

  readFile(path: RelativePath, size: number): Buffer {
    return this.inParent(path, (directory, name) => {
      const fd = openSync(directory.at(name), READ_FILE);
      try {
        const buffer = Buffer.allocUnsafe(size + 1);
        let length = 0;
        for (let read = -1; read !== 0 && length < buffer.length; length += read) {
          read = readSync(fd, buffer, length, buffer.length - length, null);
        }
        return buffer.subarray(0, length);
      } finally {
        closeSync(fd);
      }
    });
  }

  readLink(path: RelativePath): Buffer {
    return this.inParent(path, (directory, name) => readlinkSync(directory.at(name), { encoding: 'buffer' }));
  }

  #orNothing<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (error instanceof PathGone) return undefined;
      throw error;
    }
  }
}

const mayNotEnter = (error: unknown, path: RelativePath): unknown =>
  systemCode(error) === 'EACCES'
    ? new RetakeError('permission', `Not allowed to look at ${toText(path)}`, {
        hint: 'Make its directory accessible and try again.',
        cause: error,
      })
    : error;

const at = (fd: number, absolute: ByteString, name: ByteString): string | Buffer =>
  hasProc ? toFs(`/proc/self/fd/${fd}/${name}` as ByteString) : toBytes(`${absolute}/${name}` as ByteString);

const open = (path: string | Buffer, wanted: RelativePath): number => {
  try {
    return openSync(path, OPEN_DIRECTORY);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '')) throw new PathGone(wanted);
    throw mayNotEnter(error, wanted);
  }
};
