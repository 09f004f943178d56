import { join } from 'node:path';
import { isUtf8, type ObjectId, RetakeError, toText } from '../../../model/index.ts';
import { ObjectStore, type StoredObject } from '../../../store/index.ts';
import { findRepository, objectDirectories } from '../../../usergit/index.ts';
import type { Workspace } from '../../core/workspace.ts';
import { pinnedPath } from '../check-pinned.ts';

/** The object, verified, or undefined where it can not be had. */
export const readIfIntact = (objects: ObjectStore, id: ObjectId): StoredObject | undefined => {
  try {
    return objects.read(id);
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return undefined;
    throw error;
  }
};

/** The object, from the first that has it. */
export const findIn = (places: readonly ObjectStore[], id: ObjectId): (StoredObject & { readonly id: ObjectId }) | undefined => {
  const object = places.map((place) => readIfIntact(place, id)).find((found) => found !== undefined);
  return object && { id, ...object };
};

/** Repositories that may have an object of the same id: the user's with those it borrows from, and what we hold of it. */
export const otherRepositories = (workspace: Workspace): ObjectStore[] => {
  const repository = findRepository(workspace.root);
  const directories = repository?.objectFormat === 'sha1' ? objectDirectories(repository).filter(isUtf8).map(toText) : [];
  return [...directories, join(pinnedPath(workspace), 'objects')]
    .filter((path) => path.endsWith('/objects'))
    .map((path) => new ObjectStore(path.slice(0, -'/objects'.length), { durability: workspace.settings.durability }));
};
