import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectory, exists } from '../../host/index.ts';
import { systemCode } from '../../model/index.ts';
import { readIdentity } from './directory-identity.ts';
import { isPlaceFor, type Place, STORE } from './locate.ts';

/** Every workspace of which something is recorded, whether or not it is still there; or those whose data is in a folder with such a name. */
export const storedPlaces = (isMeant: (folder: string) => boolean = () => true): Place[] =>
  foldersIn(join(dataDirectory(), 'workspaces'), isMeant).flatMap((data) => placeAt(data) ?? []);

const foldersIn = (directory: string, isMeant: (name: string) => boolean): string[] => {
  try {
    return readdirSync(directory)
      .filter(isMeant)
      .map((name) => join(directory, name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
};

/** Undefined where the workspace's own name can't be told from what was written down of it. */
const placeAt = (data: string): Place | undefined => {
  const name = readIdentity(data);
  return name !== undefined && isPlaceFor(data, name.root) && exists(join(data, STORE)) ? { root: name.root, data } : undefined;
};
