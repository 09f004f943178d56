import { now } from '../../host/index.ts';
import type { Checkpoint, Recorded, SessionId } from '../../model/index.ts';
import { stepStatusAt } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { keepsInForce } from '../keep/own-commits.ts';
import { reachabilityByLine } from '../recover/reachability.ts';

/** What became of a session's work (GIT-4). */
type SessionStatus =
  /** Some of it is neither kept nor rolled back. */
  | 'active'
  /** All that was not rolled back is in commits. */
  | 'kept'
  | 'rolled-back'
  /** It was rolled back, and a part of it brought back since. */
  | 'partially-recovered';

interface WorkCounts {
  /** All that were recorded, on whatever branch. */
  readonly steps: number;
  readonly kept: number;
  readonly rolledBack: number;
  /** Rolled back once, and brought back since. */
  readonly recovered: number;
}

export interface SessionOutcome {
  readonly status: SessionStatus;
  readonly work: WorkCounts;
  /** When the first of what was rolled back may be given up; null where nothing was, or it is kept for ever. */
  readonly expiresAt: string | null;
}

/** Tells of each session what became of its work. */
export const readOutcomes = (workspace: Workspace): ((session: SessionId) => SessionOutcome) => {
  if (!workspace.isProtected) return () => outcomeOf(NOTHING);
  const { index } = workspace;
  const reachabilityIn = reachabilityByLine(workspace);
  const lines = [null, ...index.importedLines()];
  const kept = new Set(lines.flatMap((line) => keepsInForce(workspace, { line })).flatMap(({ steps }) => steps));
  const counts = new Map<SessionId, WorkCounts>();
  const ends = new Map<SessionId, string>();
  const days = workspace.settings['retention.rolledBackDays'];
  for (const step of index.steps()) {
    const reachability = reachabilityIn(step.line);
    const before = counts.get(step.session) ?? NOTHING;
    // Where only a part of a record was left, it counts whether that is the step's own.
    const record =
      reachability.leftOf(step.id).length === 0 ? undefined : (index.get(step.id)?.operation as Recorded<Checkpoint> | undefined);
    const recordStatus = reachability.statusOf(record ?? step);
    // What is on another branch of the conversation is not taken back.
    const isBack = recordStatus.is === 'left' && recordStatus.by.kind !== 'switch';
    const end = isBack ? stepStatusAt(now(), recordStatus, days).expiresAt : null;
    if (end !== null && end < (ends.get(step.session) ?? LAST)) ends.set(step.session, end);
    counts.set(step.session, {
      steps: before.steps + 1,
      kept: before.kept + Number(recordStatus.is !== 'left' && kept.has(step.id)),
      rolledBack: before.rolledBack + Number(isBack),
      recovered: before.recovered + Number(recordStatus.is === 'recovered'),
    });
  }
  return (session) => outcomeOf(counts.get(session) ?? NOTHING, ends.get(session));
};

/** After every date that is told. */
const LAST = '~';

const NOTHING: WorkCounts = { steps: 0, kept: 0, rolledBack: 0, recovered: 0 };

const outcomeOf = (work: WorkCounts, expiresAt: string | null = null): SessionOutcome => ({ status: statusOf(work), work, expiresAt });

const statusOf = ({ steps, kept, rolledBack, recovered }: WorkCounts): SessionStatus => {
  if (steps > 0 && rolledBack === steps) return 'rolled-back';
  if (recovered > 0 && rolledBack > 0) return 'partially-recovered';
  return kept > 0 && kept + rolledBack === steps ? 'kept' : 'active';
};
