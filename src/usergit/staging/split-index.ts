import { type Columns, compareEntries, UnreadableIndex } from './index-format.ts';

/** The `link` extension: the base file's name, and which of its entries this file deletes or replaces. */
export interface SplitLink {
  readonly base: string;
  readonly bitmaps: Buffer;
}

export const parseLink = (link: Buffer, hashSize: number): SplitLink => {
  if (link.length < hashSize) throw new UnreadableIndex('the link of the split index is cut short');
  return { base: link.toString('hex', 0, hashSize), bitmaps: link.subarray(hashSize) };
};

/**
 * The whole index from its two files. The own file's first entries are nameless: each replaces the data of one entry of
 * the base, in the order of the bitmap. The named ones after them are additions.
 */
export const mergeSplitIndex = (base: Columns, own: Columns, bitmaps: Buffer): Columns => {
  const count = base.entries.length;
  const deleted = bitmaps.length === 0 ? { bits: new Uint8Array(count), size: 0, next: 0 } : readBitmap(bitmaps, count);
  const replaced = bitmaps.length === 0 ? deleted : readBitmap(bitmaps.subarray(deleted.next), count);
  if (replaced.size > own.entries.length) throw new UnreadableIndex('the split index replaces more entries than it has');

  const merged = new MergedColumns(base, own);
  let replacement = 0;
  let addition = replaced.size;
  const compareAddition = (i: number): number => (addition < own.entries.length ? compareEntries(own, addition, base, i) : 1);
  for (let i = 0; i < count; i++) {
    let order = compareAddition(i);
    for (; order < 0; order = compareAddition(i)) merged.addOwn(addition++);
    if (replaced.bits[i] === 1) merged.addReplaced(i, replacement++);
    else if (deleted.bits[i] === 0 && order !== 0) merged.addBase(i);
  }
  for (; addition < own.entries.length; addition++) merged.addOwn(addition);
  return merged.finish();
};

/** Both files' bytes one after the other, so that one offset says which file and where. */
class MergedColumns {
  readonly #base: Columns;
  readonly #own: Columns;
  readonly #entries: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  #count = 0;

  constructor(base: Columns, own: Columns) {
    this.#base = base;
    this.#own = own;
    const most = base.entries.length + own.entries.length;
    this.#entries = new Uint32Array(most);
    this.#starts = new Uint32Array(most);
    this.#ends = new Uint32Array(most);
  }

  addBase(i: number): void {
    this.#add(this.#base.entries[i] as number, this.#base.nameStarts[i] as number, this.#base.nameEnds[i] as number);
  }

  addReplaced(i: number, k: number): void {
    const { entries, nameStarts, nameEnds } = this.#own;
    if (nameStarts[k] !== nameEnds[k]) throw new UnreadableIndex('a replacement in the split index has a name');
    const entry = this.#base.bytes.length + (entries[k] as number);
    this.#add(entry, this.#base.nameStarts[i] as number, this.#base.nameEnds[i] as number);
  }

  addOwn(i: number): void {
    const { entries, nameStarts, nameEnds } = this.#own;
    const names = this.#base.names.length;
    this.#add(this.#base.bytes.length + (entries[i] as number), names + (nameStarts[i] as number), names + (nameEnds[i] as number));
  }

  #add(entry: number, nameStart: number, nameEnd: number): void {
    this.#entries[this.#count] = entry;
    this.#starts[this.#count] = nameStart;
    this.#ends[this.#count++] = nameEnd;
  }

  finish(): Columns {
    return {
      bytes: Buffer.concat([this.#base.bytes, this.#own.bytes]),
      hashSize: this.#base.hashSize,
      entries: this.#entries.subarray(0, this.#count),
      names: Buffer.concat([this.#base.names, this.#own.names]),
      nameStarts: this.#starts.subarray(0, this.#count),
      nameEnds: this.#ends.subarray(0, this.#count),
    };
  }
}

/**
 * One EWAH bitmap: its length in bits and in words, words of 64 bits, and where the last run word was. A run word tells
 * how many words of equal bits follow unwritten (bit 0: which bit, bits 1 to 32: how many), and how many are written out
 * after it (the other 31).
 */
const readBitmap = (bytes: Buffer, count: number): { bits: Uint8Array; size: number; next: number } => {
  const bits = new Uint8Array(count);
  const words = bytes.length < 12 ? Number.NaN : bytes.readUInt32BE(4);
  const end = 8 + words * 8;
  if (!(end + 4 <= bytes.length)) throw new UnreadableIndex('a bitmap of the split index is cut short');
  let size = 0;
  let position = 0;
  const set = (bit: number): void => {
    if (bit >= count) throw new UnreadableIndex('the split index speaks of entries that its base does not have');
    bits[bit] = 1;
    size++;
  };
  for (let at = 8; at < end; ) {
    const high = bytes.readUInt32BE(at);
    const low = bytes.readUInt32BE(at + 4);
    const running = ((low >>> 1) + (high & 1) * 2 ** 31) * 64;
    if (low & 1) for (let n = 0; n < running; n++) set(position + n);
    position += running;
    at += 8;
    for (let literals = high >>> 1; literals > 0 && at < end; literals--, at += 8, position += 64) {
      for (let bit = 0; bit < 64; bit++) {
        // The word is big-endian: its low half comes second.
        const half = bytes.readUInt32BE(bit < 32 ? at + 4 : at);
        if ((half >>> (bit & 31)) & 1) set(position + bit);
      }
    }
  }
  return { bits, size, next: end + 4 };
};
