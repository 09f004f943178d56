import type { DiffResult, OwnedFile } from '../engine/index.ts';
import { pathFields } from '../model/index.ts';

const fileJson = ({ path, status, insertions, deletions, binary }: DiffResult['files'][number]) => ({
  ...pathFields(path),
  status,
  insertions,
  deletions,
  binary,
});

/** A file that a record changed, with those that may have done it. */
export const ownedFileJson = ({ by, owners = [], ...file }: OwnedFile) => ({ ...fileJson(file), by, owners: owners.map(({ id }) => id) });

export const diffJson = (files: DiffResult['files']) => ({
  files: files.map(fileJson),
  stats: {
    files: files.length,
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  },
});
