import type { ByteString, RelativePath } from '../../model/index.ts';
import { below } from '../paths.ts';
import { readPlainFile } from '../plain-file.ts';
import type { UserRepository } from '../repository.ts';
import {
  assertOrdered,
  type CachedTree,
  type Columns,
  FIELD,
  FLAG,
  flagsOf,
  type IndexContent,
  moreFlagsOf,
  parseIndex,
  stageOf,
  UnreadableIndex,
} from './index-format.ts';
import { mergeSplitIndex, parseLink } from './split-index.ts';
import { encodeColumns, type StagedEntry } from './staging.ts';

/** What the index says of one file: the blob, and the file's stat data when blob and file were last known to agree. */
export interface IndexEntry {
  /** Which one it is, counted from the first. */
  readonly place: number;
  readonly id: string;
  readonly mode: number;
  /** The file's size on disk, not the blob's; git keeps its lower 32 bits. Zero also marks a file git wants to look at again. */
  readonly size: number;
  /** The same doubles as in Node's `Stats`. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** The lower 32 bits. */
  readonly ino: number;
  /** The file may have changed after git looked at it within the same tick: its times prove nothing. */
  readonly racy: boolean;
  readonly intentToAdd: boolean;
  readonly skipWorktree: boolean;
  readonly assumeUnchanged: boolean;
}

interface IndexSource {
  readonly columns: Columns;
  /** Times of the index file itself, and of the base it builds on: entries from there lie before `baseBytes`. */
  readonly mtimeMs: number;
  readonly baseMtimeMs: number;
  readonly baseBytes: number;
  readonly tree: CachedTree | undefined;
}

const SUBMODULE = 0o160000;

/**
 * The user's index, for looking up paths from the repository's top. Invariants: entries are in git's order (checked when
 * reading), so every question is a binary search over names that stay bytes.
 *
 * Below a directory that a sparse index has folded into one entry, nothing is known by name.
 */
export class UserIndex {
  /** Why the index counts as empty although there is one. */
  readonly problem: string | null;
  readonly #columns: Columns;
  readonly #source: IndexSource;
  /** Where the next question will probably be answered: people walk in order. */
  #hint = 0;

  private constructor(source: IndexSource, problem: string | null) {
    this.#source = source;
    this.#columns = source.columns;
    this.problem = problem;
  }

  static read(repository: UserRepository): UserIndex {
    try {
      const source = readSource(repository);
      assertOrdered(source.columns);
      return new UserIndex(source, null);
    } catch (error) {
      if (!(error instanceof UnreadableIndex)) throw error;
      return new UserIndex(EMPTY, error.message);
    }
  }

  get size(): number {
    return this.#columns.entries.length;
  }

  /** Whether a file is tracked, in conflict or not. */
  has(path: RelativePath): boolean {
    return this.#find(path) >= 0;
  }

  /** Whether anything below a directory is tracked. */
  hasUnder(directory: RelativePath): boolean {
    if (directory === '') return this.size > 0;
    const prefix = `${directory}/`;
    const at = this.#lowerBound(prefix);
    return at < this.size && this.#compareName(at, prefix, prefix.length) === 0;
  }

  /** Whether a path is tracked as the place of another repository. */
  hasSubmodule(path: RelativePath): boolean {
    return this.entry(path)?.mode === SUBMODULE;
  }

