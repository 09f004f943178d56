import type { BlobId } from '../model/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { overlap } from './overlap.ts';
import { isBinary, splitLines } from './text/index.ts';

/** Bytes that may be read for telling what is like what; a file counts for a little more than it holds. */
const MOST_READ = 64 * 1024 * 1024;
const PER_FILE = 2048;

/** How much of two files must be the same for the one to be taken for the other. */
const ENOUGH = 0.5;

/** Text with its size, which alone can tell that two are too different. */
export interface Sized {
  readonly blob: BlobId;
  readonly size: number;
}

/** Whether so much can be the same, going by the sizes alone. Nothing is like an empty file. */
export const canBeLike = (a: number, b: number): boolean => Math.min(a, b) > 0 && Math.min(a, b) >= ENOUGH * Math.max(a, b);

/** Compares files by their lines, in whatever order they are, until enough is read. */
export class Likeness {
  readonly #store: ObjectStore;
  #left = MOST_READ;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  get isSpent(): boolean {
    return this.#left < 2 * PER_FILE;
  }

  /** The part of the larger one that both have, by bytes; 0 where it is too little, where one is binary, and when enough is read. */
  of(a: Sized, b: Sized): number {
    if (!canBeLike(a.size, b.size)) return 0;
    if (a.blob === b.blob) return 1;
    const cost = a.size + b.size + 2 * PER_FILE;
    if (cost > this.#left) return 0;
    this.#left -= cost;
    const [one, other] = [this.#store.readBlob(a.blob), this.#store.readBlob(b.blob)];
    if (isBinary(one) || isBinary(other)) return 0;
    const likeness = overlap(splitLines(one), splitLines(other), (line) => line.length) / Math.max(a.size, b.size);
    return likeness >= ENOUGH ? likeness : 0;
  }
}
