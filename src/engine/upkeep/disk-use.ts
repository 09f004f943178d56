import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../model/index.ts';

/** What directories take on disk. */
export interface DiskUse {
  readonly bytes: number;
  readonly files: number;
}

/** Files that the user's repository has too cost nothing, and count as files only. */
export const diskUse = (...directories: string[]): DiskUse => {
  let [bytes, files] = [0, 0];
  for (const directory of directories) {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      const stat = entry.isDirectory() ? undefined : lstatSync(path, { throwIfNoEntry: false });
      const below = entry.isDirectory() ? diskUse(path) : { bytes: stat?.nlink === 1 ? stat.size : 0, files: stat === undefined ? 0 : 1 };
      bytes += below.bytes;
      files += below.files;
    }
  }
  return { bytes, files };
};

/** What is gone by now takes nothing. */
const entriesOf = (directory: string): Dirent[] => {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
};
