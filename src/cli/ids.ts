import { shortestId, type Workspace } from '../engine/index.ts';
import { type OperationId, shortId } from '../model/index.ts';

let shorten: (id: OperationId) => string = shortId;

/** From now on ids are shown as long as it takes to tell them apart in this workspace. */
export const showIdsOf = (workspace: Workspace): void => {
  shorten = (id) => shortestId(workspace, id);
};

/** As much of an operation's id as names it, and nothing else here. */
export const shownId = (id: OperationId): string => shorten(id);
