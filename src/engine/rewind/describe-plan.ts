import type { OperationId, Recorded, Rollback } from '../../model/index.ts';
import type { StepState } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type DescribedConflict, describeConflicts } from '../recover/conflicts.ts';
import { readStepStates } from '../recover/step-state.ts';
import { hunksOf, type NumberedHunk } from './hunks.ts';
import { type LeftByPlan, leftByPlan } from './left-by-plan.ts';
import { isIdle, type MeasuredStep, measureSteps, type RollbackPlan } from './plan.ts';
import { undoableUntil } from './undoable-until.ts';

/** A plan with what it means for a reader. */
export interface DescribedPlan {
  readonly plan: RollbackPlan;
  readonly steps: readonly MeasuredStep[];
  readonly conflicts: readonly DescribedConflict[];
  readonly replays: readonly DescribedReplay[];
  /** Step by step, when asked for. */
  readonly hunks: readonly (readonly NumberedHunk[])[] | null;
  readonly left: LeftByPlan;
  /** What somebody noted on where it goes; null also where the plan is about something else. */
  readonly note: string | null;
  /** Until when it can be undone; null where it changes nothing, or that never ends. */
  readonly undoableUntil: string | null;
}

/** A change that is taken in or out. */
export interface DescribedReplay {
  readonly id: OperationId;
  readonly description: string;
  /** Null for what is no step of an agent. */
  readonly state: StepState | null;
  readonly expiresAt: string | null;
  /** `later`: it comes after one that has to be finished by hand first. */
  readonly applies: 'cleanly' | 'with-conflicts' | 'later';
}

export const describePlan = (
  workspace: Workspace,
  plan: RollbackPlan,
  { patch = false, rollback }: { patch?: boolean | undefined; rollback?: Recorded<Rollback> | null } = {},
): DescribedPlan => ({
  plan,
  steps: measureSteps(workspace, plan.steps),
  conflicts: describeConflicts(workspace, plan),
  replays: describeReplays(workspace, plan),
  hunks: patch ? plan.steps.map((step) => hunksOf(workspace, plan, step)) : null,
  left: leftByPlan(workspace, plan, rollback),
  note: plan.subject === undefined && !plan.isUnrecorded ? (workspace.index.get(plan.target.id)?.note ?? null) : null,
  undoableUntil: isIdle(plan) ? null : undoableUntil(workspace, rollback?.createdAt),
});

const describeReplays = (workspace: Workspace, { verb, replay, conflicts, replayed }: RollbackPlan): DescribedReplay[] => {
  if (replay === undefined || verb === 'Merge') return [];
  const reachabilityOf = readStepStates(workspace);
  const inConflict = new Set(conflicts.flatMap(({ steps }) => steps));
  return replay.steps.map(({ id, title, commit }, at) => {
    const operation = workspace.index.get(id)?.operation;
    const { state = null, expiresAt = null } = commit?.reachability ?? (operation && reachabilityOf(operation)) ?? {};
    const applies = at >= replayed ? 'later' : inConflict.has(at) ? 'with-conflicts' : 'cleanly';
    return { id, description: title, state, expiresAt, applies };
  });
};
