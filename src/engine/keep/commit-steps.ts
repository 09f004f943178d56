import { join } from 'node:path';
import { effects, now, readIfExists, replaceFile } from '../../host/index.ts';
import { type AgentEventKind, type OperationId, RetakeError, type SessionId } from '../../model/index.ts';
import type { WorkStep } from '../../timeline/index.ts';
import { findRepository } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type SessionWork, workOf } from '../recover/session-work.ts';
import { commitUnit } from './commit-unit.ts';
import { committingSince } from './committing-since.ts';
import { stepsToKeep, stepUnit } from './keep-units.ts';
import { keepsInForce } from './own-commits.ts';
import { batchesOf, type CommitTime } from './step-batches.ts';

/** After these, something of the agent's may be in no commit yet. */
const ENDS: ReadonlySet<AgentEventKind> = new Set(['after-step', 'turn-end', 'prompt', 'session-end']);

export const isWorkOver = (after: AgentEventKind): boolean => ENDS.has(after);

/** More that wait become one commit: whoever goes back waits for all of them. */
const MOST_AT_ONCE = 50;

/** Why steps could not be committed, the last time that it was tried. */
export interface StepsLeft {
  readonly at: string;
  readonly reason: string;
  /** Those that were recorded later were not tried yet. */
  readonly through: number;
}

/**
 * Puts what a session's agent did and is in no commit yet on the user's branch, a commit for each batch of steps (GIT-1, history mode
 * `branch`). All of it is taken from the records, so that whatever happens to the files meanwhile is not in it, and others may record. What
 * is in the way is noted for the status; those steps are taken along with the next ones. Answers in how many milliseconds more is due; null
 * when that depends on what comes. Needs the commit lock.
 */
export const commitSteps = async (workspace: Workspace, session: SessionId, time: CommitTime): Promise<number | null> => {
  if (workspace.settings['history.mode'] !== 'branch' || !isWorkOver(time.after) || findRepository(workspace.root) === undefined)
    return null;
  const { work, waiting, batches, dueIn, through } = await workspace.write(() => pendingSteps(workspace, session, time));
  const last = batches.at(-1)?.at(-1)?.sequence;
  if (last === undefined) return dueIn;
  try {
    await commitAll(workspace, work, [...waiting, ...batches.slice(0, -MOST_AT_ONCE).flat()], batches.slice(-MOST_AT_ONCE));
    effects.removeTree(leftPath(workspace));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    noteLeft(workspace, { at: now().toISOString(), reason, through: Math.max(through, last) });
    throw error;
  }
  return dueIn;
};

/** The sessions that have recorded something that is in no commit yet and might have to be: mostly one, or none. */
export const sessionsToCommit = (workspace: Workspace): SessionId[] => {
  if (workspace.settings['history.mode'] !== 'branch' || !workspace.isProtected) return [];
  const { index } = workspace;
  const since = committingSince(workspace);
  const newest = new Map<SessionId, OperationId>();
  for (const { id, session, sequence, line } of index.steps()) if (line === null && sequence > since) newest.set(session, id);
  const isCommitted = ([session, id]: [SessionId, OperationId]): boolean => index.keeps(session).some(({ steps }) => steps.includes(id));
  return [...newest].filter((step) => !isCommitted(step)).map(([session]) => session);
};

interface PendingSteps {
  readonly work: SessionWork;
  /** Those that could not be committed before. */
  readonly waiting: readonly WorkStep[];
  readonly batches: readonly (readonly WorkStep[])[];
  readonly dueIn: number | null;
  readonly through: number;
}

const pendingSteps = (workspace: Workspace, session: SessionId, time: CommitTime): PendingSteps => {
  const work = workOf(workspace, session, { isBrief: true });
  const since = committingSince(workspace);
  const steps = stepsToKeep(work, keepsInForce(workspace, { session })).filter(({ sequence }) => sequence > since);
  const through = readStepsLeft(workspace)?.through ?? 0;
  const isWaiting = ({ sequence }: WorkStep): boolean => sequence <= through;
  const newer = steps.filter((step) => !isWaiting(step));
  return { work, waiting: steps.filter(isWaiting), through, ...batchesOf(workspace, session, newer, time) };
};

/** What waits goes along with the first of the others. When that can't be, it need not hold those up. */
const commitAll = async (
  workspace: Workspace,
  work: SessionWork,
  waiting: readonly WorkStep[],
  [first = [], ...others]: readonly (readonly WorkStep[])[],
): Promise<void> => {
  const problems: RetakeError[] = [];
  const isDone = async (steps: readonly WorkStep[]): Promise<boolean> => {
    try {
      if (steps.length > 0) await commitUnit(workspace, stepUnit(workspace, work, steps));
      return true;
    } catch (error) {
      if (!(error instanceof RetakeError) || error.code !== 'conflicts') throw error;
      problems.push(error);
      return false;
    }
  };
  const areTogether = await isDone([...waiting, ...first]);
  for (const batch of areTogether || waiting.length === 0 ? others : [first, ...others]) await isDone(batch);
  if (problems[0] !== undefined) throw problems[0];
};

const leftPath = ({ data }: Workspace): string => join(data, 'steps-left.json');

const noteLeft = (workspace: Workspace, left: StepsLeft): void =>
  replaceFile(leftPath(workspace), Buffer.from(JSON.stringify(left)), { durability: workspace.settings.durability });

/** Null when the last try went well. */
export const readStepsLeft = (workspace: Workspace): StepsLeft | null => {
  try {
    return JSON.parse(readIfExists(leftPath(workspace))?.toString() ?? 'null') as StepsLeft | null;
  } catch {
    return null;
  }
};
