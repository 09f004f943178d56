import { join } from 'node:path';
import { FOLDERS, namesIn } from '../../store/index.ts';
import { type DiskUse, diskUse } from '../upkeep/disk-use.ts';

export interface StoreSize extends DiskUse {
  readonly packs: number;
  readonly looseObjects: number;
}

/** How much room the store takes: asks the system about each file, and reads none. */
export const sizeOfStore = (store: string): StoreSize => {
  const objects = join(store, 'objects');
  return {
    ...diskUse(store),
    packs: namesIn(join(objects, 'pack')).filter((name) => name.endsWith('.pack')).length,
    looseObjects: FOLDERS.reduce((sum, folder) => sum + namesIn(join(objects, folder)).length, 0),
  };
};
