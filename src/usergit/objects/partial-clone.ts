import { askGit } from '../ask.ts';
import type { UserRepository } from '../repository.ts';

const NO_SUCH_KEY = 1;

/** Settings by which git fetches objects that are missing, with commands that the repository names. */
const FETCHES_WHAT_IS_MISSING = '^(extensions\\.partialclone|remote\\..*\\.(promisor|partialclonefilter))$';

/** Whether objects may be missing on purpose, to be fetched when they are needed. */
export const fetchesWhatIsMissing = async (repository: UserRepository): Promise<boolean> => {
  const { code } = await askGit(repository.top, ['config', '--get-regexp', FETCHES_WHAT_IS_MISSING], [NO_SUCH_KEY, 2, 3, 128, 129]);
  return code !== NO_SUCH_KEY;
};
