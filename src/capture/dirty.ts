import { type ByteString, basename, parent, type RelativePath } from '../model/index.ts';

/** Which directories have to be compared with the disk. What is said to be clean is not touched at all. */
export interface Dirty {
  /** `self`: look at this directory; `below`: only at some directory further down; `no`: at none here. */
  at(directory: RelativePath): 'self' | 'below' | 'no';
  /** The only names of a directory to look at that may stand for something else than before; undefined when it may be all. */
  names?(directory: RelativePath): ReadonlySet<ByteString> | undefined;
  /** The only subdirectories that have to be entered; undefined when it may be all. */
  entered?(directory: RelativePath): ReadonlySet<ByteString> | undefined;
}

/** The scan tier: nothing is known, everything is looked at. */
export const EVERYTHING: Dirty = { at: () => 'self' };

/** Only these paths may have changed: their directories are looked at, and all that lies below one that is a directory itself. */
export const dirtyPaths = (paths: Iterable<RelativePath>): Dirty => {
  const wholes = new Set(paths);
  return new DirtyDirectories(new Set([...wholes].map(parent)), wholes);
};

/** These directories are looked at, and all that lies at or below one of `wholes`. `names` narrows the look at some of them. */
export class DirtyDirectories implements Dirty {
  readonly #selves: ReadonlySet<RelativePath>;
  readonly #wholes: ReadonlySet<RelativePath>;
  readonly #names: ReadonlyMap<RelativePath, ReadonlySet<ByteString>>;
  readonly #above: ReadonlySet<RelativePath>;
  readonly #entered = new Map<RelativePath, Set<ByteString>>();

  constructor(
    selves: ReadonlySet<RelativePath>,
    wholes: ReadonlySet<RelativePath> = new Set(),
    names: ReadonlyMap<RelativePath, ReadonlySet<ByteString>> = new Map(),
  ) {
    this.#selves = selves;
    this.#wholes = wholes;
    this.#names = names;
    this.#above = ancestors([...selves, ...wholes]);
    for (const paths of [selves, wholes, this.#above]) for (const path of paths) this.#noteEntered(path);
  }

  at(directory: RelativePath): 'self' | 'below' | 'no' {
    if (this.#selves.has(directory) || this.#isInWhole(directory)) return 'self';
    return this.#above.has(directory) ? 'below' : 'no';
  }

  names(directory: RelativePath): ReadonlySet<ByteString> | undefined {
    return this.#isInWhole(directory) ? undefined : this.#names.get(directory);
  }

  entered(directory: RelativePath): ReadonlySet<ByteString> | undefined {
    return this.#isInWhole(directory) ? undefined : (this.#entered.get(directory) ?? NONE);
  }

  /** The same, and these directories too. */
  with(directories: readonly RelativePath[]): DirtyDirectories {
    if (directories.length === 0) return this;
    const names = new Map(this.#names);
    for (const directory of directories) names.delete(directory);
    return new DirtyDirectories(new Set([...this.#selves, ...directories]), this.#wholes, names);
  }

  #isInWhole(directory: RelativePath): boolean {
    if (this.#wholes.size === 0) return false;
    return this.#wholes.has(directory) || (directory !== '' && this.#isInWhole(parent(directory)));
  }

  #noteEntered(path: RelativePath): void {
    if (path === '') return;
    const names = this.#entered.get(parent(path)) ?? new Set();
    this.#entered.set(parent(path), names.add(basename(path)));
  }
}

const NONE: ReadonlySet<ByteString> = new Set();

/** Every directory above these paths. */
export const ancestors = (paths: Iterable<RelativePath>): Set<RelativePath> => {
  const above = new Set<RelativePath>();
  for (const path of paths) {
    for (let up = path; up !== '' && !above.has(parent(up)); up = parent(up)) above.add(parent(up));
  }
  return above;
};
