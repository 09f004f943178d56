import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { type ObjectId, systemCode } from '../../model/index.ts';
import type { ObjectType } from './codec.ts';
import { compressedLength, inflateExactly, inflateStart, looksCompressed, START_BYTES } from './compression.ts';
import { Damage, readingDisk } from './damage.ts';

/** One object as the pack has it. */
export type PackEntry = {
  /** Inflated: of the object, or of the delta. */
  readonly size: number;
  readonly dataOffset: number;
} & (
  | { readonly kind: 'whole'; readonly type: ObjectType }
  | { readonly kind: 'delta-by-offset'; readonly base: number }
  | { readonly kind: 'delta-by-id'; readonly base: ObjectId }
);

/** Where the objects of a pack are, and what it ends with. */
export interface Places {
  offsetOf(id: ObjectId): number;
  entries(): Iterable<readonly [id: ObjectId, offset: number]>;
  readonly count: number;
  readonly packChecksum: Buffer;
}

const TYPES: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const BY_OFFSET = 6;
const BY_ID = 7;

export const PACK_HEADER = 12;
const CHECKSUM = 20;
/** Room for type, size and base. */
const ENTRY_HEADER = 64;
/** Neighbours in a pack are often read together, so each read takes a few of them along. */
const WINDOW = 8192;

const NOTHING = Buffer.alloc(0);

const FIRST_READ = 16 << 20;

/** The position of the first value above another one. */
const positionAfter = (sorted: Float64Array, value: number): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** Above what zlib makes of bytes that it can't compress. */
const compressedBound = (size: number): number => size + Math.ceil(size / 512) + 64;

/** What stands before an entry's compressed data: `bytes` begin where the entry does, at `offset` of its pack. */
const parseEntryHeader = (bytes: Buffer, offset: number): PackEntry => {
  let at = 0;
  const next = (): number => {
    const byte = bytes[at++];
    if (byte === undefined) throw new Damage('its pack is damaged');
    return byte;
  };
  const first = next();
  let size = first & 0x0f;
  for (let byte = first, factor = 16; byte >= 0x80; factor *= 128) {
    byte = next();
    size += (byte & 0x7f) * factor;
  }
  if (!Number.isSafeInteger(size)) throw new Damage('its pack is damaged');
  const kind = (first >> 4) & 7;
  if (kind === BY_OFFSET) {
    let byte = next();
    let distance = byte & 0x7f;
    while (byte >= 0x80) {
      byte = next();
      distance = (distance + 1) * 128 + (byte & 0x7f);
    }
    const base = offset - distance;
    // Always backwards, so a chain within one pack comes to an end.
    if (distance === 0 || !(base >= PACK_HEADER)) throw new Damage('its pack is damaged');
    return { kind: 'delta-by-offset', base, size, dataOffset: offset + at };
  }
  if (kind === BY_ID) {
    const base = bytes.toString('hex', at, at + 20) as ObjectId;
    return { kind: 'delta-by-id', base, size, dataOffset: offset + at + 20 };
  }
  const type = TYPES[kind];
  if (type === undefined) throw new Damage('its pack is damaged');
  return { kind: 'whole', type, size, dataOffset: offset + at };
};

/** One pack file with its index; bytes are fetched as needed. Nothing in it is trusted to be as it should. */
export class Pack {
  readonly name: string;
  readonly path: string;
  readonly #index: Places;
  /** Where the objects end and the checksum begins. */
  readonly end: number;
  #sound: boolean | undefined;
  #offsets: Float64Array | undefined;
  #fd: number | undefined;
  #room: Buffer | undefined;
  /** The filled part of `#room`, and where in the pack it begins. */
  #window: Buffer = NOTHING;
  #windowStart = 0;

  constructor(directory: string, name: string, index: Places, size: number) {
    this.name = name;
    this.path = `${directory}/${name}.pack`;
    this.#index = index;
    this.end = size - CHECKSUM;
  }

  /** Where the object begins; -1 when it is not here, or was in the part that a truncated file lacks. */
  offsetOf(id: ObjectId): number {
    const offset = this.#index.offsetOf(id);
    return offset >= PACK_HEADER && offset < this.end ? offset : -1;
  }

