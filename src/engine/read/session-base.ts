import type { OperationId, SessionId } from '../../model/index.ts';
import { knownSession, notRecorded } from '../conversation/session-named.ts';
import type { Workspace } from '../core/workspace.ts';
import { startOf } from '../recover/session-work.ts';
import { type CheckpointEntry, describeCheckpoint } from './session-checkpoints.ts';

/** Where a session began, and what its agent changed since. */
export interface SessionBase {
  readonly session: SessionId;
  readonly checkpoint: CheckpointEntry;
  /** Its steps that changed something, newest first. */
  readonly steps: readonly OperationId[];
}

/** The base of a session by its id or the first characters of it. */
export const readBase = (workspace: Workspace, address: string): SessionBase => {
  const session = knownSession(workspace, address);
  const first = workspace.isProtected ? workspace.index.firstCheckpointOf(session) : undefined;
  if (first === undefined) throw notRecorded(session);
  const steps = workspace.index.steps().filter((step) => step.session === session && step.sequence >= first.sequence);
  return { session, checkpoint: describeCheckpoint(workspace, startOf(workspace, first)), steps: steps.map(({ id }) => id).reverse() };
};
