import { askGit } from '../ask.ts';
import type { UserRepository } from '../repository.ts';

/** Where an empty file was never added, the repository may lack its blob. */
export const writeEmptyBlob = async (repository: UserRepository): Promise<void> => {
  await askGit(repository.top, ['hash-object', '-w', '--stdin', '--no-filters'], []);
};
