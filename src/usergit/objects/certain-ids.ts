import type { RelativePath } from '../../model/index.ts';
import type { UserRepository } from '../repository.ts';
import { Conversions } from '../settings/conversions.ts';
import type { IgnoreSettings } from '../settings/settings.ts';
import type { IndexEntry, UserIndex } from '../staging/index-file.ts';
import { blobSizes } from './blob-sizes.ts';

/**
 * The blob ids that certainly name a file's raw bytes, so that nobody has to read the file (STO-2). Certain means: the
 * file's stat data are those of its index entry, old enough to be trusted; its blob has its size; and no conversion that
 * keeps a size can have been at work.
 *
 * What remains is a filter or encoding that keeps sizes, was in force when the file was checked out or staged, and was
 * taken out of the attributes since, while the file was not touched.
 */
export class CertainIds {
  readonly #index: UserIndex;
  readonly #conversions: Conversions;
  /** By the place of the entry. */
  readonly #sizes: Float64Array;

  private constructor(index: UserIndex, conversions: Conversions, sizes: Float64Array) {
    this.#index = index;
    this.#conversions = conversions;
    this.#sizes = sizes;
  }

  static async read(repository: UserRepository, settings: IgnoreSettings, index: UserIndex): Promise<CertainIds> {
    const [conversions, sizes] = await Promise.all([Conversions.read(repository, settings, index), blobSizes(repository, index.ids())]);
    return new CertainIds(index, conversions, sizes);
  }

  /** The id of a regular file's bytes, by its path from the repository's top. */
  idOf(path: RelativePath, stat: StatData): string | undefined {
    const entry = this.#index.entry(path);
    if (entry === undefined || !agrees(entry, stat)) return undefined;
    return this.#sizes[entry.place] === stat.size && this.#conversions.sizeTells(path) ? entry.id : undefined;
  }
}

/** What `lstat` tells of a file, as far as git remembers it. */
export interface StatData {
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}

const TYPE = 0o170000;
const REGULAR = 0o100000;

const agrees = (entry: IndexEntry, stat: StatData): boolean =>
  !entry.racy &&
  !entry.intentToAdd &&
  (stat.mode & TYPE) === REGULAR &&
  (entry.mode & TYPE) === REGULAR &&
  entry.size === stat.size &&
  entry.mtimeMs === stat.mtimeMs &&
  entry.ctimeMs === stat.ctimeMs &&
  entry.ino === stat.ino % 2 ** 32;
