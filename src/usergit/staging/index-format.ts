/**
 * git's index file, versions 2 to 4 (gitformat-index), read into columns: where each entry and its name lie. A hundred
 * thousand entries are indexed without making an object or a string for any of them.
 */
export interface Columns {
  readonly bytes: Buffer;
  readonly hashSize: number;
  /** Where in `bytes` each entry begins. */
  readonly entries: Uint32Array;
  /** Names lie in `bytes` itself, or in a buffer of their own where the file shortens them. */
  readonly names: Buffer;
  readonly nameStarts: Uint32Array;
  readonly nameEnds: Uint32Array;
}

export interface IndexContent {
  readonly columns: Columns;
  /** The extension of a split index: this file holds only what differs from another one. */
  readonly link: Buffer | undefined;
  /** The root of the cached trees (extension TREE), where it is valid. */
  readonly tree: CachedTree | undefined;
  /** The hash at the file's end: the name of a base index. */
  readonly checksum: string;
}

export interface CachedTree {
  readonly id: string;
  /** How many entries it stands for. */
  readonly count: number;
}

/** The file is damaged, or made by a git newer than this reader. */
export class UnreadableIndex extends Error {}

/** Offsets within an entry; the flags follow the id. */
export const FIELD = { ctime: 0, mtime: 8, ino: 20, mode: 24, size: 36, id: 40 } as const;

export const FLAG = { assumeUnchanged: 0x8000, extended: 0x4000, skipWorktree: 0x4000, intentToAdd: 0x2000, nameLength: 0x0fff } as const;

export const HEADER = 12;

export const parseIndex = (bytes: Buffer, hashSize: number): IndexContent => {
  const end = bytes.length - hashSize;
  if (end < HEADER || bytes.toString('latin1', 0, 4) !== 'DIRC') throw new UnreadableIndex('not an index file');
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) throw new UnreadableIndex(`index version ${version} is unknown`);
  if (count > (end - HEADER) / (FIELD.id + hashSize + 2)) throw new UnreadableIndex('the index file is cut short');
  const { columns, next } = version === 4 ? parseShortened(bytes, hashSize, count, end) : parsePlain(bytes, hashSize, count, end);
  const { link, tree } = parseExtensions(bytes, next, end);
  return {
    columns,
    link,
    tree: tree === undefined ? undefined : parseTree(tree, hashSize),
    checksum: bytes.toString('hex', end),
  };
};

const parsePlain = (bytes: Buffer, hashSize: number, count: number, end: number): { columns: Columns; next: number } => {
  const entries = new Uint32Array(count);
  const nameStarts = new Uint32Array(count);
  const nameEnds = new Uint32Array(count);
  const flagsAt = FIELD.id + hashSize;
  let at = HEADER;
  for (let i = 0; i < count; i++) {
    const high = bytes[at + flagsAt] as number;
    const start = at + flagsAt + ((high & 0x40) === 0 ? 2 : 4);
    const length = ((high & 0x0f) << 8) | (bytes[at + flagsAt + 1] as number);
    const stop = length < FLAG.nameLength ? start + length : bytes.indexOf(0, start);
    if (stop < start || stop >= end) throw new UnreadableIndex('the index file is cut short');
    entries[i] = at;
    nameStarts[i] = start;
    nameEnds[i] = stop;
    at += (stop - at + 8) & ~7;
  }
  return { columns: { bytes, hashSize, entries, names: bytes, nameStarts, nameEnds }, next: at };
};

