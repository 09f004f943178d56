import { lstatSync } from 'node:fs';
import { describeWriteFailure, effects, now } from '../../host/index.ts';
import { type ByteString, compareBytes, fromBytes, RetakeError, toBytes, toFs, toText } from '../../model/index.ts';
import {
  areWhole,
  entriesOf,
  fetchesWhatIsMissing,
  hasReftables,
  idLength,
  insertMissing,
  isNoObject,
  missingLines,
  objectTypes,
  parseReflogLine,
  type ReflogEntry,
  ReflogExpiry,
  readPlainFile,
  reflogPath,
  refTips,
  type UserRepository,
} from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { requireRepository } from '../git/user-repository.ts';
import { assertShown, digestOf } from '../read/shown-digest.ts';
import { readBackups, readCopy } from './reflog-backup.ts';
import { endOfEntry, unreachableEntries } from './reflog-ends.ts';
import { withReflogLocks } from './reflog-lock.ts';
import { matchesWords } from './reflog-words.ts';

/** Entries of reflogs that a backup has and the log of today lacks. */
export interface MissingEntries {
  /** Newest first. */
  readonly entries: readonly MissingEntry[];
  /** Logs that the newest backup left out for their size. */
  readonly notBackedUp: readonly ByteString[];
  readonly backups: number;
}

export interface MissingEntry {
  readonly entry: ReflogEntry;
  /** `gone`: its commit, or something that it needs, is no longer in the repository. `no-ref`: the log's ref was removed. */
  readonly state: 'restorable' | 'gone' | 'no-ref';
  /** When git clears it away by the settings of today; infinite where it stays. In seconds. */
  readonly endsAt: number;
  /** The log was begun anew since, with another branch of the same name. */
  readonly isOfAnother: boolean;
}

/** What is missing, and what of it can be brought back (GIT-7). */
export const missingEntries = async (workspace: Workspace, repository: UserRepository): Promise<MissingEntries> => {
  const backups = readBackups(workspace);
  const rest = { notBackedUp: backups.leftOut.map(({ ref }) => ref), backups: backups.count };
  const found = [...backups.copies].flatMap(([ref, blobs]) => {
    const log = readLog(repository, ref);
    return log === undefined
      ? []
      : missingIn(
          repository,
          ref,
          log,
          blobs.flatMap((blob) => readCopy(workspace, blob)),
        );
  });
  if (found.length === 0) return { entries: [], ...rest };
  const ends = found.flatMap(({ entry: { from, to } }) => [from, to]);
  const [tips, types, expiry] = await Promise.all([refTips(repository), objectTypes(repository, ends), ReflogExpiry.read(repository)]);
  const whole = await wholeCommits(
    repository,
    found.map(({ entry }) => entry.to).filter((id) => types?.has(id)),
  );
  const stateOf = ({ ref, to }: ReflogEntry): MissingEntry['state'] => {
    if (ref !== 'HEAD' && !tips.has(ref)) return 'no-ref';
    return whole.has(to) ? 'restorable' : 'gone';
  };
  const lost = await unreachableEntries(
    repository,
    found.map(({ entry }) => entry),
    types,
  );
  const entries = found.map(({ entry, isOfAnother }) => ({
    entry,
    state: stateOf(entry),
    endsAt: endOfEntry(expiry, entry, lost?.has(entry) === false),
    isOfAnother,
  }));
  return { entries: entries.sort((a, b) => b.entry.at - a.entry.at), ...rest };
};

const missingIn = (
  repository: UserRepository,
  ref: ByteString,
  log: ByteString,
  copies: readonly ByteString[],
): { entry: ReflogEntry; isOfAnother: boolean }[] => {
  const length = idLength(repository);
  const first = parseReflogLine(`${log.split('\n', 1)[0]}\n` as ByteString, length);
  const begun = first !== undefined && isNoObject(first.from) ? first.at : Number.NEGATIVE_INFINITY;
  const lines = new Map(copies.flatMap((copy) => missingLines(log, copy, length)).map((line) => [line.slice(length), line]));
  const parsed = [...lines.values()].map((line) => parseReflogLine(line, length)).filter((line) => line !== undefined);
  return entriesOf(ref, parsed).map((entry) => ({ entry, isOfAnother: entry.at < begun }));
};

/** The log as it is; empty where there is none, undefined where it can't be read. */
const readLog = (repository: UserRepository, ref: ByteString): ByteString | undefined => {
  const file = readPlainFile(reflogPath(repository, ref), { follow: false });
  if (file === 'absent') return '' as ByteString;
  return file === 'unreadable' ? undefined : fromBytes(file.bytes);
};

/** How often git is asked before the rest counts as not whole. */
const PATIENCE = 200;

/** Mostly all of them are, or none: where that is not so, halves are asked about. */
const wholeCommits = async (repository: UserRepository, ids: readonly string[]): Promise<Set<string>> => {
  const whole = new Set<string>();
  const open = [[...new Set(ids)]];
  for (let asked = 0; open.length > 0 && asked < PATIENCE; asked++) {
    const some = open.shift() ?? [];
    const middle = some.length >> 1;
    if (some.length === 0 || (await areWhole(repository, some))) for (const id of some) whole.add(id);
    else if (middle > 0) open.push(some.slice(0, middle), some.slice(middle));
  }
  return whole;
};

