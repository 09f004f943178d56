import { askGit } from './ask.ts';
import type { UserRepository } from './repository.ts';

const NO_SUCH_KEY = 1;

/** Settings by which git fetches objects that are missing, with commands that the repository names. */
const FETCHES_WHAT_IS_MISSING = '^(extensions\\.partialclone|remote\\..*\\.(promisor|partialclonefilter))$';

/**
 * The sizes of blobs in the user's repository; those it can't tell are left out. None are told for a partial clone, where
 * asking for a missing object would make git fetch it, nor where objects are replaced by others (`git replace`): there a
 * file may have been checked out from another blob than its entry names.
 */
export const blobSizes = async (repository: UserRepository, ids: Iterable<string>): Promise<Map<string, number>> => {
  const sizes = new Map<string, number>();
  const wanted = [...new Set(ids)];
  if (wanted.length === 0 || (await fetchesWhatIsMissing(repository)) || (await replacesObjects(repository))) return sizes;
  const { stdout } = await askGit(
    repository.top,
    ['--no-replace-objects', 'cat-file', '--buffer', '--batch-check=%(objectsize)'],
    [128],
    Buffer.from(`${wanted.join('\n')}\n`, 'latin1'),
  );
  const lines = stdout.toString('latin1').split('\n');
  wanted.forEach((id, i) => {
    // `<id> missing` is an answer too, and an answer cut short is none.
    const line = i < lines.length - 1 ? (lines[i] as string) : '';
    if (/^\d+$/.test(line)) sizes.set(id, Number(line));
  });
  return sizes;
};

const fetchesWhatIsMissing = async (repository: UserRepository): Promise<boolean> => {
  const { code } = await askGit(repository.top, ['config', '--get-regexp', FETCHES_WHAT_IS_MISSING], [NO_SUCH_KEY, 2, 3, 128, 129]);
  return code !== NO_SUCH_KEY;
};

const replacesObjects = async (repository: UserRepository): Promise<boolean> => {
  const { code, stdout } = await askGit(repository.top, ['for-each-ref', '--count=1', '--format=%(refname)', 'refs/replace/'], [128, 129]);
  return code !== 0 || stdout.length > 0;
};
