import { realpathSync, type Stats, statSync } from 'node:fs';
import { type ByteString, toFs } from '../model/index.ts';

/** Absolute paths in bytes. What can't be looked at counts as not there: the user's repository may be in any state. */

export const below = (directory: ByteString, name: string): ByteString => `${directory === '/' ? '' : directory}/${name}` as ByteString;

export const above = (directory: ByteString): ByteString => (directory.slice(0, directory.lastIndexOf('/')) || '/') as ByteString;

export const resolve = (base: ByteString, path: string): ByteString => (path.startsWith('/') ? path : below(base, path)) as ByteString;

export const statIfAny = (path: ByteString): Stats | undefined => {
  try {
    return statSync(toFs(path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

export const realPath = (path: ByteString): ByteString | undefined => {
  try {
    return realpathSync.native(toFs(path), 'latin1') as ByteString;
  } catch {
    return undefined;
  }
};
