import type { BlobId, ByteString, OmissionReason, RelativePath } from '../model/index.ts';
import type { ObjectBatch } from '../store/index.ts';
import { longestWrite, readLink, readStable } from './read-file.ts';
import type { EntryKind, FileStat, Fingerprint } from './record.ts';

export interface Seed {
  /** The id of the file's raw bytes, if it is certain and the store holds them. */
  blobFor(path: RelativePath, stat: Fingerprint): BlobId | undefined;
}

export interface ReadEntry {
  readonly kind: Exclude<EntryKind, 'directory'>;
  readonly id: BlobId;
  readonly linked: boolean;
  readonly print: Fingerprint;
}

/** Clocks of file systems tick this coarsely at worst; those with whole seconds only are told by their times. */
const TICK = 50;
const WHOLE_SECOND_TICK = 2100;

/** Brings single files into the store, reading only what it must. */
export class EntryReader {
  readonly #batch: ObjectBatch;
  readonly #maxFileBytes: number;
  readonly #seed: Seed | undefined;
  /** Taken before anything is looked at: what changed after it is too recent to be known by its times. */
  readonly #started = Date.now();

  constructor(batch: ObjectBatch, maxFileBytes: number, seed: Seed | undefined) {
    this.#batch = batch;
    this.#maxFileBytes = maxFileBytes;
    this.#seed = seed;
  }

  read(path: RelativePath, absolute: ByteString, stat: FileStat, kind: ReadEntry['kind']): ReadEntry | OmissionReason {
    if (kind === 'file') {
      const known = this.#seed?.blobFor(path, stat);
      if (known !== undefined) return { kind, id: known, linked: stat.nlink > 1, print: this.fingerprint(stat) };
    }
    const content = kind === 'link' || kind === 'pointer-link' ? readLink(absolute) : readStable(absolute, this.#maxFileBytes);
    if (typeof content === 'string') return content;
    const { bytes, stat: read } = content;
    return { kind, id: this.#batch.blob(bytes), linked: read.nlink > 1, print: this.fingerprint(read) };
  }

  fingerprint(stat: Fingerprint): Fingerprint {
    const racy = this.isRacy(stat);
    return {
      size: stat.size,
      mtimeMs: racy ? Number.NaN : stat.mtimeMs,
      ctimeMs: racy ? Number.NaN : stat.ctimeMs,
      ino: stat.ino,
      mode: stat.mode,
    };
  }

  /** Another change within the same tick of the clock, or the rest of a write that is under way, would leave the same times (CAP-6). */
  isRacy(stat: Fingerprint): boolean {
    const newest = Math.max(stat.mtimeMs, stat.ctimeMs);
    const tick = stat.ctimeMs % 1000 === 0 ? WHOLE_SECOND_TICK : TICK;
    return newest > this.#started - Math.max(tick, longestWrite(stat.size));
  }
}
