import { now } from '../../host/index.ts';
import { type AgentEventKind, isCheckpoint, type SessionId } from '../../model/index.ts';
import type { WorkStep } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { OpenSteps } from '../record/open-steps.ts';

/** When commits of steps are made. */
export interface CommitTime {
  /** The last that was heard of the session. */
  readonly after: AgentEventKind;
  /** Whatever is over is due: nobody may be there to commit it later. */
  readonly isLast?: boolean;
}

interface Batches {
  /** Those that are due, oldest first: what is to become one commit each. */
  readonly batches: readonly (readonly WorkStep[])[];
  /** In how many milliseconds more is due; null when that depends on what comes. */
  readonly dueIn: number | null;
}

/** Sorts a session's steps, oldest first, into commits by `history.batch`. Needs the lock. */
export const batchesOf = (workspace: Workspace, session: SessionId, steps: readonly WorkStep[], time: CommitTime): Batches => {
  const over = overlapping(workspace, steps).filter(isOver(workspace, session, time));
  switch (workspace.settings['history.batch']) {
    case 'step':
      return { batches: over, dueIn: null };
    case 'turn':
      return { batches: byTurn(over.flat()).filter(isTurnOver(workspace, session, time)), dueIn: null };
    case 'interval':
      return inInterval(workspace, over.flat(), time);
  }
};

/** Steps that ran at the same time share what they changed. */
const overlapping = (workspace: Workspace, steps: readonly WorkStep[]): WorkStep[][] => {
  const groups: WorkStep[][] = [];
  for (const step of steps) {
    const began = recordOf(workspace, step)?.event?.began;
    const last = groups.at(-1);
    if (last !== undefined && began !== undefined && began < (last.at(-1)?.sequence ?? 0)) last.push(step);
    else groups.push([step]);
  }
  return groups;
};

/** Not while a step that ran beside them still does; but the end of a turn waits for nobody. */
const isOver = (workspace: Workspace, session: SessionId, { after }: CommitTime): ((group: readonly WorkStep[]) => boolean) => {
  const began = after === 'after-step' ? new OpenSteps(workspace).firstBegun(session) : Number.POSITIVE_INFINITY;
  return (group) => (group.at(-1)?.sequence ?? 0) <= began;
};

const byTurn = (steps: readonly WorkStep[]): WorkStep[][] => [...Map.groupBy(steps, ({ turn }) => turn).values()];

const isTurnOver = ({ index }: Workspace, session: SessionId, { after, isLast }: CommitTime): ((batch: readonly WorkStep[]) => boolean) => {
  const isEnded = isLast || after === 'turn-end' || after === 'session-end';
  const newest = index.countTurns(session);
  return ([first]) => isEnded || (first?.turn ?? 0) < newest;
};

const inInterval = (workspace: Workspace, steps: readonly WorkStep[], { after, isLast }: CommitTime): Batches => {
  const [first] = steps;
  if (first === undefined) return { batches: [], dueIn: null };
  const waited = now().getTime() - Date.parse(recordOf(workspace, first)?.createdAt ?? '');
  const dueIn = workspace.settings['history.batchSeconds'] * 1000 - waited;
  return isLast || after === 'session-end' || !(dueIn > 0) ? { batches: [steps], dueIn: null } : { batches: [], dueIn };
};

const recordOf = ({ index }: Workspace, { checkpoint }: WorkStep) => {
  const operation = index.get(checkpoint)?.operation;
  return operation !== undefined && isCheckpoint(operation) ? operation : undefined;
};
