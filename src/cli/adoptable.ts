import { basename } from 'node:path';
import { type Adoptable, listOffered, type Workspace } from '../engine/index.ts';
import { NOTHING_YET } from './advice.ts';
import { count, hint, oneLine } from './output.ts';

/** Why the records may be meant for this directory. */
const REASONS: Readonly<Record<Adoptable['because'], string>> = {
  moved: 'this directory, before it was moved',
  'same-repository': 'a repository with the same first commit, which is no longer there',
  replaced: 'another directory that was here',
  'set-aside': 'what gave way to other records here',
};

export const describeAdoptable = ({ root, because, checkpoints }: Adoptable): string =>
  `${count(checkpoints, 'checkpoint')} of ${oneLine(root)} (${REASONS[because]})`;

/** Where there are records that the directory may go on from, people are told. */
export const hintAdoptable = (offered: readonly Adoptable[]): void => {
  for (const one of offered)
    hint(`There are records that this directory can go on from, ${describeAdoptable(one)}: retake adopt ${basename(one.data)}`);
};

/** Where there is nothing to show. */
export const hintNothingYet = async (workspace: Workspace, otherwise = NOTHING_YET): Promise<void> => {
  const offered = await listOffered(workspace);
  if (offered.length > 0) hint('Nothing is recorded of this directory yet.');
  else hint(otherwise);
  hintAdoptable(offered);
};
