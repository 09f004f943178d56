import { type BlobId, basename, type RelativePath } from '../model/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { Likeness, type Sized } from './likeness.ts';
import { bestPairs, type Pair, Pool } from './pairing.ts';

interface Content {
  readonly type: 'file' | 'link';
  readonly blob: BlobId;
}

/** A file or link that came, or is gone. */
export interface Moveable extends Content {
  readonly path: RelativePath;
}

/** What one side did, as far as it may have moved something. */
export interface Moves {
  readonly gone: readonly Moveable[];
  readonly come: readonly Moveable[];
  /** All content that something had and no longer has: what came with it is no edited form of something else. */
  readonly left: readonly Content[];
}

type Move = Pair<Moveable, Moveable>;

/** Where some of what is gone went: to the same content or else, for text, to what has at least half of the lines in common. */
export const findMoves = (store: ObjectStore, moves: Moves, sought: ReadonlySet<RelativePath>): Move[] => {
  const wanted = moves.gone.filter(({ path, blob }) => sought.has(path) && store.size(blob) > 0);
  const same = sameContent(moves, wanted);
  const found = new Set(same.map(({ from }) => from));
  const rest = wanted.filter((file) => !found.has(file) && file.type === 'file');
  if (rest.length === 0) return same;
  const reached = new Set(same.map(({ to }) => to));
  return [...same, ...likeContent(store, { ...moves, come: moves.come.filter((file) => !reached.has(file)) }, rest)];
};

const contentOf = ({ type, blob }: Content): string => `${type} ${blob}`;

/** Of files with the same content, only so many are told apart by their paths. */
const MOST_SAME = 100;

/** Those that are not wanted have a claim too. */
const sameContent = ({ gone, come }: Moves, wanted: readonly Moveable[]): Move[] => {
  const isWanted = new Set(wanted);
  const contents = Map.groupBy(wanted, contentOf);
  const concerned = (files: readonly Moveable[]) =>
    Map.groupBy(
      files.filter((file) => contents.has(contentOf(file))),
      contentOf,
    );
  const left = concerned(gone);
  const pairs = [...concerned(come)].flatMap(([content, targets]) => {
    const names = new Set(contents.get(content)?.map(({ path }) => basename(path)));
    const reached = firstOf(targets, ({ path }) => names.has(basename(path)));
    return firstOf(left.get(content) ?? [], (file) => isWanted.has(file)).flatMap((from) =>
      reached.map((to) => ({ from, to, likeness: 1 })),
    );
  });
  return bestPairs(pairs).filter(({ from }) => isWanted.has(from));
};

const firstOf = (files: readonly Moveable[], isFirst: (file: Moveable) => boolean): Moveable[] =>
  [...files.filter(isFirst), ...files.filter((file) => !isFirst(file))].slice(0, MOST_SAME);

/** With so much in common, one of the same base name is looked no further for. */
const PLENTY = 0.75;

const isPlain = ({ from, to, likeness }: Move): boolean => likeness >= PLENTY && basename(from.path) === basename(to.path);

const likeContent = (store: ObjectStore, { gone, come, left }: Moves, wanted: readonly Moveable[]): Move[] => {
  const likeness = new Likeness(store);
  const compared = (from: Moveable & Sized, to: Moveable & Sized) => ({ from, to, likeness: likeness.of(from, to) });
  const known = new Set(left.map(contentOf));
  const targets = new Pool(sizedFiles(store, come).filter((file) => !known.has(contentOf(file))));
  const pairs = sizedFiles(store, wanted).flatMap((from) => {
    const found = [];
    for (const to of likeness.isSpent ? [] : targets.candidates(from)) {
      const pair = compared(from, to);
      if (isLike(pair)) found.push(pair);
      if (isPlain(pair)) break;
    }
    return found;
  });
  const doubtful = new Set(pairs.filter((pair) => !isPlain(pair)).map(({ to }) => to));
  if (doubtful.size === 0) return bestPairs(pairs);
  // What is more like something else that is gone was made of that.
  const isWanted = new Set(wanted.map(({ path }) => path));
  const arrived = new Set(come.map(contentOf));
  const others = gone.filter((file) => !isWanted.has(file.path) && !arrived.has(contentOf(file)));
  const rivals = new Pool(sizedFiles(store, others));
  const claims = [...doubtful].flatMap((to) => rivals.candidates(to).map((from) => compared(from, to))).filter(isLike);
  return bestPairs([...pairs, ...claims]).filter(({ from }) => isWanted.has(from.path));
};

const isLike = ({ likeness }: { readonly likeness: number }): boolean => likeness > 0;

const sizedFiles = (store: ObjectStore, files: readonly Moveable[]): (Moveable & Sized)[] =>
  files.filter(({ type }) => type === 'file').map((file) => ({ ...file, size: store.size(file.blob) }));

/** A file that both sides have in a place where nothing was. */
export interface AddedByBoth {
  readonly path: RelativePath;
  readonly ours: BlobId;
  readonly theirs: BlobId;
}

/** Which of the files that are gone on both sides such a file was on both: it is like it on either side. */
export const findSharedMoves = (
  store: ObjectStore,
  gone: readonly Moveable[],
  added: readonly AddedByBoth[],
): Pair<Moveable, AddedByBoth>[] => {
  const likeness = new Likeness(store);
  const pool = new Pool(sizedFiles(store, gone));
  const sized = (blob: BlobId): Sized => ({ blob, size: store.size(blob) });
  const pairs = added.flatMap((to) => {
    if (likeness.isSpent) return [];
    const [ours, theirs] = [sized(to.ours), sized(to.theirs)];
    const candidates = new Set([ours, theirs].flatMap(({ size }) => pool.candidates({ path: to.path, size })));
    return [...candidates].map((from) => ({ from, to, likeness: Math.min(likeness.of(from, ours), likeness.of(from, theirs)) }));
  });
  return bestPairs(pairs.filter(isLike));
};
