import type { ChangeCounts } from '../../index/index.ts';
import type { OperationId, Recorded, Rollback, RollbackKind, RollbackLevel, SessionId } from '../../model/index.ts';
import { knownSession } from '../conversation/session-named.ts';
import type { Workspace } from '../core/workspace.ts';
import { undoChain } from '../rewind/request.ts';
import { levelOf } from '../rewind/rollback-level.ts';
import { countsOf } from './record-changes.ts';

/** A rollback, or what took one back. */
export interface RollbackEntry {
  readonly rollback: Recorded<Rollback>;
  readonly level: RollbackLevel;
  /** Whom it concerns: the session whose record it went to, those whose conversation it moved, and those whose steps it took back or brought back. */
  readonly sessions: readonly SessionId[];
  readonly undoneBy: Recorded<Rollback> | undefined;
  readonly counts: ChangeCounts | null;
}

/** Which of them are meant. */
export interface RollbackFilter {
  /** By its id or the first characters of it. */
  readonly session?: string | undefined;
  readonly level?: RollbackLevel | undefined;
  readonly type?: RollbackKind | undefined;
}

/** Every rollback, undo and redo, newest first. */
export const readRollbacks = (workspace: Workspace, { session, level, type }: RollbackFilter = {}): RollbackEntry[] => {
  const meant = session === undefined ? undefined : knownSession(workspace, session);
  if (!workspace.isProtected) return [];
  const chain = undoChain(workspace);
  const sessionsOf = readConcerned(workspace);
  return workspace.index
    .rollbacks()
    .map(({ operation }) => operation as Recorded<Rollback>)
    .filter((rollback) => (level === undefined || levelOf(rollback) === level) && (type === undefined || rollback.kind === type))
    .map((rollback) => ({ rollback, sessions: sessionsOf(rollback) }))
    .filter(({ sessions }) => meant === undefined || sessions.includes(meant))
    .map(({ rollback, sessions }) => ({
      rollback,
      level: levelOf(rollback),
      sessions,
      undoneBy: chain.undoneBy(rollback.id),
      counts: countsOf(workspace, rollback),
    }));
};

const readConcerned = ({ index }: Workspace): ((rollback: Recorded<Rollback>) => SessionId[]) => {
  const steps = index.steps().filter(({ line }) => line === null);
  const sessionOf = new Map(steps.map(({ id, session }) => [id, session]));
  const known = new Map<OperationId, SessionId[]>();
  const sequenceOf = (id: OperationId): number => index.get(id)?.operation.sequence ?? Number.POSITIVE_INFINITY;
  const concerned = (rollback: Recorded<Rollback>): SessionId[] => {
    const { id, session, conversation, undoes, target, sequence } = rollback;
    const remembered = known.get(id);
    if (remembered !== undefined) return remembered;
    const undone = undoes === undefined ? undefined : (index.get(undoes)?.operation as Recorded<Rollback> | undefined);
    const from = sequenceOf(target);
    const touched =
      rollback.steps === undefined
        ? steps.filter((step) => step.sequence > from && step.sequence < sequence).map((step) => step.session)
        : rollback.steps.flatMap((step) => sessionOf.get(step) ?? []);
    const all = [session, conversation?.from, conversation?.to, ...touched, ...(undone === undefined ? [] : concerned(undone))];
    const sessions = [...new Set(all.filter((one) => one != null))];
    known.set(id, sessions);
    return sessions;
  };
  return concerned;
};
