import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { compareBytes, type ObjectId } from '../../model/index.ts';
import { Damage } from './damage.ts';

/** What an index says of one object of its pack. */
export interface PackedEntry {
  readonly id: ObjectId;
  readonly offset: number;
  readonly crc: number;
}

const MAGIC = 0xff744f63;
const FANOUT = 8;
const NAMES = FANOUT + 256 * 4;
const TRAILER = 40;
const PER_OBJECT = 20 + 4 + 4;
/** An offset with this bit set is a position in the table of 64-bit offsets. */
const LARGE = 0x80000000;

/**
 * An index of version 2, as git and we write it. Its checksum is not verified: that would cost a pass over megabytes at
 * every start, and what is read through a wrong entry fails the check of its own hash.
 */
export class PackIndex {
  readonly count: number;
  /** What the pack ends with. */
  readonly packChecksum: Buffer;
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #offsets: number;
  readonly #largeOffsets: number;
  readonly #end: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < NAMES + TRAILER || this.#view.getUint32(0) !== MAGIC) throw new Damage('the index is damaged or of version 1');
    if (this.#view.getUint32(4) !== 2) throw new Damage(`the index is of unknown version ${this.#view.getUint32(4)}`);
    this.count = this.#fanout(255);
    for (let byte = 0, previous = 0; byte < 256; byte++) {
      if (this.#fanout(byte) < previous) throw new Damage('the index is damaged');
      previous = this.#fanout(byte);
    }
    this.#offsets = NAMES + this.count * 24;
    this.#largeOffsets = NAMES + this.count * PER_OBJECT;
    this.#end = bytes.length - TRAILER;
    this.packChecksum = bytes.subarray(this.#end, this.#end + 20);
    const large = this.#end - this.#largeOffsets;
    if (large < 0 || large % 8 !== 0 || large / 8 > this.count) throw new Damage('the index is cut short or damaged');
  }

  /** Where the object begins in the pack; -1 when the index does not have it. */
  offsetOf(id: ObjectId): number {
    const position = this.#find(id);
    return position < 0 ? -1 : this.#offsetAt(position);
  }

  #offsetAt(position: number): number {
    const offset = this.#view.getUint32(this.#offsets + position * 4);
    if (offset < LARGE) return offset;
    const at = this.#largeOffsets + (offset - LARGE) * 8;
    if (at + 8 > this.#end) return -1;
    return this.#view.getUint32(at) * 2 ** 32 + this.#view.getUint32(at + 4);
  }

  /** Every object that the index names, with its place. */
  *entries(): Generator<readonly [id: ObjectId, offset: number]> {
    for (let position = 0; position < this.count; position++) {
      const at = NAMES + position * 20;
      yield [this.#bytes.toString('hex', at, at + 20) as ObjectId, this.#offsetAt(position)];
    }
  }

  #find(id: ObjectId): number {
    const first = wordOf(id, 0);
    const bucket = first >>> 24;
    let low = bucket === 0 ? 0 : this.#fanout(bucket - 1);
    let high = this.#fanout(bucket);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.#compare(id, first, middle);
      if (order === 0) return middle;
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    return -1;
  }

  #compare(id: ObjectId, first: number, position: number): number {
    const at = NAMES + position * 20;
    const difference = first - this.#view.getUint32(at);
    if (difference !== 0) return difference;
    for (let word = 1; word < 5; word++) {
      const further = wordOf(id, word) - this.#view.getUint32(at + word * 4);
      if (further !== 0) return further;
    }
    return 0;
  }

  #fanout(byte: number): number {
    return this.#view.getUint32(FANOUT + byte * 4);
  }
}

export const readPackIndex = (path: string): PackIndex => new PackIndex(readFileSync(path));

/** Eight of the id's digits as a number; written out, because a Buffer for each look-up would cost more than the search. */
const wordOf = (id: ObjectId, word: number): number => {
  let value = 0;
  for (let at = word * 8; at < word * 8 + 8; at++) {
    const digit = id.charCodeAt(at);
    value = (value << 4) | (digit < 58 ? digit - 48 : digit - 87);
  }
  return value >>> 0;
};

/** The index, ready to be written, of a pack whose trailing checksum is `packChecksum`. */
export const encodePackIndex = (entries: readonly PackedEntry[], packChecksum: Uint8Array): Buffer => {
  const sorted = entries.toSorted((a, b) => compareBytes(a.id, b.id));
  const large = sorted.filter((entry) => entry.offset >= LARGE);
  const bytes = Buffer.alloc(NAMES + sorted.length * PER_OBJECT + large.length * 8 + TRAILER);
  bytes.writeUInt32BE(MAGIC, 0);
  bytes.writeUInt32BE(2, 4);
  const counts = new Uint32Array(256);
  const crcs = NAMES + sorted.length * 20;
  const offsets = crcs + sorted.length * 4;
  const largeOffsets = offsets + sorted.length * 4;
  let largeSeen = 0;
  for (const [position, { id, offset, crc }] of sorted.entries()) {
    bytes.write(id, NAMES + position * 20, 'hex');
    bytes.writeUInt32BE(crc, crcs + position * 4);
    if (offset < LARGE) {
      bytes.writeUInt32BE(offset, offsets + position * 4);
    } else {
      bytes.writeUInt32BE(LARGE + largeSeen, offsets + position * 4);
      bytes.writeBigUInt64BE(BigInt(offset), largeOffsets + largeSeen * 8);
      largeSeen++;
    }
    const bucket = bytes[NAMES + position * 20] as number;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  let sum = 0;
  for (const [byte, count] of counts.entries()) {
    sum += count;
    bytes.writeUInt32BE(sum, FANOUT + byte * 4);
  }
  const checksums = bytes.length - TRAILER;
  bytes.set(packChecksum, checksums);
  bytes.write(hash('sha1', bytes.subarray(0, bytes.length - 20), 'hex'), bytes.length - 20, 'hex');
  return bytes;
};
