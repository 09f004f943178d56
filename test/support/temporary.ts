import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory that is gone when the test is over, whatever permissions it was left with. */
export const temporaryDirectory = (prefix = 'retake-test-'): string => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  onTestFinished(() => removeTree(path));
  return path;
};

/** Something that is about to end may still write there. */
const PATIENTLY = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };

const removeTree = (path: string): void => {
  try {
    rmSync(path, PATIENTLY);
  } catch {
    openUp(path);
    rmSync(path, PATIENTLY);
  }
};

const openUp = (path: string): void => {
  chmodSync(path, 0o700);
  for (const entry of readdirSync(path, { withFileTypes: true })) if (entry.isDirectory()) openUp(join(path, entry.name));
};
