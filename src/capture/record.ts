import type { BlobId, ByteString, TreeId } from '../model/index.ts';

/**
 * A directory as it was last captured, packed into one Buffer: compact in memory (100,000 files stay around 10 MB), saved
 * and loaded without parsing, and compared with the disk without making an object per file.
 *
 *     header   mtime ctime ino (doubles) · flags (1) · tree id (20) · meta id (20, zero for none) · number of entries (4)
 *     entry    size mtime ctime ino (doubles) · mode (4) · id (20) · kind and flags (1) · length of name (2) · name
 */
export type EntryKind = 'file' | 'link' | 'directory' | 'pointer' | 'pointer-link';

/** What tells that a file is still the one that was read. */
export interface Fingerprint {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly mode: number;
}

/** As the system tells it. */
export interface FileStat extends Fingerprint {
  readonly nlink: number;
}

export interface Entry {
  readonly name: ByteString;
  readonly kind: EntryKind;
  /** Blob for files, links and pointers; tree for directories. */
  readonly id: BlobId | TreeId;
  /** Captured although a rule ignores it: tracked, named or included. */
  readonly excepted: boolean;
  /** The file has other names too, through which it can be changed without its directory hearing of it. */
  readonly linked: boolean;
  /** Times that are too recent to be trusted are NaN, which equals nothing. */
  readonly print: Fingerprint;
}

export interface DirectoryRecord {
  /** Times of the directory when it was listed: while they stay, no name was added or removed. NaN when too recent. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** Holds a `.git`, so that other ignore rules may begin here. */
  readonly hasGit: boolean;
  /** Some entry is ignored by a rule: what the user's git index tracks makes a difference here. */
  readonly sensitive: boolean;
  /** Something was omitted or hidden: to be looked at again every time. */
  readonly unsettled: boolean;
  readonly tree: TreeId;
  readonly meta: TreeId | null;
  readonly entries: readonly Entry[];
}

const KINDS: readonly EntryKind[] = ['file', 'link', 'directory', 'pointer', 'pointer-link'];
const FLAGS = { hasGit: 1, sensitive: 2, unsettled: 4 } as const;
const EXCEPTED = 0x80;
const LINKED = 0x40;
const KIND = 0x3f;

const AT = { mtime: 0, ctime: 8, ino: 16, flags: 24, tree: 25, meta: 45, count: 65, entries: 69 } as const;
const IN = { size: 0, mtime: 8, ctime: 16, ino: 24, mode: 32, id: 36, kind: 56, nameLength: 57, name: 59 } as const;
const NO_ID = '0'.repeat(40);

export const encodeRecord = (record: DirectoryRecord): Buffer => {
  let length: number = AT.entries;
  for (const entry of record.entries) length += IN.name + entry.name.length;
  const bytes = Buffer.allocUnsafe(length);
  bytes.writeDoubleLE(record.mtimeMs, AT.mtime);
  bytes.writeDoubleLE(record.ctimeMs, AT.ctime);
  bytes.writeDoubleLE(record.ino, AT.ino);
  bytes[AT.flags] =
    (record.hasGit ? FLAGS.hasGit : 0) | (record.sensitive ? FLAGS.sensitive : 0) | (record.unsettled ? FLAGS.unsettled : 0);
  bytes.write(record.tree, AT.tree, 20, 'hex');
  bytes.write(record.meta ?? NO_ID, AT.meta, 20, 'hex');
  bytes.writeUInt32LE(record.entries.length, AT.count);
  let at: number = AT.entries;
  for (const { name, kind, id, excepted, linked, print } of record.entries) {
    bytes.writeDoubleLE(print.size, at + IN.size);
    bytes.writeDoubleLE(print.mtimeMs, at + IN.mtime);
    bytes.writeDoubleLE(print.ctimeMs, at + IN.ctime);
    bytes.writeDoubleLE(print.ino, at + IN.ino);
    bytes.writeUInt32LE(print.mode, at + IN.mode);
    bytes.write(id, at + IN.id, 20, 'hex');
    bytes[at + IN.kind] = KINDS.indexOf(kind) | (excepted ? EXCEPTED : 0) | (linked ? LINKED : 0);
    bytes.writeUInt16LE(name.length, at + IN.nameLength);
    bytes.write(name, at + IN.name, 'latin1');
    at += IN.name + name.length;
  }
  return bytes;
};

