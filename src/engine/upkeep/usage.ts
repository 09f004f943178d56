import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../model/index.ts';

/** What a folder of ours takes on disk. */
export interface Usage {
  readonly bytes: number;
  readonly files: number;
}

/** Files that are another's too, such as packs linked from the user's repository, take nothing more. */
export const usageOf = (directory: string): Usage => {
  let [bytes, files] = [0, 0];
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      const below = usageOf(path);
      bytes += below.bytes;
      files += below.files;
      continue;
    }
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.nlink > 1) continue;
    bytes += stat.size;
    files++;
  }
  return { bytes, files };
};

/** What is gone by now was never much. */
const entriesOf = (directory: string): Dirent[] => {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
};
