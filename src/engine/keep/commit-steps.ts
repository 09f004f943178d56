import { join } from 'node:path';
import { effects, now, readIfExists, replaceFile } from '../../host/index.ts';
import { type AgentEventKind, isCheckpoint, RetakeError, type SessionId } from '../../model/index.ts';
import type { WorkStep } from '../../timeline/index.ts';
import { findRepository, indexedEntry, moveHead, refreshIndex, writeUnsignedCommit } from '../../usergit/index.ts';
import { OpenSteps } from '../open-steps.ts';
import { type SessionWork, workOf } from '../recover/session-work.ts';
import type { Workspace } from '../workspace.ts';
import { indexMoves, settleIndex } from './keep-index.ts';
import { type KeepJournal, removeKeepJournal, writeKeepJournal } from './keep-journal.ts';
import { type PreparedKeep, readyRepository, withReplayed } from './keep-plan.ts';
import { type KeepUnits, stepsToKeep, stepUnit } from './keep-units.ts';
import { keepsInForce } from './own-commits.ts';
import { idsOf, treesOf } from './planned-trees.ts';
import { recordStepKeep } from './record-step-keep.ts';

/** After these, something of the agent's may be in no commit yet. */
const ENDS: ReadonlySet<AgentEventKind> = new Set(['after-step', 'turn-end', 'prompt', 'session-end']);

/** More that wait become one commit: somebody may be waiting for us. */
const MOST_AT_ONCE = 5;

/** Why steps could not be committed, the last time that it was tried. */
export interface StepsLeft {
  readonly at: string;
  readonly reason: string;
  /** Those that were recorded later were not tried yet. */
  readonly through: number;
}

/**
 * Puts what a session's agent did and is in no commit yet on the user's branch, a commit for each step (GIT-1, history mode `branch`). All
 * of it is taken from the records, so that whatever happens to the files meanwhile is not in it. What is in the way is noted for the
 * status; those steps are taken along with the next one.
 */
export const commitSteps = async (workspace: Workspace, session: SessionId, after: AgentEventKind): Promise<void> => {
  if (workspace.settings['history.mode'] !== 'branch' || !ENDS.has(after) || findRepository(workspace.root) === undefined) return;
  await workspace.write(async () => {
    const work = workOf(workspace, session, { isBrief: true });
    const before = readStepsLeft(workspace);
    const steps = stepsToKeep(work, keepsInForce(workspace, { session }));
    const through = before?.through ?? 0;
    const groups = together(
      workspace,
      steps.filter(({ sequence }) => sequence > through),
    ).filter(isOver(workspace, session, after));
    const waiting = steps.filter(({ sequence }) => sequence <= through);
    try {
      await commitAll(workspace, work, [...waiting, ...groups.slice(0, -MOST_AT_ONCE).flat()], groups.slice(-MOST_AT_ONCE));
      effects.removeTree(leftPath(workspace));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      noteLeft(workspace, { at: now().toISOString(), reason, through: Math.max(through, groups.at(-1)?.at(-1)?.sequence ?? 0) });
      throw error;
    }
  });
};

/** Steps that ran at the same time share what they changed. */
const together = ({ index }: Workspace, steps: readonly WorkStep[]): WorkStep[][] => {
  const groups: WorkStep[][] = [];
  for (const step of steps) {
    const operation = index.get(step.checkpoint)?.operation;
    const began = operation !== undefined && isCheckpoint(operation) ? operation.event?.began : undefined;
    const last = groups.at(-1);
    if (last !== undefined && began !== undefined && began < (last.at(-1)?.sequence ?? 0)) last.push(step);
    else groups.push([step]);
  }
  return groups;
};

/** Not while a step that ran beside them still does; but the end of a turn waits for nobody. */
const isOver = (workspace: Workspace, session: SessionId, after: AgentEventKind): ((group: readonly WorkStep[]) => boolean) => {
  const began = after === 'after-step' ? new OpenSteps(workspace).firstBegun(session) : Number.POSITIVE_INFINITY;
  return (group) => (group.at(-1)?.sequence ?? 0) <= began;
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
  for (const group of areTogether || waiting.length === 0 ? others : [first, ...others]) await isDone(group);
  if (problems[0] !== undefined) throw problems[0];
};

const commitUnit = async (workspace: Workspace, units: KeepUnits): Promise<void> => {
  const { around, head } = await readyRepository(workspace);
  const batch = workspace.store.objects.begin();
  const ground = { around, head, onto: head.commit, batch, pushTo: null };
  try {
    await withReplayed(workspace, ground, units, (prepared) => commit(workspace, prepared));
  } catch (error) {
    // Nothing that belongs in a commit was changed.
    if (!(error instanceof RetakeError) || error.code !== 'nothing-to-keep') throw error;
  }
};

/** Without the user's hooks, which could hold things up or ask: they are in force when the person keeps the work. */
const commit = async (workspace: Workspace, prepared: PreparedKeep): Promise<void> => {
  const { plan, around, units, indexed, staged, draft } = prepared;
  const { repository } = around;
  const [unit] = units.map((replayed) => replayed.unit);
  const [tree] = await treesOf(workspace, prepared, units);
  if (unit === undefined || tree === undefined) return;
  const made = await writeUnsignedCommit(repository, tree, plan.head.commit, unit.message);
  const final = await draft.entries();
  const paths = units.flatMap(({ changes }) => changes.map(({ path }) => around.fromTop(path)));
  const moves = indexMoves(new Set(paths), staged, indexedEntry(repository, indexed), (path) => final.get(path));
  const journal: KeepJournal = {
    session: plan.session,
    head: plan.head,
    commits: [{ message: unit.message, steps: idsOf([unit]), checkpoint: unit.checkpoint }],
    settled: [],
    moves,
    through: workspace.index.newestContent()?.sequence ?? 0,
    all: false,
    mode: 'step',
  };
  writeKeepJournal(workspace, journal);
  try {
    await settleIndex(repository, moves, ({ to }) => to ?? undefined);
    await moveHead(repository, plan.head.commit, made, `retake: ${unit.message.split('\n', 1)[0]}`);
  } catch (error) {
    await settleIndex(repository, moves, ({ from }) => from ?? undefined);
    removeKeepJournal(workspace);
    throw error;
  }
  await refreshIndex(repository);
  await recordStepKeep(workspace, journal, [made]);
  removeKeepJournal(workspace);
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
