import { isObjectId, type ObjectId } from '../../../model/index.ts';
import { ObjectStore } from '../../../store/index.ts';
import type { Workspace } from '../../workspace.ts';
import { checkHeld, heldPath } from '../check-held.ts';
import type { Aside } from './aside.ts';
import { mendObjectFiles } from './object-files.ts';
import { otherRepositories, readIfIntact } from './sources.ts';

/** Each round brings back what the last one found to be missing; what is missing below that shows in the next. */
const ROUNDS = 20;

/** Mends what we hold of the user's repository from what that still has. Needs the lock. */
export const mendHeld = async (workspace: Workspace, aside: Aside): Promise<void> => {
  const { durability } = workspace.settings;
  const directory = heldPath(workspace);
  const held = new ObjectStore(directory, { durability });
  const others = [...otherRepositories(workspace), workspace.store.objects];
  mendObjectFiles(directory, held, aside, durability);
  for (let round = 0, found = true; found && round < ROUNDS; round++) {
    found = false;
    for (const id of await missingIds(workspace)) {
      if (readIfIntact(held, id) !== undefined) continue;
      const object = others.map((other) => readIfIntact(other, id)).find((one) => one !== undefined);
      if (object === undefined) continue;
      held.place([{ id, ...object }]);
      found = true;
    }
  }
  held.close();
};

const missingIds = async (workspace: Workspace): Promise<ObjectId[]> => {
  const said = (await checkHeld(workspace)).join(' ');
  return [...new Set(said.match(/\b[0-9a-f]{40}\b/g) ?? [])].filter(isObjectId);
};
