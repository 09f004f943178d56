import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { exists } from './files.ts';

/** Copies files to a folder that is gone afterwards: for looking at what must not be touched by looking. */
export const withCopies = <T>(files: readonly string[], work: (directory: string) => T): T => {
  const directory = mkdtempSync(join(tmpdir(), 'retake-'));
  try {
    for (const file of files) if (exists(file)) copyFileSync(file, join(directory, basename(file)));
    return work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};
