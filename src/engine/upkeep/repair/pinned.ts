import { join } from 'node:path';
import { isObjectId, type ObjectId } from '../../../model/index.ts';
import { ObjectStore } from '../../../store/index.ts';
import type { Workspace } from '../../core/workspace.ts';
import { checkPinned, pinnedPath } from '../check-pinned.ts';
import type { Aside } from './aside.ts';
import { mendObjectFiles } from './object-files.ts';
import { findIn, otherRepositories, readIfIntact } from './sources.ts';

/** Each round brings back what the last one found to be missing; what is missing below that shows in the next. */
const ROUNDS = 20;

/** Mends what we hold of the user's repository from what that still has. Needs the lock. */
export const repairPinned = async (workspace: Workspace, aside: Aside): Promise<void> => {
  const { durability } = workspace.settings;
  const directory = pinnedPath(workspace);
  const held = new ObjectStore(directory, { durability });
  const others = [...otherRepositories(workspace), workspace.store.objects];
  const bringBack = (ids: readonly ObjectId[]): boolean => {
    const found = ids.filter((id) => readIfIntact(held, id) === undefined).flatMap((id) => findIn(others, id) ?? []);
    held.place(found);
    return found.length > 0;
  };
  bringBack(mendObjectFiles(directory, held, aside, durability));
  for (let round = 0; round < ROUNDS && bringBack(await missingIds(workspace)); round++);
  // A ref that names nothing keeps nothing.
  for (const line of await checkPinned(workspace)) {
    const ref = /^error: (refs\/held\/\S+): invalid sha1 pointer/.exec(line)?.[1];
    if (ref !== undefined) aside.move(join(directory, ref));
  }
  held.close();
};

const missingIds = async (workspace: Workspace): Promise<ObjectId[]> => {
  const said = (await checkPinned(workspace)).join(' ');
  return [...new Set(said.match(/\b[0-9a-f]{40}\b/g) ?? [])].filter(isObjectId);
};
