import { createHash, type Hash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { type Durability, describeWriteFailure, effects, exists, now, removeQuietly, syncPath } from '../../host/index.ts';
import { RetakeError } from '../../model/index.ts';
import { BLOCK, encodeTarHeader, paddingAfter } from './tar-header.ts';

/** A file as it is in the archive. */
export interface WrittenMember {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface OpenMember {
  readonly name: string;
  readonly at: number;
  readonly hash: Hash;
}

const BUFFERED = 256 << 10;

/**
 * Writes an archive from beginning to end. Until `finish` it has another name, beside its own; whoever makes a writer ends it with `finish`
 * or `abandon`. What a killed process left there, the next one for the same file takes away.
 */
export class TarWriter {
  readonly members: WrittenMember[] = [];
  readonly #path: string;
  readonly #temporary: string;
  readonly #seconds = Math.floor(now().getTime() / 1000);
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFERED);
  #buffered = 0;
  #written = 0;
  #fd: number;
  #member: OpenMember | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#temporary = join(dirname(path), `.${basename(path)}.partial`);
    this.#fd = this.#failing(() => {
      if (exists(this.#temporary)) effects.unlink(this.#temporary);
      return effects.createFile(this.#temporary, 0o600);
    });
  }

  get bytes(): number {
    return this.#written + this.#buffered;
  }

  /** One file after the other; how long it is shows when `work` has written it. */
  async add(name: string, work: (write: (bytes: Uint8Array) => void) => void | Promise<void>): Promise<void> {
    this.#failing(() => this.#begin(name));
    await work((bytes) =>
      this.#failing(() => {
        this.#member?.hash.update(bytes);
        this.#append(bytes);
      }),
    );
    this.#failing(() => this.#end());
  }

  #begin(name: string): void {
    this.#flush();
    this.#member = { name, at: this.#written, hash: createHash('sha256') };
    this.#append(encodeTarHeader({ name, size: 0 }, this.#seconds));
  }

  #end(): void {
    const { name, at, hash } = this.#member as OpenMember;
    const size = this.bytes - at - BLOCK;
    this.#append(Buffer.alloc(paddingAfter(size)));
    this.#flush();
    effects.writeAt(this.#fd, encodeTarHeader({ name, size }, this.#seconds), at, this.#temporary);
    this.members.push({ name, bytes: size, sha256: hash.digest('hex') });
    this.#member = undefined;
  }

  /** Gives the archive its name. Another file of that name is replaced. */
  finish(durability: Durability): void {
    this.#failing(() => {
      this.#append(Buffer.alloc(2 * BLOCK));
      this.#flush();
      if (durability === 'power') effects.sync(this.#fd, this.#temporary);
      const fd = this.#fd;
      this.#fd = -1;
      effects.close(fd);
      effects.rename(this.#temporary, this.#path);
      if (durability === 'power') syncPath(dirname(this.#path));
    });
  }

  abandon(): void {
    if (this.#fd >= 0) effects.close(this.#fd);
    this.#fd = -1;
    removeQuietly(this.#temporary);
  }

  #append(bytes: Uint8Array): void {
    if (this.#buffered + bytes.length > BUFFERED) this.#flush();
    if (bytes.length > BUFFERED) {
      effects.writeAll(this.#fd, bytes, this.#temporary);
      this.#written += bytes.length;
      return;
    }
    this.#buffer.set(bytes, this.#buffered);
    this.#buffered += bytes.length;
  }

  #flush(): void {
    if (this.#buffered > 0) effects.writeAll(this.#fd, this.#buffer.subarray(0, this.#buffered), this.#temporary);
    this.#written += this.#buffered;
    this.#buffered = 0;
  }

  #failing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const described = describeWriteFailure(error, this.#path);
      if (described !== error || !(error instanceof Error) || !('code' in error)) throw described;
      throw new RetakeError('permission', `Could not write ${this.#path}: ${error.message}`, { cause: error });
    }
  }
}