  /** The entry of a file that is not in conflict. */
  entry(path: RelativePath): IndexEntry | undefined {
    const at = this.#find(path);
    return at < 0 || stageOf(this.#columns, at) !== 0 ? undefined : this.#entryAt(at);
  }

  /** The place of a file that is not in conflict, or a negative number. */
  placeOf(path: RelativePath): number {
    const at = this.#find(path);
    return at >= 0 && stageOf(this.#columns, at) === 0 ? at : -1;
  }

  pathAt(place: number): RelativePath {
    const { names, nameStarts, nameEnds } = this.#columns;
    return names.toString('latin1', nameStarts[place], nameEnds[place]) as RelativePath;
  }

  /** The object of each entry, by its place. */
  ids(): string[] {
    const { bytes, entries, hashSize } = this.#columns;
    return Array.from(entries, (at) => bytes.toString('hex', at + FIELD.id, at + FIELD.id + hashSize));
  }

  /** All that is staged, in git's order. */
  entries(): StagedEntry[] {
    return Array.from({ length: this.size }, (_, i) => {
      const { mode, id, intentToAdd, skipWorktree, assumeUnchanged } = this.#entryAt(i);
      const stage = stageOf(this.#columns, i) as StagedEntry['stage'];
      return { path: this.pathAt(i), mode, id, stage, intentToAdd, skipWorktree, assumeUnchanged };
    });
  }

  /** All of this in the form in which the store keeps it. */
  staging(): Buffer[] {
    return encodeColumns(this.#columns);
  }

  /** The tree that the index is, when git has written it down and the index says nothing that a tree can't. */
  get wholeTree(): string | null {
    const { tree } = this.#source;
    if (tree?.count !== this.size) return null;
    for (let i = 0; i < this.size; i++) if (flagsOf(this.#columns, i) & ~FLAG.nameLength) return null;
    return tree.id;
  }

  /**
   * Writes the stat data of an entry where the same one goes into a new index; nothing when it is not in this one. A size of
   * zero tells git to look at the file again: it has to where the file may have changed unnoticed, which the times of a
   * newer index would hide. A git that counts seconds sees no difference within one.
   */
  copyStat({ path, mode, id, intentToAdd }: StagedEntry, to: Buffer, start: number): void {
    const i = this.placeOf(path);
    const known = i < 0 ? undefined : this.#entryAt(i);
    if (known === undefined || known.mode !== mode || known.id !== id || known.intentToAdd || intentToAdd) return;
    const { bytes, entries } = this.#columns;
    const at = entries[i] as number;
    bytes.copy(to, start, at, at + FIELD.id);
    if (Math.floor(known.mtimeMs / 1000) >= Math.floor(this.#writtenAt(at) / 1000)) to.writeUInt32BE(0, start + FIELD.size);
  }

  #entryAt(i: number): IndexEntry {
    const { bytes, entries, hashSize } = this.#columns;
    const at = entries[i] as number;
    const flags = flagsOf(this.#columns, i);
    const more = moreFlagsOf(this.#columns, i);
    return {
      place: i,
      id: bytes.toString('hex', at + FIELD.id, at + FIELD.id + hashSize),
      mode: bytes.readUInt32BE(at + FIELD.mode),
      size: bytes.readUInt32BE(at + FIELD.size),
      mtimeMs: timeAt(bytes, at + FIELD.mtime),
      ctimeMs: timeAt(bytes, at + FIELD.ctime),
      ino: bytes.readUInt32BE(at + FIELD.ino),
      racy: this.#isRacy(at),
      intentToAdd: (more & FLAG.intentToAdd) !== 0,
      skipWorktree: (more & FLAG.skipWorktree) !== 0,
      assumeUnchanged: (flags & FLAG.assumeUnchanged) !== 0,
    };
  }

  /** git's rule; where a file system counts whole seconds, within the second. */
  #isRacy(at: number): boolean {
    const written = this.#writtenAt(at);
    const changed = timeAt(this.#columns.bytes, at + FIELD.mtime);
    return changed >= written || (changed % 1000 === 0 && changed >= Math.floor(written / 1000) * 1000);
  }

  /** When the file was written that this entry comes from, at the earliest. */
  #writtenAt(at: number): number {
    const { mtimeMs, baseMtimeMs, baseBytes } = this.#source;
    return at < baseBytes ? Math.min(mtimeMs, baseMtimeMs) : mtimeMs;
  }

  /** The first entry of a path, or a negative number. */
  #find(path: string): number {
    const at = this.#isAt(this.#hint, path) ? this.#hint : this.#isAt(this.#hint - 1, path) ? this.#hint - 1 : this.#lowerBound(path);
    if (at >= this.size || this.#compareName(at, path) !== 0) return -1;
    this.#hint = at + 1;
    return at;
  }

  #isAt(place: number, path: string): boolean {
    return place >= 0 && place < this.size && stageOf(this.#columns, place) === 0 && this.#compareName(place, path) === 0;
  }

  /** How many entries come before a name. */
  #lowerBound(name: string): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareName(middle, name) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The order of an entry's name, or of its first `limit` bytes, against another name. */
  #compareName(i: number, name: string, limit = Number.POSITIVE_INFINITY): number {
    const { names, nameStarts, nameEnds } = this.#columns;
    const start = nameStarts[i] as number;
    const length = Math.min((nameEnds[i] as number) - start, limit);
    const shared = Math.min(length, name.length);
    for (let n = 0; n < shared; n++) {
      const difference = (names[start + n] as number) - name.charCodeAt(n);
      if (difference !== 0) return difference;
    }
    return length - name.length;
  }
}

const NOTHING: Columns = {
  bytes: Buffer.alloc(0),
  hashSize: 20,
  entries: new Uint32Array(),
  names: Buffer.alloc(0),
  nameStarts: new Uint32Array(),
  nameEnds: new Uint32Array(),
};
const EMPTY: IndexSource = { columns: NOTHING, mtimeMs: 0, baseMtimeMs: 0, baseBytes: 0, tree: undefined };

const timeAt = (bytes: Buffer, at: number): number => bytes.readUInt32BE(at) * 1000 + bytes.readUInt32BE(at + 4) / 1e6;

const readSource = (repository: UserRepository): IndexSource => {
  const own = readFile(repository, 'index');
  if (own === undefined) return EMPTY;
  const alone = { columns: own.columns, mtimeMs: own.mtimeMs, baseMtimeMs: own.mtimeMs, baseBytes: 0, tree: own.tree };
  if (own.link === undefined) return alone;
  const link = parseLink(own.link, own.columns.hashSize);
  if (/^0+$/.test(link.base)) return alone;
  const base = readFile(repository, `sharedindex.${link.base}`);
  if (base?.checksum !== link.base) throw new UnreadableIndex('the base of the split index is missing or damaged');
  return {
    columns: mergeSplitIndex(base.columns, own.columns, link.bitmaps),
    mtimeMs: own.mtimeMs,
    baseMtimeMs: base.mtimeMs,
    baseBytes: base.columns.bytes.length,
    tree: own.tree,
  };
};

const readFile = (repository: UserRepository, name: string): (IndexContent & { mtimeMs: number }) | undefined => {
  const file = readPlainFile(below(repository.gitDirectory, name) as ByteString, { follow: true });
  if (file === 'absent') return undefined;
  if (file === 'unreadable') throw new UnreadableIndex('the index file can not be read');
  return { ...parseIndex(file.bytes, repository.objectFormat === 'sha1' ? 20 : 32), mtimeMs: file.mtimeMs };
};
