import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectory, exists, readIfExists } from '../host/index.ts';
import { fromText, systemCode } from '../model/index.ts';
import { type Place, placeOf, STORE } from './locate.ts';

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
  try {
    const { root } = JSON.parse(readIfExists(join(data, 'workspace.json'))?.toString() ?? '{}');
    const place = typeof root === 'string' ? placeOf(fromText(root)) : undefined;
    return place?.data === data && exists(join(data, STORE)) ? place : undefined;
  } catch {
    return undefined;
  }
};
