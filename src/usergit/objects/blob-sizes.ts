import { askGit } from '../ask.ts';
import type { UserRepository } from '../repository.ts';
import { fetchesWhatIsMissing } from './partial-clone.ts';

/**
 * The size of each of these objects in the user's repository; NaN for one it can't tell. None is told for a partial clone,
 * where asking for a missing object would make git fetch it, nor where objects are replaced by others (`git replace`):
 * there a file may have been checked out from another blob than its entry names.
 */
export const blobSizes = async (repository: UserRepository, ids: readonly string[]): Promise<Float64Array> => {
  const unknown = new Float64Array(ids.length).fill(Number.NaN);
  if (ids.length === 0 || (await fetchesWhatIsMissing(repository)) || (await replacesObjects(repository))) return unknown;
  const { stdout } = await askGit(
    repository.top,
    ['--no-replace-objects', 'cat-file', '--buffer', '--batch-check=%(objectsize)'],
    [128],
    Buffer.from(`${ids.join('\n')}\n`, 'latin1'),
  );
  return fillIn(unknown, stdout);
};

/** One line for each id, in order: a number, or words that say why not. An answer cut short leaves the rest unknown. */
const fillIn = (sizes: Float64Array, answer: Buffer): Float64Array => {
  let line = 0;
  let size = 0;
  for (const byte of answer) {
    if (byte === 0x0a) {
      sizes[line++] = size;
      size = 0;
    } else {
      size = byte >= 0x30 && byte <= 0x39 ? size * 10 + byte - 0x30 : Number.NaN;
    }
  }
  return sizes;
};

const replacesObjects = async (repository: UserRepository): Promise<boolean> => {
  const { code, stdout } = await askGit(repository.top, ['for-each-ref', '--count=1', '--format=%(refname)', 'refs/replace/'], [128, 129]);
  return code !== 0 || stdout.length > 0;
};
