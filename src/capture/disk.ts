import { lstatSync, readdirSync, statfsSync } from 'node:fs';
import { type ByteString, join, type RelativePath, ROOT, systemCode, toFs } from '../model/index.ts';
import { readRules } from './read-file.ts';
import type { FileStat } from './record.ts';
import type { Prefetch } from './request.ts';

/** Where a directory's times tell reliably whether a name came or went: ext, xfs, btrfs, tmpfs, overlay, f2fs, zfs. */
const TRUSTED_FILE_SYSTEMS = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1]);

/** The workspace on disk, by paths from its root. Reads only; what can't be read is an answer, not a failure. */
export class Disk {
  readonly #root: ByteString;
  readonly #prefetch: Prefetch | undefined;
  #listingsTrusted: boolean | undefined;

  constructor(root: ByteString, prefetch?: Prefetch) {
    this.#root = root;
    this.#prefetch = prefetch;
  }

  get listingsTrusted(): boolean {
    this.#listingsTrusted ??= TRUSTED_FILE_SYSTEMS.has(statfsSync(toFs(this.#root)).type);
    return this.#listingsTrusted;
  }

  lstat(path: RelativePath): FileStat | 'vanished' | 'unreadable' {
    const known = this.#prefetch?.stat(path);
    if (known !== undefined) return known;
    try {
      return lstatSync(toFs(this.absolute(path)), { throwIfNoEntry: false }) ?? 'vanished';
    } catch (error) {
      const code = systemCode(error);
      if (code === 'ENOTDIR') return 'vanished';
      if (code === 'EACCES' || code === 'ENAMETOOLONG' || code === 'ELOOP' || code === 'EIO') return 'unreadable';
      throw error;
    }
  }

  names(directory: RelativePath): ByteString[] | 'vanished' | 'unreadable' {
    try {
      // latin1: one character per byte, see model/bytes.ts. The order of characters is that of bytes then.
      return (readdirSync(toFs(this.absolute(directory)), { encoding: 'latin1' }) as ByteString[]).sort();
    } catch (error) {
      return systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR' ? 'vanished' : 'unreadable';
    }
  }

  /** The text of a directory's `.gitignore`. */
  rulesIn(directory: RelativePath): ByteString | null {
    const path = join(directory, '.gitignore');
    // Asked first, because for most directories the answer is no, and a failing open is dear.
    return typeof this.lstat(path) === 'string' ? null : readRules(this.absolute(path));
  }

  absolute(path: RelativePath): ByteString {
    return absolutePath(this.#root, path);
  }
}

export const absolutePath = (root: ByteString, path: RelativePath): ByteString =>
  (path === ROOT ? root : root === '/' ? `/${path}` : `${root}/${path}`) as ByteString;
