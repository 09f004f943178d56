import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What directories take on disk. */
export interface Size {
  readonly bytes: number;
  readonly files: number;
}

/** Files that the user's repository has too cost nothing, and count as files only. */
export const sizeOfDirectories = (...directories: string[]): Size => {
  let bytes = 0;
  let files = 0;
  for (const directory of directories) {
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      const found = entry.isFile() ? statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }) : undefined;
      if (found === undefined) continue;
      files++;
      if (found.nlink === 1) bytes += found.size;
    }
  }
  return { bytes, files };
};
