import { isCheckpoint, lineOf, type OperationId, RetakeError, type SessionId } from '../../model/index.ts';
import { attributeChanges, changesBy, effective, isStep } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { reachabilityOf } from './reachability.ts';
import { readAll } from './session-work.ts';

/** All that a session did and that was rolled back since, oldest first; what is on another branch was not (GIT-6). */
export const rolledBackSteps = (workspace: Workspace, session: SessionId): OperationId[] => {
  const first = workspace.isProtected ? workspace.index.firstEvent(session) : undefined;
  const line = first === undefined ? null : lineOf(first);
  const operations = workspace.isProtected ? readAll(workspace, { line }) : [];
  const work = effective(changesBy(attributeChanges(operations), (actor) => actor.session === session));
  const changing = new Set(work.flatMap(({ standsFor }) => standsFor));
  const reachability = reachabilityOf(workspace, { line });
  const found = operations.filter((operation) => {
    if (operation.session !== session || !isCheckpoint(operation) || !isStep(operation) || !changing.has(operation.id)) return false;
    const status = reachability.statusOf(operation);
    return status.is === 'left' && status.by.kind !== 'switch';
  });
  if (found.length > 0) return found.map(({ id }) => id);
  throw new RetakeError('nothing-to-recover', `Nothing that session ${session} changed is rolled back`, {
    hint: 'retake log lists what was rolled back.',
  });
};
