import { isWithin, type RelativePath } from '../../model/index.ts';
import {
  type GitEntry,
  type IndexedEntry,
  indexEntries,
  indexedEntry,
  sameEntry,
  setIndexEntries,
  type UserRepository,
} from '../../usergit/index.ts';

/** A path of the user's index that goes along with their commits: what it was, and what it is while they are made. */
export interface IndexMove {
  readonly path: RelativePath;
  readonly from: IndexedEntry | null;
  readonly to: GitEntry | null;
}

/** Only where nothing is staged, in the place of it or around it: what the user staged stays. */
export const indexMoves = (
  paths: Iterable<RelativePath>,
  staged: ReadonlySet<RelativePath>,
  from: (path: RelativePath) => IndexedEntry | undefined,
  to: (path: RelativePath) => GitEntry | undefined,
): IndexMove[] => {
  const isFree = (path: RelativePath): boolean => {
    for (const one of staged) if (isWithin(one, path) || isWithin(path, one)) return false;
    return true;
  };
  return [...paths].filter(isFree).map((path) => ({ path, from: from(path) ?? null, to: to(path) ?? null }));
};

/** Sets paths that still are as they were or as we set them; one that somebody else changed meanwhile is theirs. */
export const settleIndex = async (
  repository: UserRepository,
  moves: readonly IndexMove[],
  wanted: (move: IndexMove) => IndexedEntry | undefined,
): Promise<void> => {
  const present = indexedEntry(repository, await indexEntries(repository));
  const isOurs = ({ path, from, to }: IndexMove): boolean => [from, to].some((entry) => isSame(present(path), entry ?? undefined));
  const needed = moves.filter((move) => isOurs(move) && !isSame(present(move.path), wanted(move)));
  await setIndexEntries(repository, new Map(needed.map((move) => [move.path, wanted(move)])));
};

const isSame = (a: IndexedEntry | undefined, b: IndexedEntry | undefined): boolean =>
  sameEntry(a, b) && (a?.intentToAdd ?? false) === (b?.intentToAdd ?? false);
