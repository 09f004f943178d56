import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gitAtOnce, readIfExists } from '../../host/index.ts';
import { type ByteString, fromBytes, fromText, isUtf8, RetakeError, toBytes, toFs, toText } from '../../model/index.ts';
import { findRepository, hasCommits } from '../../usergit/index.ts';

/** What lasts of a directory when it is renamed. */
export interface DirectoryIdentity {
  readonly device: string;
  readonly inode: string;
  /** When it was made, in nanoseconds; null where the file system can not be relied on for that. */
  readonly born: string | null;
}

/** What is written down of the directory that data are about. */
export interface StoredIdentity {
  readonly root: ByteString;
  /** Undefined where an older version wrote it. */
  readonly directory?: DirectoryIdentity;
  /** The first commit of its repository: also a clone of it, or a copy, is the same project. */
  readonly firstCommit?: string | null;
  /** The inode of the directory with the data: where that is another one, all of this was copied from elsewhere, and inodes tell nothing. */
  readonly data?: string;
}

/** The file that tells whose they are. */
export const identityFile = (data: string): string => join(data, 'workspace.json');

/** Undefined where it is missing or damaged. */
export const readIdentity = (data: string): StoredIdentity | undefined => {
  try {
    const { root, rootBase64, directory, firstCommit, data: inode } = JSON.parse(readIfExists(identityFile(data))?.toString() ?? '{}');
    if (typeof root !== 'string') return undefined;
    return {
      root: typeof rootBase64 === 'string' ? fromBytes(Buffer.from(rootBase64, 'base64')) : fromText(root),
      ...(isIdentity(directory) ? { directory } : {}),
      ...(typeof firstCommit === 'string' || firstCommit === null ? { firstCommit } : {}),
      ...(typeof inode === 'string' ? { data: inode } : {}),
    };
  } catch {
    return undefined;
  }
};

const isIdentity = (value: unknown): value is DirectoryIdentity => {
  const { device, inode, born } = (value ?? {}) as Partial<Record<keyof DirectoryIdentity, unknown>>;
  return typeof device === 'string' && typeof inode === 'string' && (typeof born === 'string' || born === null);
};

/** What is to be written down of a workspace. */
export const storedIdentityOf = (root: ByteString, data: string, before = readIdentity(data)): StoredIdentity => {
  // What is known of its first commit stays known.
  const known = before?.root === root && belongTo(before, data, root) ? before.firstCommit : undefined;
  const directory = identityOf(root);
  if (directory === undefined) return before ?? { root };
  const firstCommit = known === undefined ? firstCommitOf(root) : known;
  return { root, directory, ...(firstCommit === undefined ? {} : { firstCommit }), data: inodeOf(data) };
};

export const encodeIdentity = ({ root, ...rest }: StoredIdentity): Buffer => {
  const bytes = isUtf8(root) ? {} : { rootBase64: toBytes(root).toString('base64') };
  return Buffer.from(`${JSON.stringify({ root: toText(root), ...bytes, ...rest })}\n`);
};

/** Whether data are about the directory that is at `root` now, as far as anybody can tell. One that is gone is no other. */
export const belongTo = (name: StoredIdentity | undefined, data: string, root: ByteString): boolean => {
  const { directory, firstCommit } = name ?? {};
  if (directory === undefined || name?.data !== inodeOf(data)) return true;
  const now = identityOf(root);
  if (now === undefined || isLikely(directory, now)) return true;
  return typeof firstCommit === 'string' && firstCommitOf(root) === firstCommit;
};

/** At the same path: devices are numbered anew when the machine starts. */
const isLikely = (one: DirectoryIdentity, other: DirectoryIdentity): boolean =>
  one.inode === other.inode && (one.born === null || other.born === null || one.born === other.born);

/** Wherever they are. */
export const isCertainly = (one: DirectoryIdentity, other: DirectoryIdentity): boolean =>
  isLikely(one, other) && (one.device === other.device || (one.born !== null && one.born === other.born));

/** Where the file system is put together of several, a directory is made anew with the first change in it. */
const OVERLAY = 0x794c7630;

export const identityOf = (root: ByteString): DirectoryIdentity | undefined => {
  const stat = statSync(toFs(root), { throwIfNoEntry: false, bigint: true });
  if (!stat?.isDirectory()) return undefined;
  // Some systems give the time of the last change for that of the first.
  const isKnown = stat.birthtimeNs > 0n && stat.birthtimeNs !== stat.ctimeNs && statfsSync(toFs(root)).type !== OVERLAY;
  return { device: String(stat.dev), inode: String(stat.ino), born: isKnown ? String(stat.birthtimeNs) : null };
};

export const inodeOf = (path: string | Buffer): string => String(statSync(path, { throwIfNoEntry: false, bigint: true })?.ino);

/** Long histories are not worth waiting for. */
const PATIENCE = 500;

/** Undefined where there is none yet, null where git can not tell soon enough. */
export const firstCommitOf = (root: ByteString): string | null | undefined => {
  const repository = findRepository(root);
  if (repository === undefined || !hasCommits(repository)) return undefined;
  // Without its name as text nobody can be sent there.
  if (!isUtf8(root)) return null;
  const asked = ['--no-replace-objects', 'rev-list', '--first-parent', '--max-parents=0', 'HEAD'];
  return (
    gitAtOnce(asked, { cwd: toText(root), patience: PATIENCE })
      ?.trim()
      .split('\n')
      .at(-1) || null
  );
};

/** What was recorded of one directory neither changes nor describes another one. */
export const otherDirectory = (root: ByteString): RetakeError =>
  new RetakeError('workspace-missing', `${toText(root)} is another directory than the one of which this was recorded`, {
    hint: 'If it goes on from that one, or that one was moved: run retake adopt in the directory.',
  });
