import { readdirSync, statSync } from 'node:fs';
import { isObjectId, type ObjectId, systemCode } from '../../model/index.ts';
import { Damage, readingDisk } from '../objects/damage.ts';
import { Pack } from '../objects/pack.ts';
import { readPackIndex } from '../objects/pack-index.ts';

/** A pack as it lies there. */
export interface StoredPack {
  readonly name: string;
  readonly bytes: number;
  /** When it was written, in milliseconds. */
  readonly modified: number;
  /** The user's repository has the same file under another name: it costs nothing, and to pack it anew would copy it. */
  readonly isShared: boolean;
  /** Undefined where its index can't be read. */
  readonly content: Pack | undefined;
}

export interface LooseFile {
  readonly id: ObjectId;
  readonly path: string;
  readonly bytes: number;
  readonly modified: number;
}

/** The packs of a repository, as they are now; the caller closes their contents. */
export const listPacks = (objectsDirectory: string): StoredPack[] => {
  const directory = `${objectsDirectory}/pack`;
  const names = new Set(namesIn(directory));
  return [...names].flatMap((file) => {
    const name = file.slice(0, -'.pack'.length);
    // What has no index is no pack, and nobody's yet.
    if (!file.endsWith('.pack') || !names.has(`${name}.idx`)) return [];
    const { size, mtimeMs, nlink } = statSync(`${directory}/${file}`);
    return [{ name, bytes: size, modified: mtimeMs, isShared: nlink > 1, content: openPack(directory, name, size) }];
  });
};

const openPack = (directory: string, name: string, size: number): Pack | undefined => {
  try {
    return new Pack(
      directory,
      name,
      readingDisk(() => readPackIndex(`${directory}/${name}.idx`)),
      size,
    );
  } catch (error) {
    if (error instanceof Damage) return undefined;
    throw error;
  }
};

/** The objects in files of their own. */
export const listLoose = (objectsDirectory: string): LooseFile[] =>
  FOLDERS.flatMap((folder) =>
    namesIn(`${objectsDirectory}/${folder}`).flatMap((name) => {
      const id = `${folder}${name}`;
      const path = `${objectsDirectory}/${folder}/${name}`;
      const found = isObjectId(id) ? statSync(path, { throwIfNoEntry: false }) : undefined;
      return isObjectId(id) && found !== undefined ? [{ id, path, bytes: found.size, modified: found.mtimeMs }] : [];
    }),
  );

/** Where loose objects lie. */
export const FOLDERS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export const namesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
};
