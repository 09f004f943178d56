import { constants, openSync, readFileSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { type Durability, describeWriteFailure, effects } from '../host/index.ts';
import { type ObjectId, systemCode } from '../model/index.ts';
import type { ObjectType } from './objects/codec.ts';

/** What an operation adds to the store. */
export interface LedgerEntry {
  readonly objects: readonly { readonly id: ObjectId; readonly type: ObjectType; readonly bytes: Buffer }[];
  /** Refs to be written, in this order. */
  readonly refs: readonly (readonly [name: string, id: ObjectId])[];
}

interface Contents {
  readonly objects: readonly (readonly [id: ObjectId, type: ObjectType, size: number])[];
  readonly refs: LedgerEntry['refs'];
}

const HEADER = 8;

/**
 * Operations that are recorded but not in their places yet. Making a dozen small files is most of the time that a checkpoint
 * takes, and nobody needs to wait for it: appended here as a whole, an operation survives the death of any process, and
 * whoever takes the lock next puts it where git finds it. Callers hold the store's lock for everything but `isEmpty`.
 *
 *     entry    length of the rest (4) · crc32 of the rest (4) · length of the JSON (4) · JSON · the objects' bytes
 */
export class Ledger {
  readonly #path: string;
  readonly #durability: Durability;

  constructor(path: string, durability: Durability) {
    this.#path = path;
    this.#durability = durability;
  }

  get isEmpty(): boolean {
    const stat = statSync(this.#path, { throwIfNoEntry: false });
    return stat === undefined || !stat.isFile() || stat.size === 0;
  }

  /** Something else is in its place. Nothing is written there: a pipe would have the writer wait for ever. */
  get isNoFile(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.isFile() === false;
  }

  /** False when there is no ledger to write to. */
  append(entry: LedgerEntry): boolean {
    if (this.isNoFile) return false;
    const bytes = encode(entry);
    const fd = this.#open();
    if (fd === undefined) return false;
    try {
      effects.writeAll(fd, bytes, this.#path);
      if (this.#durability === 'power') effects.sync(fd, this.#path);
    } catch (error) {
      this.#clear(fd);
      throw describeWriteFailure(error, this.#path);
    } finally {
      effects.close(fd);
    }
    return true;
  }

  /** Whole entries, oldest first. What comes after them was cut short when its writer was killed, before it was reported. */
  read(): LedgerEntry[] {
    return this.#parse().entries;
  }

  /** Whether something comes after the last whole entry. */
  get isTorn(): boolean {
    return this.#parse().isTorn;
  }

  #parse(): { entries: LedgerEntry[]; isTorn: boolean } {
    const bytes = this.isEmpty ? Buffer.alloc(0) : readFileSync(this.#path);
    const entries: LedgerEntry[] = [];
    let at = 0;
    while (at + HEADER <= bytes.length) {
      const rest = bytes.subarray(at + HEADER, at + HEADER + bytes.readUInt32LE(at));
      // Zeros, which a power cut may leave, would pass for an entry of no length.
      if (rest.length < 4 || rest.length !== bytes.readUInt32LE(at) || crc32(rest) !== bytes.readUInt32LE(at + 4)) break;
      entries.push(decode(rest));
      at += HEADER + rest.length;
    }
    return { entries, isTorn: at < bytes.length };
  }

  /** Everything is in its place. Also makes the ledger where there is none. */
  clear(): void {
    if (this.isNoFile) return;
    const fd = this.#open() ?? effects.createFile(this.#path, 0o600);
    try {
      this.#clear(fd);
    } finally {
      effects.close(fd);
    }
  }

  #clear(fd: number): void {
    effects.truncate(fd, this.#path);
    if (this.#durability === 'power') effects.sync(fd, this.#path);
  }

  /** Never made here: one that is gone went together with its store. */
  #open(): number | undefined {
    try {
      return openSync(this.#path, constants.O_WRONLY | constants.O_APPEND);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw describeWriteFailure(error, this.#path);
    }
  }
}

const encode = ({ objects, refs }: LedgerEntry): Buffer => {
  const contents: Contents = { objects: objects.map(({ id, type, bytes }) => [id, type, bytes.length]), refs };
  const json = Buffer.from(JSON.stringify(contents));
  const head = Buffer.allocUnsafe(HEADER + 4);
  const rest = [json, ...objects.map(({ bytes }) => bytes)];
  head.writeUInt32LE(json.length, HEADER);
  head.writeUInt32LE(
    rest.reduce((sum, part) => sum + part.length, 4),
    0,
  );
  head.writeUInt32LE(
    rest.reduce((crc, part) => crc32(part, crc), crc32(head.subarray(HEADER))),
    4,
  );
  return Buffer.concat([head, ...rest]);
};

const decode = (rest: Buffer): LedgerEntry => {
  const start = 4 + rest.readUInt32LE(0);
  const contents = JSON.parse(rest.toString('utf8', 4, start)) as Contents;
  let at = start;
  const objects = contents.objects.map(([id, type, size]) => {
    at += size;
    return { id, type, bytes: rest.subarray(at - size, at) };
  });
  return { objects, refs: contents.refs };
};
