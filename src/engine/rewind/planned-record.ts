import type { OperationId, Recorded, Rollback, RollbackKind } from '../../model/index.ts';
import { replayedIn } from '../recover/replay-request.ts';
import { limitsOf } from './hunks.ts';
import { type RollbackPlan, type RollbackRequest, scopeOf } from './plan.ts';
import { levelOfRequest } from './rollback-level.ts';

const KINDS: Readonly<Record<RollbackRequest['verb'], RollbackKind>> = {
  Rollback: 'rollback',
  Undo: 'undo',
  Redo: 'redo',
  Switch: 'switch',
  Merge: 'merge',
  Discard: 'discard',
  Revert: 'revert',
  Recover: 'recover',
};

export const kindOf = (verb: RollbackRequest['verb']): RollbackKind => KINDS[verb];

/** What the log says of a plan that is carried out: where it goes, and what it takes in or out. */
export const plannedRecord = (request: Omit<RollbackRequest, 'git' | 'outside'>, plan: RollbackPlan) => ({
  kind: kindOf(request.verb),
  target: request.target.id,
  level: levelOfRequest(request),
  scope: scopeOf(request),
  ...(request.undoes === undefined ? {} : { undoes: request.undoes.id }),
  ...replayedIn(request, plan),
  ...limitsOf(request),
});

/** The same as if it had been carried out now, to see what that would mean. */
export const asIfDone = (plan: RollbackPlan): Recorded<Rollback> => ({
  ...plannedRecord(plan, plan),
  id: 'planned' as OperationId,
  state: null,
  sequence: Number.MAX_SAFE_INTEGER,
  session: plan.target.session,
  createdAt: '',
  description: '',
  safety: plan.target.id,
  journal: '',
  outcome: 'complete',
  changed: plan.steps.length,
  leftAlone: [],
});