export interface ReflogRestorePlan {
  /** What comes back, newest first. */
  readonly restored: readonly MissingEntry[];
  readonly gone: readonly MissingEntry[];
  /** Entries of refs that were removed, and of the stash unless it is asked for: what is dropped there is meant to go. */
  readonly left: readonly MissingEntry[];
  readonly notBackedUp: readonly ByteString[];
  /** How many of `restored` git would clear away again at once. */
  readonly expired: number;
  /** The same as long as the same would come back. */
  readonly expected: string;
}

/** What `restoreReflogs` would put back: all, or what holds these words. */
export const planReflogRestore = async (workspace: Workspace, words: readonly string[] = []): Promise<ReflogRestorePlan> => {
  const repository = await suitableRepository(workspace);
  const { entries, notBackedUp, backups } = await missingEntries(workspace, repository);
  if (backups === 0)
    throw new RetakeError('no-backup', 'There is no backup of the reflogs yet', {
      hint: 'One is made whenever a session of an agent starts.',
    });
  const wanted = entries.filter(({ entry }) => matchesWords(entry, words));
  const isLeft = ({ entry, state }: MissingEntry): boolean => state === 'no-ref' || (entry.ref === 'refs/stash' && words.length === 0);
  const restored = wanted.filter((one) => one.state === 'restorable' && !isLeft(one));
  const seconds = now().getTime() / 1000;
  return {
    restored,
    gone: wanted.filter((one) => one.state === 'gone' && !isLeft(one)),
    left: wanted.filter(isLeft),
    notBackedUp,
    expired: restored.filter(({ endsAt }) => endsAt <= seconds).length,
    expected: digestOf(restored.map(({ entry }) => [entry.ref, identify(entry)])),
  };
};

const suitableRepository = async (workspace: Workspace): Promise<UserRepository> => {
  const repository = requireRepository(workspace);
  if (await fetchesWhatIsMissing(repository))
    throw new RetakeError('git-unsuited', 'In a partial clone it can not be told which commits are there without fetching them', {
      hint: 'git fetch --refetch --no-filter makes it whole.',
    });
  if (!hasReftables(repository)) return repository;
  throw new RetakeError('git-unsuited', 'The reflogs of this repository are in tables (reftable), which only git itself can write', {
    hint: 'Commits can still be kept one by one: git branch NAME COMMIT',
  });
};

/**
 * Puts entries back into the log files, exactly as they were; nothing that is there is changed. With `expected`, only what was shown. Returns
 * how many came back.
 */
export const restoreReflogs = (workspace: Workspace, plan: ReflogRestorePlan, expected?: string): Promise<number> =>
  workspace.write(async () => {
    assertShown(plan, expected);
    const { restored } = plan;
    const repository = await suitableRepository(workspace);
    const { copies } = readBackups(workspace);
    const present = await objectTypes(
      repository,
      restored.map(({ entry }) => entry.from),
    );
    const chosen = new Map<ByteString, Set<string>>();
    for (const { entry } of restored) chosen.set(entry.ref, (chosen.get(entry.ref) ?? new Set()).add(identify(entry)));
    const length = idLength(repository);
    let count = 0;
    withReflogLocks(workspace.data, repository, [...chosen.keys()].sort(compareBytes), (ref, newLog) => {
      const pick = (line: ByteString): ByteString | undefined => {
        const [entry] = entriesOf(
          ref,
          [parseReflogLine(line, length)].filter((one) => one !== undefined),
        );
        if (entry === undefined || !chosen.get(ref)?.delete(identify(entry))) return undefined;
        count++;
        // A line that came from a lost commit would make git report damage.
        return (present?.has(entry.from) ? line : '0'.repeat(length) + line.slice(length)) as ByteString;
      };
      const before = readLog(repository, ref);
      if (before === undefined) return;
      const blobs = copies.get(ref) ?? [];
      const merged = blobs
        .flatMap((blob) => readCopy(workspace, blob))
        .reduce((log, copy) => insertMissing(log, copy, length, pick), before);
      if (merged !== before) replaceLog(reflogPath(repository, ref), newLog, merged);
    });
    return count;
  });

const identify = ({ to, who, at, note }: ReflogEntry): string => JSON.stringify([to, who, at, note]);

const replaceLog = (log: ByteString, newLog: ByteString, content: ByteString): void => {
  const stat = lstatSync(toFs(log), { throwIfNoEntry: false });
  try {
    effects.makeDirectories(toFs(log.slice(0, log.lastIndexOf('/')) as ByteString), 0o777);
    const fd = effects.createFile(toFs(newLog), 0o666);
    try {
      effects.writeAll(fd, toBytes(content), toFs(newLog));
      if (stat !== undefined) effects.makeAlike(fd, stat);
    } finally {
      effects.close(fd);
    }
    effects.rename(toFs(newLog), toFs(log));
  } catch (error) {
    throw describeWriteFailure(error, toText(log));
  }
};
