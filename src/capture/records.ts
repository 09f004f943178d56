import type { RelativePath } from '../model/index.ts';

/** Beyond this many differences, a copy is made after all. */
const MOST_DIFFERENCES = 200;

/**
 * The packed records of a snapshot, by directory. Never changed: the next snapshot's records are these with a few differences,
 * so that a capture of one file in a hundred thousand does not copy the rest.
 */
export class Records {
  readonly #base: ReadonlyMap<RelativePath, Buffer>;
  /** Undefined: gone since. */
  readonly #differences: ReadonlyMap<RelativePath, Buffer | undefined>;

  constructor(base: ReadonlyMap<RelativePath, Buffer>, differences: ReadonlyMap<RelativePath, Buffer | undefined> = new Map()) {
    this.#base = base;
    this.#differences = differences;
  }

  get size(): number {
    let size = this.#base.size;
    for (const [directory, record] of this.#differences) size += Number(record !== undefined) - Number(this.#base.has(directory));
    return size;
  }

  get(directory: RelativePath): Buffer | undefined {
    return this.#differences.has(directory) ? this.#differences.get(directory) : this.#base.get(directory);
  }

  has(directory: RelativePath): boolean {
    return this.get(directory) !== undefined;
  }

  *entries(): Generator<[RelativePath, Buffer]> {
    for (const [directory, record] of this.#base) if (!this.#differences.has(directory)) yield [directory, record];
    for (const [directory, record] of this.#differences) if (record !== undefined) yield [directory, record];
  }

  *keys(): Generator<RelativePath> {
    for (const [directory] of this.entries()) yield directory;
  }

  with(fresh: ReadonlyMap<RelativePath, Buffer>, gone: Iterable<RelativePath>): Records {
    const differences = new Map<RelativePath, Buffer | undefined>(this.#differences);
    for (const directory of gone) differences.set(directory, undefined);
    for (const [directory, record] of fresh) differences.set(directory, record);
    const records = new Records(this.#base, differences);
    return differences.size > MOST_DIFFERENCES ? new Records(new Map(records.entries())) : records;
  }
}
