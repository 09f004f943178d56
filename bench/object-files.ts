import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Packs without their indexes, and objects that lie about in files of their own. */
export const objectBytes = (gitDirectory: string): number =>
  readdirSync(join(gitDirectory, 'objects'), { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => name.endsWith('.pack') || /\/[0-9a-f]{2}$/.test(parentPath))
    .reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0);
