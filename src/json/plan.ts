import {
  type ConversationMove,
  type DescribedPlan,
  type LeftByPlan,
  type NumberedHunk,
  type PathShare,
  type RollbackResult,
  scopeOf,
} from '../engine/index.ts';
import { pathFields, toText } from '../model/index.ts';
import { gitPlanJson } from './git.ts';
import { reasonsJson } from './reasons.ts';

export const planJson = ({ plan, steps, conflicts, replays, hunks, left, note, undoableUntil }: DescribedPlan) => ({
  target: plan.target.id,
  note,
  codeRecorded: plan.isUnrecorded !== true,
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
  outside: {
    operations: plan.outside.steps.map(({ type, path }) => ({ type, path })),
    left: plan.outside.left,
  },
  kept: reasonsJson(plan.kept),
  setAside: plan.setAside.map(pathFields),
  inTheWay: reasonsJson(plan.inTheWay),
  conflicts: conflicts.map(({ path, ...conflict }) => ({ ...pathFields(path), ...conflict })),
  ...(replays.length === 0 ? {} : { steps: replays }),
  warnings: plan.warnings,
  running: plan.running,
  leavesBehind: leftJson(left),
  goesBack: { ...plan.goesBack, messages: plan.conversation?.messages ?? 0 },
  scope: scopeOf(plan),
  keepMine: plan.keepsMine === true,
  git: plan.git === undefined ? null : gitPlanJson(plan.git),
  conversation: plan.conversation === undefined ? null : conversationJson(plan.conversation),
  expectedTree: plan.expectedTree,
  undoableUntil,
});

/** The steps and the named or noted checkpoints that do not lead to the present any more. */
const leftJson = ({ steps, marked }: LeftByPlan) => ({
  steps: steps.map(({ id, session, description, createdAt, event }) => ({
    id,
    session,
    description,
    createdAt,
    tool: event?.place.tool ?? null,
    agentId: event?.place.agentId ?? null,
    agentType: event?.place.agentType ?? null,
  })),
  checkpoints: marked.map(({ checkpoint: { id, session, kind, description, createdAt }, name, note }) => ({
    id,
    session,
    kind,
    description,
    createdAt,
    name,
    note,
  })),
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
