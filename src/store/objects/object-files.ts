import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exists } from '../../host/index.ts';
import type { ObjectId } from '../../model/index.ts';
import { soundChecksum, trailerOf } from './checksum.ts';
import { Damage, unlessDamaged } from './damage.ts';
import { LooseObjects, loosePath } from './loose.ts';
import { PackIndex } from './pack-index.ts';

/** A file of objects that is not as it was written, whether or not anybody needs it. */
export interface FileFault {
  readonly kind: 'loose' | 'pack' | 'pack-index' | 'pack-extra';
  /** Absolute. */
  readonly file: string;
  readonly problem: string;
  /** For a loose one. */
  readonly object?: ObjectId;
}

/** Reads every byte of every file that objects are kept in. */
export const inspectObjectFiles = (gitDirectory: string, onProgress?: (files: number) => void): FileFault[] => {
  const directory = join(gitDirectory, 'objects');
  let count = 0;
  const faults: FileFault[] = [];
  const noting = (fault: FileFault | undefined): void => {
    onProgress?.(++count);
    if (fault !== undefined) faults.push(fault);
  };
  const loose = new LooseObjects(directory, 'process');
  for (const object of loose.ids()) noting(looseFault(loose, directory, object));
  const packs = join(directory, 'pack');
  const names = exists(packs) ? readdirSync(packs).filter((name) => /^pack-[0-9a-f]+[.]/.test(name)) : [];
  for (const name of names) noting(packFault(packs, name, new Set(names)));
  return faults;
};

const looseFault = (loose: LooseObjects, directory: string, object: ObjectId): FileFault | undefined => {
  try {
    loose.read(object);
    return undefined;
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    return { kind: 'loose', file: loosePath(directory, object), problem: error.message, object };
  }
};

const packFault = (directory: string, name: string, names: ReadonlySet<string>): FileFault | undefined => {
  const [stem = '', extension = ''] = name.split('.');
  const file = join(directory, name);
  const pack = `${stem}.pack`;
  const isSound = (): boolean => unlessDamaged(() => soundChecksum(file)) !== undefined;
  switch (extension) {
    case 'pack':
      if (!names.has(`${stem}.idx`)) return { kind: 'pack-index', file: join(directory, `${stem}.idx`), problem: MISSING };
      return isSound() ? undefined : { kind: 'pack', file, problem: WRONG };
    case 'idx':
      if (!names.has(pack)) return { kind: 'pack', file: join(directory, pack), problem: MISSING };
      if (!isSound()) return { kind: 'pack-index', file, problem: WRONG };
      return isIndexOf(join(directory, pack), file) ? undefined : { kind: 'pack-index', file, problem: 'it is not the index of its pack' };
    case 'rev':
    case 'bitmap':
    case 'mtimes':
      return isSound() ? undefined : { kind: 'pack-extra', file, problem: WRONG };
    default:
      // What is kept and what is promised is said by a file's name alone.
      return undefined;
  }
};

const isIndexOf = (pack: string, index: string): boolean =>
  unlessDamaged(() => new PackIndex(readFileSync(index)).packChecksum.equals(trailerOf(pack).trailer)) === true;

const WRONG = 'its checksum is wrong';
export const MISSING = 'it is missing';
