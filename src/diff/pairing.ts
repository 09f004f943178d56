import { basename, compareBytes, type RelativePath } from '../model/index.ts';
import { canBeLike, type Sized } from './likeness.ts';

/** Something that may have been moved from one path to another. */
export interface Pair<From extends { readonly path: RelativePath }, To extends { readonly path: RelativePath }> {
  readonly from: From;
  readonly to: To;
  /** How much of it is the same. */
  readonly likeness: number;
}

/** The best pairs, each end in one of them at most: the most alike, of the same base name, the nearest; at last by their paths. */
export const bestPairs = <From extends { readonly path: RelativePath }, To extends { readonly path: RelativePath }>(
  pairs: readonly Pair<From, To>[],
): Pair<From, To>[] => {
  const ranked = pairs
    .map((pair) => ({ pair, rank: rankOf(pair.from.path, pair.to.path) }))
    .toSorted(
      (a, b) =>
        b.pair.likeness - a.pair.likeness ||
        b.rank - a.rank ||
        compareBytes(a.pair.from.path, b.pair.from.path) ||
        compareBytes(a.pair.to.path, b.pair.to.path),
    );
  const [left, reached] = [new Set<RelativePath>(), new Set<RelativePath>()];
  return ranked.flatMap(({ pair }) => {
    if (left.has(pair.from.path) || reached.has(pair.to.path)) return [];
    left.add(pair.from.path);
    reached.add(pair.to.path);
    return [pair];
  });
};

/** No path has so many parts. */
const SAME_NAME = 10_000;

/** Higher for the same base name, then for more parts in common at the beginning and at the end. */
const rankOf = (a: RelativePath, b: RelativePath): number => {
  const [one, other] = [a.split('/'), b.split('/')];
  const most = Math.min(one.length, other.length);
  let head = 0;
  while (head < most && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < most - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  return head + tail + (basename(a) === basename(b) ? SAME_NAME : 0);
};

/** How many of each are looked at: of the same base name, and of about the same size. */
const MOST_NAMESAKES = 20;
const MOST_OF_SIZE = 20;

type Placed = Sized & { readonly path: RelativePath };

/** Files among which one may be that was moved. */
export class Pool<File extends Placed> {
  readonly #byName: ReadonlyMap<string, readonly File[]>;
  readonly #bySize: readonly File[];

  constructor(files: readonly File[]) {
    this.#byName = Map.groupBy(files, ({ path }) => basename(path));
    this.#bySize = files.toSorted((a, b) => a.size - b.size || compareBytes(a.path, b.path));
  }

  /** The few that are worth to be compared with a file, those of the same base name first. */
  candidates({ path, size }: Pick<Placed, 'path' | 'size'>): File[] {
    const namesakes = (this.#byName.get(basename(path)) ?? [])
      .filter((file) => canBeLike(file.size, size))
      .map((file) => ({ file, rank: rankOf(file.path, path) }))
      .toSorted((a, b) => b.rank - a.rank || compareBytes(a.file.path, b.file.path))
      .slice(0, MOST_NAMESAKES)
      .map(({ file }) => file);
    return [...new Set([...namesakes, ...this.#ofSize(size)])];
  }

  /** Goes up and down from the size, to the nearer one first. */
  #ofSize(size: number): File[] {
    const fitting = (file: File | undefined) => (file !== undefined && canBeLike(file.size, size) ? file : undefined);
    let above = this.#firstFrom(size);
    let below = above - 1;
    const found: File[] = [];
    while (found.length < MOST_OF_SIZE) {
      const [up, down] = [fitting(this.#bySize[above]), fitting(this.#bySize[below])];
      const next = down === undefined || (up !== undefined && up.size - size <= size - down.size) ? up : down;
      if (next === undefined) break;
      found.push(next);
      if (next === up) above++;
      else below--;
    }
    return found;
  }

  #firstFrom(size: number): number {
    let [from, to] = [0, this.#bySize.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#bySize[middle] as File).size < size) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
