import type { LogEntry } from '../engine/index.ts';
import { isCheckpoint, isRollback, type Recorded, type RecordedEvent } from '../model/index.ts';
import { gitJson } from './git.ts';

/** An operation of the log. */
export const operationJson = ({
  operation,
  name,
  note,
  pinned,
  counts,
  by,
  owners,
  rolledBack,
  remaining,
  stepStatus: standing,
  turn,
  place,
  forkPoint,
  gitNews,
}: LogEntry) => ({
  id: operation.id,
  kind: operation.kind,
  session: operation.session,
  branch: place?.branch ?? null,
  turn,
  messageId: place?.prompt ?? null,
  agent: eventOf(operation)?.place.agent ?? null,
  tool: eventOf(operation)?.place.tool ?? null,
  toolUseId: eventOf(operation)?.place.toolUseId ?? null,
  agentId: eventOf(operation)?.place.agentId ?? null,
  agentType: eventOf(operation)?.place.agentType ?? null,
  description: operation.description,
  name,
  note,
  pinned,
  createdAt: operation.createdAt,
  ...(operation.imported === undefined ? {} : { imported: operation.imported }),
  files: counts,
  by,
  ...(owners === undefined ? {} : { owners }),
  status: statusOf(operation),
  rolledBack,
  remaining,
  state: standing?.state ?? null,
  expiresAt: standing?.expiresAt ?? null,
  forkPoint,
  git: gitJson(operation, gitNews),
});

const eventOf = (operation: Recorded): RecordedEvent | undefined => (isCheckpoint(operation) ? operation.event : undefined);

const statusOf = (operation: Recorded): string => {
  if (isCheckpoint(operation)) return operation.status;
  return isRollback(operation) ? operation.outcome : 'complete';
};
