import { join } from 'node:path';
import type { Durability } from '../../../host/index.ts';
import type { ObjectId } from '../../../model/index.ts';
import { inspectObjectFiles, mendPack, type ObjectStore, type StoredObject } from '../../../store/index.ts';
import type { Aside } from './aside.ts';
import { readIfIntact } from './sources.ts';

/**
 * Takes damaged files of objects out of a repository of ours, after all that still reads in them was written anew. Returns the objects
 * whose own files went. Needs the lock.
 */
export const mendObjectFiles = (gitDirectory: string, objects: ObjectStore, aside: Aside, durability: Durability): ObjectId[] => {
  const faults = inspectObjectFiles(gitDirectory);
  const findElsewhere = (id: ObjectId): StoredObject | undefined => readIfIntact(objects, id);
  const packs = new Set(faults.filter(({ kind }) => kind === 'pack' || kind === 'pack-index').map(({ file }) => stemOf(file)));
  for (const pack of packs) mendPack(join(gitDirectory, 'objects', 'pack', pack), { durability, moveAside: aside.move, findElsewhere });
  for (const { kind, file } of faults) if (kind === 'loose' || kind === 'pack-extra') aside.move(file);
  objects.refreshPacks();
  return faults.flatMap(({ object }) => object ?? []);
};

const stemOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1).replace(/[.]\w+$/, '.pack');
