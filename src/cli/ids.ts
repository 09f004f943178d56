import { shortestId, type Workspace } from '../engine/index.ts';
import { type OperationId, shortId } from '../model/index.ts';

let shorten: (id: OperationId) => string = shortId;

/** During some work ids are shown as long as it takes to tell them apart in this workspace. */
export const withIdsOf = async <T>(workspace: Workspace, work: () => Promise<T>): Promise<T> => {
  shorten = (id) => shortestId(workspace, id);
  try {
    return await work();
  } finally {
    shorten = shortId;
  }
};

/** As much of an operation's id as names it, and nothing else here. */
export const shownId = (id: OperationId): string => shorten(id);
