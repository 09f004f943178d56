import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { RetakeError } from '../../model/index.ts';

/** Refuses a file whose directory is not there, before anything is gathered for it. */
export const assertFolderOf = (file: string): void => {
  const folder = dirname(file);
  if (isFolder(folder)) return;
  throw new RetakeError('no-such-file', `There is no directory ${folder}; nothing was written`, {
    hint: 'Make it first, or give another place by --output.',
  });
};

/** What can not be looked at may be one: the attempt to write there tells more. */
const isFolder = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return true;
  }
};
