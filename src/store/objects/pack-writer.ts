import { crc32 } from 'node:zlib';
import { type Durability, effects, exists, removeQuietly, syncPath, temporaryName } from '../../host/index.ts';
import type { ObjectId } from '../../model/index.ts';
import { checksumOf } from './checksum.ts';
import type { ObjectType } from './codec.ts';
import { deflate } from './compression.ts';
import { encodePackIndex, type PackedEntry } from './pack-index.ts';

const CODES: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };

const COUNT_OFFSET = 8;
const BUFFERED = 256 * 1024;

/**
 * Streams objects, without deltas, into one new pack. Until `finish` there is only a temporary file, in `objects/` so
 * that nobody takes it for a pack; whoever creates a writer must end it with `finish` or `abandon`.
 */
export class PackWriter {
  readonly #directory: string;
  readonly #durability: Durability;
  readonly #temporary: string;
  readonly #temporaryIndex: string;
  readonly #entries: PackedEntry[] = [];
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFERED);
  #buffered = 0;
  #offset = 0;
  #fd: number | undefined;

  constructor(objectsDirectory: string, durability: Durability) {
    this.#directory = `${objectsDirectory}/pack`;
    this.#durability = durability;
    this.#temporary = `${objectsDirectory}/${temporaryName()}`;
    this.#temporaryIndex = `${objectsDirectory}/${temporaryName()}`;
    this.#fd = effects.createFile(this.#temporary, 0o444);
    // The count is filled in at the end.
    this.#append(Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1'));
  }

  /** Returns how many bytes the object takes. The caller sees to it that none is added twice. */
  add(id: ObjectId, type: ObjectType, bytes: Uint8Array): number {
    const header = entryHeader(type, bytes.length);
    const data = deflate(bytes);
    this.#entries.push({ id, offset: this.#offset, crc: crc32(data, crc32(header)) });
    this.#append(header);
    this.#append(data);
    return header.length + data.length;
  }

  /** Puts the pack in place. When it throws, `abandon` is still to be called. */
  finish(): void {
    const fd = this.#opened();
    this.#writeBuffered();
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#entries.length);
    effects.writeAt(fd, count, COUNT_OFFSET, this.#temporary);
    // The count stands in front of all that is hashed, so the file is read once more.
    const checksum = checksumOf(this.#temporary);
    effects.writeAll(fd, checksum, this.#temporary);
    this.#fd = undefined;
    this.#close(fd, this.#temporary);
    this.#writeIndex(encodePackIndex(this.#entries, checksum));
    this.#moveIntoPlace(`${this.#directory}/pack-${checksum.toString('hex')}`);
  }

  /** Removes what is not in place yet. */
  abandon(): void {
    if (this.#fd !== undefined) effects.close(this.#fd);
    this.#fd = undefined;
    removeQuietly(this.#temporary);
    removeQuietly(this.#temporaryIndex);
  }

  #writeIndex(bytes: Buffer): void {
    const fd = effects.createFile(this.#temporaryIndex, 0o444);
    try {
      effects.writeAll(fd, bytes, this.#temporaryIndex);
    } finally {
      this.#close(fd, this.#temporaryIndex);
    }
  }

  /**
   * The index last: it is what makes a pack one. Should its rename fail, the pack stays behind without it, invisible and
   * harmless; removing it could take away the same pack from a process that has just written it too.
   */
  #moveIntoPlace(path: string): void {
    if (!exists(this.#directory)) effects.makeDirectories(this.#directory, 0o777);
    effects.rename(this.#temporary, `${path}.pack`);
    if (this.#durability === 'power') syncPath(this.#directory);
    effects.rename(this.#temporaryIndex, `${path}.idx`);
    if (this.#durability === 'power') syncPath(this.#directory);
  }

  #append(bytes: Buffer): void {
    this.#offset += bytes.length;
    if (this.#buffered + bytes.length > BUFFERED) this.#writeBuffered();
    if (bytes.length > BUFFERED) {
      effects.writeAll(this.#opened(), bytes, this.#temporary);
      return;
    }
    bytes.copy(this.#buffer, this.#buffered);
    this.#buffered += bytes.length;
  }

  #writeBuffered(): void {
    effects.writeAll(this.#opened(), this.#buffer.subarray(0, this.#buffered), this.#temporary);
    this.#buffered = 0;
  }

  #opened(): number {
    if (this.#fd === undefined) throw new Error('the pack is already finished or abandoned');
    return this.#fd;
  }

  #close(fd: number, path: string): void {
    try {
      if (this.#durability === 'power') effects.sync(fd, path);
    } finally {
      effects.close(fd);
    }
  }
}

const entryHeader = (type: ObjectType, size: number): Buffer => {
  const bytes: number[] = [];
  let first = (CODES[type] << 4) | (size & 0x0f);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(first | 0x80);
    first = rest % 128;
  }
  bytes.push(first);
  return Buffer.from(bytes);
};
