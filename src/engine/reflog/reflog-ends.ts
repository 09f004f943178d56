import type { ByteString } from '../../model/index.ts';
import { endOf, type ReflogEntry, type ReflogExpiry, refTips, type UserRepository, unreachableCommits } from '../../usergit/index.ts';

/** Of the objects that are there; undefined where that can't be told. */
export type ObjectTypes = ReadonlyMap<string, string> | undefined;

export const isCommit = (types: ObjectTypes, id: string): boolean => types?.get(id) === 'commit';

/** The second at which git may clear an entry away; infinite where it stays. */
export const endOfEntry = (expiry: ReflogExpiry, { ref, at }: ReflogEntry, isReachable: boolean): number => {
  const { reachable, unreachable } = expiry.of(ref);
  return Math.min(endOf(reachable.term, at), isReachable ? Number.POSITIVE_INFINITY : endOf(unreachable.term, at));
};

/** git counts an entry as unreachable when either end is, and an end that is no longer there as reachable. */
export const unreachableEntries = async (
  repository: UserRepository,
  entries: readonly ReflogEntry[],
  types: ObjectTypes,
): Promise<ReadonlySet<ReflogEntry> | undefined> => {
  if (types === undefined) return undefined;
  const found = new Set<ReflogEntry>();
  const tips = await refTips(repository);
  const byRef: ReadonlyMap<ByteString, readonly ReflogEntry[]> = Map.groupBy(entries, (entry) => entry.ref);
  for (const [ref, own] of byRef) {
    const lost = await lostEnds(repository, ref, own, types, tips.get(ref));
    for (const entry of own) if (lost === undefined || lost.has(entry.from) || lost.has(entry.to)) found.add(entry);
  }
  return found;
};

/** Where there are many branches, most of them have only been where they are: those need no question. */
const lostEnds = async (
  repository: UserRepository,
  ref: ByteString,
  entries: readonly ReflogEntry[],
  types: ObjectTypes,
  tip: string | undefined,
): Promise<ReadonlySet<string> | undefined> => {
  if (tip === undefined && ref !== 'HEAD') return undefined;
  const ends = new Set(entries.flatMap(({ from, to }) => [from, to]).filter((id) => id !== tip && isCommit(types, id)));
  return unreachableCommits(repository, ref, [...ends]);
};
