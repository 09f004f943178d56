import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { effects, exists, readIfExists, removeQuietly, replaceFile } from '../../host/index.ts';
import { type ByteString, RetakeError, systemCode, toFs, toText } from '../../model/index.ts';
import { readPlainText, refHome, reflogPath, type UserRepository } from '../../usergit/index.ts';

/** Written down before any lock is taken, so that one whose holder was killed can be told from git's own. */
interface HeldLocks {
  readonly token: string;
  /** Paths in bytes. */
  readonly mark: ByteString;
  readonly locks: readonly { readonly ref: ByteString; readonly log: ByteString }[];
}

/**
 * Runs `work` for each ref while no git process can move the ref or write to its log: with the ref's lock file in place, as
 * git itself would have it. `work` gets the name under which git expects the new log, to be renamed when it is whole.
 */
export const withReflogLocks = (
  data: string,
  repository: UserRepository,
  refs: readonly ByteString[],
  work: (ref: ByteString, newLog: ByteString) => void,
): void => {
  const token = `retake ${randomBytes(12).toString('hex')}\n`;
  const mark = `${repository.gitDirectory}/${token.trim().replace(' ', '-')}` as ByteString;
  const locks = refs.map((ref) => ({
    ref: `${refHome(repository, ref)}/${ref}.lock` as ByteString,
    log: `${reflogPath(repository, ref)}.lock` as ByteString,
  }));
  const held: HeldLocks = { token, mark, locks };
  replaceFile(listOf(data), Buffer.from(JSON.stringify(held)));
  try {
    writeMark(mark, token);
    for (const [at, ref] of refs.entries()) {
      const { ref: refLock, log } = locks[at] as HeldLocks['locks'][number];
      takeLock(mark, refLock);
      work(ref, log);
      effects.unlink(toFs(refLock));
    }
  } finally {
    releaseReflogLocks(data);
  }
};

/** Takes away what a process of ours left that was killed meanwhile, or that failed. Needs the workspace's lock. */
export const releaseReflogLocks = (data: string): void => {
  const { token, mark, locks } = readHeld(data) ?? { token: '', mark: undefined, locks: [] };
  for (const { ref, log } of locks) {
    // Whoever has the ref's lock is the only one to write the log's.
    if (readPlainText(ref, { follow: false }) !== token) continue;
    removeQuietly(toFs(log));
    removeQuietly(toFs(ref));
  }
  if (mark !== undefined) removeQuietly(toFs(mark));
  removeQuietly(listOf(data));
};

export const hasReflogLocks = (data: string): boolean => exists(listOf(data));

const listOf = (data: string): string => join(data, 'reflog-locks.json');

const readHeld = (data: string): HeldLocks | undefined => {
  try {
    return JSON.parse(readIfExists(listOf(data))?.toString() ?? 'null') ?? undefined;
  } catch {
    // Torn, so that no lock was taken yet.
    return undefined;
  }
};

const writeMark = (mark: ByteString, token: string): void => {
  const fd = effects.createFile(toFs(mark), 0o600);
  try {
    effects.writeAll(fd, Buffer.from(token), toFs(mark));
  } finally {
    effects.close(fd);
  }
};

/** As a link to what tells that it is ours: it is there with its content, or not at all. */
const takeLock = (mark: ByteString, lock: ByteString): void => {
  try {
    effects.makeDirectories(toFs(lock.slice(0, lock.lastIndexOf('/')) as ByteString), 0o777);
    effects.link(toFs(mark), toFs(lock));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    throw new RetakeError('git-busy', `Another git process is at work: ${toText(lock)} is there`, {
      hint: 'Wait for it to finish and try again. If there is none, git was killed: remove that file.',
      cause: error,
    });
  }
};
