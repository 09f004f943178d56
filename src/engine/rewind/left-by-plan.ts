import { type Checkpoint, isCheckpoint, isRollback, type Recorded, type Rollback } from '../../model/index.ts';
import { isStep } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { reachabilityOf } from '../recover/reachability.ts';
import type { RollbackPlan } from './plan.ts';
import { asIfDone } from './planned-record.ts';

/** A checkpoint that somebody gave a name or a note. */
interface MarkedCheckpoint {
  readonly checkpoint: Recorded<Checkpoint>;
  readonly name: string | null;
  readonly note: string | null;
}

/** What leads to the present and would not any more; newest first. */
export interface LeftByPlan {
  readonly steps: readonly Recorded<Checkpoint>[];
  readonly marked: readonly MarkedCheckpoint[];
}

/** What a plan leaves behind; or what it left, where it is carried out already. */
export const leftByPlan = (workspace: Workspace, plan: RollbackPlan, done?: Recorded<Rollback> | null): LeftByPlan => {
  if (!workspace.isProtected || plan.keepsCode) return { steps: [], marked: [] };
  const { index } = workspace;
  const upTo = done == null ? Number.POSITIVE_INFINITY : done.sequence - 1;
  const now = reachabilityOf(workspace, { upTo });
  const then = reachabilityOf(workspace, { upTo, planned: [done ?? asIfDone(plan)] });
  const entries = index
    .list({ from: firstToLeave(workspace, plan, now.leftAfter(plan.target)), line: null })
    .flatMap(({ operation, name, note }) =>
      isCheckpoint(operation) && operation.kind !== 'safety' && operation.sequence <= upTo ? [{ checkpoint: operation, name, note }] : [],
    );
  const steps = entries.map(({ checkpoint }) => checkpoint).filter(isStep);
  return {
    steps: steps.filter((step) => now.statusOf(step).is !== 'left' && then.statusOf(step).is === 'left'),
    marked: entries
      .filter(({ name, note }) => name !== null || note !== null)
      .filter(({ checkpoint }) => now.isOnTheWay(checkpoint) && !then.isOnTheWay(checkpoint)),
  };
};

/** The number of the first record that may be left: none before where the present and the target part, nor before what is taken out. */
const firstToLeave = ({ index }: Workspace, { target, undoes, replay }: RollbackPlan, parting: number | undefined): number => {
  if (replay !== undefined) {
    const taken = replay.steps.flatMap(({ standsFor }) => standsFor.map((id) => index.get(id)?.operation.sequence ?? 0));
    return Math.min(Number.MAX_SAFE_INTEGER, ...taken);
  }
  return Math.min(target.sequence, parting ?? target.sequence, undoes === undefined ? target.sequence : whereItWent(index, undoes));
};

/** Where that went which an undo, or an undo of one, is about. */
const whereItWent = (index: Workspace['index'], rollback: Recorded<Rollback>): number => {
  const undone = rollback.undoes && index.get(rollback.undoes)?.operation;
  if (undone !== undefined && isRollback(undone)) return whereItWent(index, undone);
  return index.get(rollback.target)?.operation.sequence ?? 0;
};
