import { now } from '../../host/index.ts';
import { type StepStatus, stepStatusUntil } from '../../timeline/index.ts';
import {
  isReachedByHead,
  isReachedByRefs,
  leadingTo,
  objectTypes,
  ReflogExpiry,
  readReflogs,
  type UserRepository,
} from '../../usergit/index.ts';
import { endOfEntry, isCommit, unreachableEntries } from '../reflog/reflog-ends.ts';

/**
 * What can still be done about a commit, and until when: as long as a ref leads to it or we hold it, else as long as the last entry of a
 * reflog that does. Null ends never, but for an `expired` one, which nothing leads to at all.
 */
export const commitStatus = async (repository: UserRepository, commit: string, isHeld: boolean): Promise<StepStatus> => {
  if (await isReachedByHead(repository, commit)) return { state: 'on-branch', expiresAt: null };
  if (isHeld || (await isReachedByRefs(repository, commit))) return { state: 'recoverable', expiresAt: null };
  const end = await lastEntryEnds(repository, commit);
  return end === undefined ? { state: 'expired', expiresAt: null } : stepStatusUntil(now(), end * 1000);
};

/** The second, infinite for never; undefined where no entry leads to it. */
const lastEntryEnds = async (repository: UserRepository, commit: string): Promise<number | undefined> => {
  const { entries } = await readReflogs(repository);
  const types = await objectTypes(
    repository,
    entries.flatMap(({ from, to }) => [from, to]),
  );
  const tips = [...new Set(entries.map(({ to }) => to))].filter((id) => isCommit(types, id));
  const leading = await leadingTo(repository, commit, tips);
  const own = entries.filter(({ to }) => leading.has(to));
  const [expiry, unreachable] = await Promise.all([ReflogExpiry.read(repository), unreachableEntries(repository, own, types)]);
  const ends = own.map((entry) => endOfEntry(expiry, entry, unreachable !== undefined && !unreachable.has(entry)));
  return ends.length === 0 ? undefined : Math.max(...ends);
};
