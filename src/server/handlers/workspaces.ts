import { type Place, readOverview } from '../../engine/index.ts';
import { toText } from '../../model/index.ts';
import type { HandlersOf, Shared } from '../handler.ts';
import { pageOf } from '../page.ts';
import { problemOf } from '../problem.ts';
import { idOf, isThere } from '../workspaces.ts';

export const workspaceHandlers: HandlersOf<'listWorkspaces'> = {
  listWorkspaces: async ({ query, shared }) => {
    const { items, total, next } = pageOf(shared.workspaces.list(), idOf, query);
    const workspaces = [];
    // One after the other: there are only so many that can be open at once.
    for (const place of items) workspaces.push(await describe(place, shared));
    return { workspaces, total, next };
  },
};

const NOTHING = { isProtected: false, checkpoints: 0, rollbacks: 0, newest: null };

/** One that can not be read keeps nobody from the others. */
const describe = async (place: Place, { workspaces }: Shared) => {
  const { root, data } = place;
  const known = { id: idOf(place), root: toText(root), isThere: isThere(place), isDefault: workspaces.served?.data === data };
  try {
    const { workspace, release } = await workspaces.lease(place);
    try {
      const { protected: isProtected, checkpoints, rollbacks, newest } = readOverview(workspace);
      return { ...known, isProtected, checkpoints, rollbacks, newest, problem: null };
    } finally {
      release();
    }
  } catch (error) {
    return { ...known, ...NOTHING, problem: problemOf(error).answer.error.message };
  }
};