  /** All that it should hold. */
  *ids(): Generator<ObjectId> {
    for (const [id] of this.#index.entries()) yield id;
  }
  get count(): number {
    return this.#index.count;
  }

  /**
   * Whether the file ends as the index says. One that does not was cut short, or lost its blocks in a power cut: what
   * can be read in it is read, but nothing new may rely on it.
   */
  get isSound(): boolean {
    this.#sound ??= this.endsAsIndexed();
    return this.#sound;
  }

  /** Another repository has the same file. */
  get isShared(): boolean {
    return (statSync(this.path, { throwIfNoEntry: false })?.nlink ?? 0) > 1;
  }

  /** How many bytes of the file the object at an offset takes; none where the file is another's too. */
  diskSizeAt(offset: number): number {
    if (this.isShared) return 0;
    this.#offsets ??= Float64Array.from(this.#index.entries(), ([, at]) => at).sort();
    return (this.#offsets[positionAfter(this.#offsets, offset)] ?? this.end) - offset;
  }

  entryAt(offset: number): PackEntry {
    return parseEntryHeader(this.#read(offset, ENTRY_HEADER), offset);
  }

  inflate(entry: PackEntry): Buffer {
    return this.#readData(entry, (compressed) => inflateExactly(compressed, entry.size));
  }

  /** Where the entry ends that begins at `offset`. */
  endOf(offset: number): number {
    const entry = this.entryAt(offset);
    if (!looksCompressed(this.#read(entry.dataOffset, 2))) throw new Damage('its compressed data are damaged');
    return entry.dataOffset + this.#readData(entry, (compressed) => compressedLength(compressed, entry.size));
  }

  /** How many entries the pack says that it has. */
  countAnnounced(): number {
    const start = this.#read(0, PACK_HEADER);
    if (start.length < PACK_HEADER || start.toString('latin1', 0, 8) !== 'PACK\0\0\0\x02') throw new Damage('its pack is damaged');
    return start.readUInt32BE(8);
  }

  /** The bytes as they are in the file. Valid until the next call. */
  raw(offset: number, end: number): Buffer {
    return this.#read(offset, end - offset);
  }

  /** Every object that the index names, in the order of the file. */
  entries(): (readonly [id: ObjectId, offset: number])[] {
    return [...this.#index.entries()].filter(([, offset]) => offset >= PACK_HEADER && offset < this.end).sort(([, a], [, b]) => a - b);
  }

  #readData<T>(entry: PackEntry, take: (compressed: Buffer) => T | undefined): T {
    // The length of the compressed data is written nowhere, and the size may be a damaged one: begin with what such a
    // size can need at most, but not with gigabytes.
    for (let length = Math.min(compressedBound(entry.size), FIRST_READ); ; length *= 2) {
      const compressed = this.#read(entry.dataOffset, length);
      const taken = take(compressed);
      if (taken !== undefined) return taken;
      if (compressed.length < length) throw new Damage('its pack is cut short or damaged');
    }
  }

  inflateDeltaStart(entry: PackEntry): Buffer {
    return inflateStart(this.#read(entry.dataOffset, START_BYTES));
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.#window = NOTHING;
    this.#room = undefined;
  }

  /** Up to `length` bytes, less at the end of the objects. Valid until the next call. */
  #read(offset: number, length: number): Buffer {
    const wanted = Math.max(0, Math.min(length, this.end - offset));
    const inWindow = offset - this.#windowStart;
    if (inWindow >= 0 && inWindow + wanted <= this.#window.length) return this.#window.subarray(inWindow, inWindow + wanted);
    if (wanted > WINDOW) return this.#fetch(Buffer.allocUnsafe(wanted), offset);
    // Emptied first: a read that fails half-way must not leave a window of mixed bytes.
    this.#window = NOTHING;
    this.#room ??= Buffer.allocUnsafeSlow(WINDOW);
    this.#window = this.#fetch(this.#room, offset);
    this.#windowStart = offset;
    return this.#window.subarray(0, wanted);
  }

  endsAsIndexed(): boolean {
    try {
      return this.end >= PACK_HEADER && this.#fetch(Buffer.allocUnsafe(CHECKSUM), this.end).equals(this.#index.packChecksum);
    } catch (error) {
      if (error instanceof Damage) return false;
      throw error;
    }
  }

  #fetch(room: Buffer, offset: number): Buffer {
    const fd = this.#open();
    let filled = 0;
    while (filled < room.length) {
      const count = readingDisk(() => readSync(fd, room, filled, room.length - filled, offset + filled));
      if (count === 0) break;
      filled += count;
    }
    return room.subarray(0, filled);
  }

  #open(): number {
    if (this.#fd !== undefined) return this.#fd;
    try {
      this.#fd = openSync(this.path, 'r');
      return this.#fd;
    } catch (error) {
      // Repacked by another process: the caller looks again.
      if (systemCode(error) === 'ENOENT') throw new Damage('its pack is gone', error);
      throw error;
    }
  }
}