/** Version 4 writes of each name only how much of the one before to drop, and what to put there. */
const parseShortened = (bytes: Buffer, hashSize: number, count: number, end: number): { columns: Columns; next: number } => {
  const entries = new Uint32Array(count);
  const nameStarts = new Uint32Array(count);
  const nameEnds = new Uint32Array(count);
  const flagsAt = FIELD.id + hashSize;
  let names: Buffer = Buffer.allocUnsafe(Math.max(4096, bytes.length));
  let used = 0;
  let previous = 0;
  let at = HEADER;
  for (let i = 0; i < count; i++) {
    entries[i] = at;
    let cursor = at + flagsAt + (((bytes[at + flagsAt] as number) & 0x40) === 0 ? 2 : 4);
    let byte = bytes[cursor++] as number;
    let dropped = byte & 0x7f;
    while (byte & 0x80 && cursor < end) {
      byte = bytes[cursor++] as number;
      dropped = (dropped + 1) * 128 + (byte & 0x7f);
    }
    const kept = used - previous - dropped;
    const stop = bytes.indexOf(0, cursor);
    if (kept < 0 || stop < 0 || stop >= end) throw new UnreadableIndex('the index file is cut short');
    const length = kept + stop - cursor;
    if (used + length > names.length) names = enlarged(names, used + length);
    for (let k = 0; k < kept; k++) names[used + k] = names[previous + k] as number;
    for (let k = kept; k < length; k++) names[used + k] = bytes[cursor - kept + k] as number;
    previous = used;
    nameStarts[i] = used;
    nameEnds[i] = used += length;
    at = stop + 1;
  }
  return { columns: { bytes, hashSize, entries, names, nameStarts, nameEnds }, next: at };
};

/** No index has names this long; a damaged one could claim so. */
const MOST_NAME_BYTES = 2 ** 31;

const enlarged = (names: Buffer, needed: number): Buffer => {
  if (needed > MOST_NAME_BYTES) throw new UnreadableIndex('the names in the index file are too long');
  const larger = Buffer.allocUnsafe(needed * 2);
  names.copy(larger);
  return larger;
};

/** Extensions in capitals may be passed over; one in small letters changes what the entries mean. */
const parseExtensions = (bytes: Buffer, start: number, end: number): { link?: Buffer; tree?: Buffer } => {
  const found: { link?: Buffer; tree?: Buffer } = {};
  for (let at = start; at < end; ) {
    if (at + 8 > end) throw new UnreadableIndex('the index file is cut short');
    const name = bytes.toString('latin1', at, at + 4);
    const next = at + 8 + bytes.readUInt32BE(at + 4);
    if (next > end) throw new UnreadableIndex('the index file is cut short');
    if (name === 'link') found.link = bytes.subarray(at + 8, next);
    else if (name === 'TREE') found.tree = bytes.subarray(at + 8, next);
    else if (name !== 'sdir' && !/^[A-Z]/.test(name)) throw new UnreadableIndex(`index extension ${JSON.stringify(name)} is unknown`);
    at = next;
  }
  return found;
};

/** The root comes first, nameless; a negative count says that entries changed since. */
const parseTree = (tree: Buffer, hashSize: number): CachedTree | undefined => {
  const head = /^\0(\d+) \d+\n/.exec(tree.toString('latin1', 0, 32))?.[0];
  if (head === undefined || tree.length < head.length + hashSize) return undefined;
  return { id: tree.toString('hex', head.length, head.length + hashSize), count: Number.parseInt(head.slice(1), 10) };
};

export const flagsOf = (columns: Columns, i: number): number =>
  columns.bytes.readUInt16BE((columns.entries[i] as number) + FIELD.id + columns.hashSize);

export const moreFlagsOf = (columns: Columns, i: number): number =>
  flagsOf(columns, i) & FLAG.extended ? columns.bytes.readUInt16BE((columns.entries[i] as number) + FIELD.id + columns.hashSize + 2) : 0;

/** 0 for a merged file; 1 to 3 for the sides of a conflict. */
export const stageOf = (columns: Columns, i: number): number => (flagsOf(columns, i) >> 12) & 3;

/** The order of the index: names by their bytes, then stages. */
export const compareEntries = (a: Columns, i: number, b: Columns, k: number): number => {
  const aStart = a.nameStarts[i] as number;
  const bStart = b.nameStarts[k] as number;
  const aLength = (a.nameEnds[i] as number) - aStart;
  const bLength = (b.nameEnds[k] as number) - bStart;
  const shared = Math.min(aLength, bLength);
  for (let n = 0; n < shared; n++) {
    const difference = (a.names[aStart + n] as number) - (b.names[bStart + n] as number);
    if (difference !== 0) return difference;
  }
  return aLength - bLength || stageOf(a, i) - stageOf(b, k);
};

/** An index out of order is damaged, and searching it would find too little without saying so. */
export const assertOrdered = (columns: Columns): void => {
  for (let i = 1; i < columns.entries.length; i++) {
    if (compareEntries(columns, i - 1, columns, i) >= 0) throw new UnreadableIndex('the index file is out of order');
  }
};
