import {
  type ConversationMove,
  type DescribedPlan,
  type DiffResult,
  type LogEntry,
  type NumberedHunk,
  type OwnedFile,
  type PathShare,
  type RollbackResult,
  scopeOf,
} from '../engine/index.ts';
import { isCheckpoint, isRollback, pathFields, type Recorded, type RecordedEvent, type RelativePath, toText } from '../model/index.ts';
import { gitJson, gitPlanJson } from './git.ts';

/** The shapes that `--json` promises (docs/cli.md). */
export const operationJson = ({ operation, name, note, pinned, counts, by, owners, rolledBack, standing, place, gitNews }: LogEntry) => ({
  id: operation.id,
  kind: operation.kind,
  session: operation.session,
  branch: place?.branch ?? null,
  turn: place?.number ?? eventOf(operation)?.turn ?? null,
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
  state: standing?.state ?? null,
  expiresAt: standing?.expiresAt ?? null,
  git: gitJson(operation, gitNews),
});

const eventOf = (operation: Recorded): RecordedEvent | undefined => (isCheckpoint(operation) ? operation.event : undefined);

const statusOf = (operation: Recorded): string => {
  if (isCheckpoint(operation)) return operation.status;
  return isRollback(operation) ? operation.outcome : 'complete';
};

const fileJson = ({ path, status, insertions, deletions, binary }: DiffResult['files'][number]) => ({
  ...pathFields(path),
  status,
  insertions,
  deletions,
  binary,
});

/** A file that a record changed, with those that may have done it. */
export const ownedFileJson = ({ by, owners = [], ...file }: OwnedFile) => ({ ...fileJson(file), by, owners: owners.map(({ id }) => id) });

export const diffJson = (files: DiffResult['files']) => ({
  files: files.map(fileJson),
  stats: {
    files: files.length,
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  },
});

export const planJson = ({ plan, steps, conflicts, replays, hunks }: DescribedPlan) => ({
  target: plan.target.id,
  operations: steps.map(({ type, path, lines, size }, at) => ({
    type,
    ...pathFields(path),
    size,
    insertions: lines?.insertions ?? null,
    deletions: lines?.deletions ?? null,
    ...shareJson(plan.shares.find((share) => share.path === path)),
    ...(hunks === null ? {} : { hunks: hunks[at]?.map(hunkJson) }),
  })),
  stays: plan.shares
    .filter(({ path }) => !steps.some((step) => step.path === path))
    .map((share) => ({ ...pathFields(share.path), ...shareJson(share) })),
  kept: reasonsJson(plan.kept),
  inTheWay: reasonsJson(plan.inTheWay),
  conflicts: conflicts.map(({ path, ...conflict }) => ({ ...pathFields(path), ...conflict })),
  ...(replays.length === 0 ? {} : { steps: replays }),
  warnings: plan.warnings,
  goesBack: { ...plan.goesBack, messages: plan.conversation?.messages ?? 0 },
  scope: scopeOf(plan),
  git: plan.git === undefined ? null : gitPlanJson(plan.git),
  conversation: plan.conversation === undefined ? null : conversationJson(plan.conversation),
  expectedTree: plan.expectedTree,
});

/** Who changed a path since the target; nothing where nobody is known. */
const shareJson = (share: PathShare | undefined) => (share === undefined ? {} : { by: share.by, sessions: share.sessions });
const hunkJson = ({ path: _, lines, ...hunk }: NumberedHunk) => ({ ...hunk, lines: lines.map(toText) });

/** The session to be written has no id yet that anybody could rely on before it is there. */
const conversationJson = ({ agent, from, messages, turns, prompt }: ConversationMove) => ({ agent, from, messages, turns, prompt });

export const rollbackJson = ({ plan, rollback, safety, resume }: RollbackResult, described: DescribedPlan) => ({
  ...planJson(described),
  rollbackId: rollback?.id ?? null,
  safetyCheckpoint: safety?.id ?? null,
  ...(rollback?.left === undefined ? {} : { left: { steps: rollback.left.steps, marked: rollback.left.marked.map(pathFields) } }),
  sessionId: plan.conversation?.to ?? null,
  resume,
});

export const reasonsJson = (list: readonly { readonly path: RelativePath; readonly reason: string }[]) =>
  list.map(({ path, reason }) => ({ ...pathFields(path), reason }));
