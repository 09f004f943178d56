import type { ComparedState, Difference, DiffResult, OwnedFile, ShownFile } from '../engine/index.ts';
import { pathFields, stateName } from '../model/index.ts';
import { cutJson, hunkJson } from './hunks.ts';

const fileJson = ({ path, status, insertions, deletions, binary }: DiffResult['files'][number]) => ({
  ...pathFields(path),
  status,
  insertions,
  deletions,
  binary,
});

/** A file that a record changed, with those that may have done it. */
export const ownedFileJson = ({ by, owners = [], ...file }: OwnedFile) => ({ ...fileJson(file), by, owners: owners.map(({ id }) => id) });

/** A file with its lines, where they are wanted. */
export const shownFileJson = ({ file, seen }: ShownFile) => ({
  ...fileJson(file),
  ...(seen === null ? {} : { hunks: seen.hunks.map((hunk) => hunkJson(hunk, seen.window)), ...cutJson(seen) }),
});

export const diffJson = (files: DiffResult['files']) => ({
  files: files.map(fileJson),
  stats: {
    files: files.length,
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  },
});

/** What is compared. */
export const sidesJson = ({ from, to }: Difference) => ({ from: from && sideJson(from), to: sideJson(to) });

const sideJson = ({ id, commit, state }: ComparedState) => ({ id, commit: commit ?? null, tree: stateName(state) });
