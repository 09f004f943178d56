import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectory, exists, homeDirectory } from '../../host/index.ts';
import {
  type ByteString,
  fromBytes,
  fromText,
  isWithin,
  type RelativePath,
  RetakeError,
  toBytes,
  toFs,
  toText,
} from '../../model/index.ts';
import { findRepository } from '../../usergit/index.ts';
import type { Settings } from '../settings/settings.ts';
import { belongTo, inodeOf, readIdentity } from './directory-identity.ts';

/** The repository's name in the workspace's data directory. */
export const STORE = 'store.git';

export interface Place {
  /** The workspace's root, absolute and without links. */
  readonly root: ByteString;
  /** Where Retake keeps everything about this workspace. */
  readonly data: string;
}

/** The workspace that a directory belongs to: a root known already, else the git top level, else the directory itself. */
export const locate = (directory: string): Place => {
  const start = realDirectory(directory);
  for (let at = start; ; at = above(at)) {
    const place = recordedAt(at);
    if (place !== undefined) return place;
    if (at === '/') break;
  }
  return newPlace(findRepository(start)?.top ?? start);
};

/** What is recorded of the very directory that is at a path now. */
const recordedAt = (root: ByteString): Place | undefined =>
  [placeOf(root), placeBeside(root)].find(({ data }) => exists(join(data, STORE)) && belongTo(readIdentity(data), data, root));

/** Where to record a directory of which nothing is recorded: another one may have been at its path. */
const newPlace = (root: ByteString): Place => {
  const usual = placeOf(root);
  return exists(join(usual.data, STORE)) ? placeBeside(root) : usual;
};

/** Where another directory that was at the path before has the usual place. */
const placeBeside = (root: ByteString): Place => {
  const { data } = placeOf(root);
  return { root, data: `${data}.${inodeOf(toFs(root))}` };
};

/** Whether a data directory has one of the names that belong to a root. */
export const isPlaceFor = (data: string, root: ByteString): boolean => {
  const usual = placeOf(root).data;
  return data.startsWith(usual) && /^(?:\.\d+|\.aside-\d+)?$/.test(data.slice(usual.length));
};

/** Whether something was recorded of the workspace that a directory belongs to. */
export const isProtected = (directory: string): boolean => exists(join(locate(directory).data, STORE));

/** Where everything about a workspace is kept, by its root, unless another directory that was there before has it. */
export const placeOf = (root: ByteString): Place => {
  const name = toText(root.slice(root.lastIndexOf('/') + 1) as ByteString).replaceAll(/[^A-Za-z0-9._-]/g, '_') || 'root';
  const digest = createHash('sha256').update(toBytes(root)).digest('hex').slice(0, 16);
  return { root, data: join(dataDirectory(), 'workspaces', `${name.slice(0, 60)}-${digest}`) };
};

const above = (path: ByteString): ByteString => (path.slice(0, path.lastIndexOf('/')) || '/') as ByteString;

const realDirectory = (directory: string): ByteString => {
  try {
    const real = fromBytes(realpathSync.native(directory, { encoding: 'buffer' }));
    if (statSync(toFs(real)).isDirectory()) return real;
  } catch (cause) {
    throw new RetakeError('workspace-missing', `There is no directory ${directory}`, { hint: 'Name an existing one with -C DIR.', cause });
  }
  throw new RetakeError('workspace-missing', `${directory} is not a directory`, { hint: 'Name a directory with -C DIR.' });
};

/** Without links; what does not exist is taken as it is written. */
export const realPath = (path: string): ByteString => {
  try {
    return fromBytes(realpathSync.native(path, { encoding: 'buffer' }));
  } catch {
    return fromText(path);
  }
};

/** `$HOME`, `/` and what contains the home directory hold far more than a project (CAP-9). */
export const refuseUnsuitable = (root: ByteString, settings: Settings): void => {
  if (settings['capture.allowedRoots'].some((allowed) => realPath(allowed) === root)) return;
  refuseOwnData(root);
  if (root !== '/' && !isWithin(realPath(homeDirectory()) as RelativePath, root as unknown as RelativePath)) return;
  throw new RetakeError('workspace-refused', `${toText(root)} is not protected: it is, or contains, the home directory`, {
    hint: `Run Retake inside a project, or add ${JSON.stringify(toText(root))} to the setting capture.allowedRoots.`,
  });
};

/** The same, for who only wants to know. */
export const whyUnsuitable = (root: ByteString, settings: Settings): RetakeError | null => {
  try {
    refuseUnsuitable(root, settings);
    return null;
  } catch (error) {
    if (error instanceof RetakeError) return error;
    throw error;
  }
};

/** A store that holds itself would grow with every look at it. */
const refuseOwnData = (root: ByteString): void => {
  const data = realPath(dataDirectory());
  if (root !== data && !isWithin(root as unknown as RelativePath, `${data}/workspaces` as RelativePath)) return;
  throw new RetakeError('workspace-refused', `${toText(root)} is not protected: it holds Retake's own data`, {
    hint: 'Run Retake inside a project.',
  });
};
