import { effects } from '../../host/index.ts';
import { systemCode } from '../../model/index.ts';
import { FOLDERS, namesIn } from './inventory.ts';

/** The index goes first: without it nobody looks for the pack, and who is killed in between leaves nothing that seems damaged. */
export const removePack = (objectsDirectory: string, name: string): void => {
  const directory = `${objectsDirectory}/pack`;
  const rank = (file: string): number => (file.endsWith('.idx') ? 0 : file.endsWith('.pack') ? 2 : 1);
  const files = namesIn(directory).filter((file) => file.startsWith(`${name}.`));
  for (const file of files.sort((a, b) => rank(a) - rank(b))) removeIfThere(`${directory}/${file}`);
};

export const removeIfThere = (path: string): boolean => {
  try {
    effects.unlink(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
};

/** Folders of loose objects that have none. */
export const removeEmptyFolders = (objectsDirectory: string): void => {
  const present = new Set(namesIn(objectsDirectory));
  for (const folder of FOLDERS) {
    const path = `${objectsDirectory}/${folder}`;
    if (!present.has(folder) || namesIn(path).length > 0) continue;
    try {
      effects.removeDirectory(path);
    } catch (error) {
      // Somebody put an object there in this instant.
      if (systemCode(error) !== 'ENOTEMPTY' && systemCode(error) !== 'ENOENT') throw error;
    }
  }
};
