import { digitsToTellApart, type OperationId } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** As much of an operation's id as people are shown: what they usually are, and more only where another one here begins the same. */
export const shortestId = (workspace: Workspace, id: OperationId): string =>
  id.slice(0, digitsToTellApart(id, workspace.isProtected ? workspace.index.idsLike(id) : []));