/** Reads a packed record; the entries one by one, without decoding the others. */
export class PackedRecord {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get hasGit(): boolean {
    return this.#flag(FLAGS.hasGit);
  }
  get sensitive(): boolean {
    return this.#flag(FLAGS.sensitive);
  }
  get unsettled(): boolean {
    return this.#flag(FLAGS.unsettled);
  }
  get tree(): TreeId {
    return this.#bytes.toString('hex', AT.tree, AT.tree + 20) as TreeId;
  }
  get meta(): TreeId | null {
    const id = this.#bytes.toString('hex', AT.meta, AT.meta + 20);
    return id === NO_ID ? null : (id as TreeId);
  }
  get count(): number {
    return this.#bytes.readUInt32LE(AT.count);
  }

  countFiles(): number {
    let count = 0;
    for (const at of this.offsets()) if (!this.isDirectory(at)) count++;
    return count;
  }

  /** Some time was too recent to be kept, so that the directory is looked at again whatever the disk says. */
  isRacy(): boolean {
    if (Number.isNaN(this.#bytes.readDoubleLE(AT.mtime))) return true;
    for (const at of this.offsets()) if (Number.isNaN(this.#bytes.readDoubleLE(at + IN.mtime))) return true;
    return false;
  }

  /** No name came or went since the record was made. */
  sameListing(stat: Fingerprint): boolean {
    return (
      this.#bytes.readDoubleLE(AT.mtime) === stat.mtimeMs &&
      this.#bytes.readDoubleLE(AT.ctime) === stat.ctimeMs &&
      this.#bytes.readDoubleLE(AT.ino) === stat.ino
    );
  }

  /** Where each entry begins. */
  *offsets(): Generator<number> {
    for (let at: number = AT.entries, left = this.count; left > 0; left--) {
      yield at;
      at += IN.name + this.#bytes.readUInt16LE(at + IN.nameLength);
    }
  }

  name(at: number): ByteString {
    return this.#bytes.toString('latin1', at + IN.name, at + IN.name + this.#bytes.readUInt16LE(at + IN.nameLength)) as ByteString;
  }
  kind(at: number): EntryKind {
    return KINDS[(this.#bytes[at + IN.kind] ?? 0) & KIND] as EntryKind;
  }
  isDirectory(at: number): boolean {
    return this.kind(at) === 'directory';
  }
  isExcepted(at: number): boolean {
    return ((this.#bytes[at + IN.kind] ?? 0) & EXCEPTED) !== 0;
  }
  isLinked(at: number): boolean {
    return ((this.#bytes[at + IN.kind] ?? 0) & LINKED) !== 0;
  }
  size(at: number): number {
    return this.#bytes.readDoubleLE(at + IN.size);
  }
  mode(at: number): number {
    return this.#bytes.readUInt32LE(at + IN.mode);
  }

  /** The file at this entry is, by all that `lstat` tells, still the one that was read. */
  matches(at: number, stat: Fingerprint): boolean {
    const bytes = this.#bytes;
    return (
      bytes.readDoubleLE(at + IN.mtime) === stat.mtimeMs &&
      bytes.readDoubleLE(at + IN.ctime) === stat.ctimeMs &&
      bytes.readDoubleLE(at + IN.size) === stat.size &&
      bytes.readDoubleLE(at + IN.ino) === stat.ino &&
      bytes.readUInt32LE(at + IN.mode) === stat.mode
    );
  }

  decode(): DirectoryRecord {
    const bytes = this.#bytes;
    const entries: Entry[] = [];
    for (const at of this.offsets()) {
      entries.push({
        name: this.name(at),
        kind: this.kind(at),
        excepted: this.isExcepted(at),
        linked: this.isLinked(at),
        id: bytes.toString('hex', at + IN.id, at + IN.id + 20) as BlobId | TreeId,
        print: {
          size: this.size(at),
          mtimeMs: bytes.readDoubleLE(at + IN.mtime),
          ctimeMs: bytes.readDoubleLE(at + IN.ctime),
          ino: bytes.readDoubleLE(at + IN.ino),
          mode: this.mode(at),
        },
      });
    }
    return {
      mtimeMs: bytes.readDoubleLE(AT.mtime),
      ctimeMs: bytes.readDoubleLE(AT.ctime),
      ino: bytes.readDoubleLE(AT.ino),
      hasGit: this.hasGit,
      sensitive: this.sensitive,
      unsettled: this.unsettled,
      tree: this.tree,
      meta: this.meta,
      entries,
    };
  }

  #flag(flag: number): boolean {
    return ((this.#bytes[AT.flags] ?? 0) & flag) !== 0;
  }
}
