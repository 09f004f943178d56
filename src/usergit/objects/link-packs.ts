import { effects } from '../../host/index.ts';
import { type ByteString, systemCode, toFs } from '../../model/index.ts';
import type { UserRepository } from '../repository.ts';
import { packsOf } from './object-sources.ts';

/**
 * Gives the user's packs second names in a directory of ours: the user's own gc drops only the first ones. False when some
 * could not be linked, as on another file system.
 */
export const linkPacks = (repository: UserRepository, directory: string): boolean =>
  packsOf(repository).every((pack) => {
    const name = pack.slice(pack.lastIndexOf('/') + 1);
    // The pack before its index: an index is what makes a pack visible.
    return ['.pack', '.idx'].every(
      (extension) => tryLink(`${pack}${extension}` as ByteString, `${directory}/${name}${extension}`) !== 'impossible',
    );
  });

export const tryLink = (from: ByteString, to: string): 'linked' | 'occupied' | 'impossible' => {
  try {
    effects.link(toFs(from), to);
    return 'linked';
  } catch (error) {
    return systemCode(error) === 'EEXIST' ? 'occupied' : 'impossible';
  }
};
