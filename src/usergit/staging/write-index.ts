import { type ByteString, RetakeError } from '../../model/index.ts';
import { below } from '../paths.ts';
import type { UserRepository } from '../repository.ts';
import { indexBytes } from './index-bytes.ts';
import { UserIndex } from './index-file.ts';
import { clearLeftovers, replaceLocked } from './locked-file.ts';
import type { StagedEntry } from './staging.ts';

/**
 * Replaces the user's index with exactly these entries. What git knows of files whose entries stay is kept, so that it need
 * not read them again.
 */
export const writeIndex = (repository: UserRepository, entries: readonly StagedEntry[]): void =>
  replaceLocked(indexPath(repository), newIndex(repository, entries));

/** A process of ours that was killed while it wrote the index may have left its lock. */
export const clearIndexLock = (repository: UserRepository): void => clearLeftovers(indexPath(repository));

const indexPath = ({ gitDirectory }: UserRepository): ByteString => below(gitDirectory, 'index');

const newIndex = (repository: UserRepository, entries: readonly StagedEntry[]): Buffer => {
  const hashSize = repository.objectFormat === 'sha1' ? 20 : 32;
  if (entries.some(({ id }) => id.length !== hashSize * 2))
    throw new RetakeError('store-damaged', 'What was recorded of the git index is of another object format than the repository');
  const present = UserIndex.read(repository);
  return indexBytes(entries, hashSize, (entry, to, start) => {
    if (entry.stage === 0) present.copyStat(entry, to, start);
  });
};
