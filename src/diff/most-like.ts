import type { BlobId, RelativePath } from '../model/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { Likeness } from './likeness.ts';
import { bestPairs, Pool } from './pairing.ts';

interface File {
  readonly path: RelativePath;
  readonly blob: BlobId;
}

/** Which of some files another one was most likely made of: with the same content, or with most of it. */
export const mostLike = (store: ObjectStore, files: readonly File[], wanted: File): File | undefined => {
  const same = files.filter(({ blob }) => blob === wanted.blob);
  const sized = <F extends File>(file: F) => ({ ...file, size: store.size(file.blob) });
  const to = sized(wanted);
  const likeness = new Likeness(store);
  const pairs = new Pool((same.length > 0 ? same : files).map(sized))
    .candidates(to)
    .map((from) => ({ from, to, likeness: likeness.of(from, to) }))
    .filter((pair) => pair.likeness > 0);
  return bestPairs(pairs)[0]?.from;
};
