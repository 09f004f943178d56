import { join } from 'node:path';
import { effects, now, readIfExists, replaceFile } from '../host/index.ts';
import { type AgentEventKind, RetakeError, type SessionId } from '../model/index.ts';
import { findRepository, indexedEntry, moveHead, refreshIndex, writeUnsignedCommit } from '../usergit/index.ts';
import { indexMoves, settleIndex } from './keep-index.ts';
import { type KeepJournal, removeKeepJournal, writeKeepJournal } from './keep-journal.ts';
import { type PreparedKeep, readyRepository, withReplayed } from './keep-plan.ts';
import { stepUnit } from './keep-units.ts';
import { OpenSteps } from './open-steps.ts';
import { keepsInForce } from './own-commits.ts';
import { idsOf, treesOf } from './planned-trees.ts';
import { recordStepKeep } from './record-step-keep.ts';
import { workOf } from './session-work.ts';
import type { Workspace } from './workspace.ts';

/** After these, something of the agent's may be in no commit yet. */
const ENDS: ReadonlySet<AgentEventKind> = new Set(['after-step', 'turn-end', 'prompt', 'session-end']);

/** Why steps could not be committed, the last time that it was tried. */
export interface StepsLeft {
  readonly at: string;
  readonly reason: string;
}

/**
 * Puts what a session's agent did and is in no commit yet on the user's branch, as one commit (GIT-1, history mode `branch`). All of it is
 * taken from the records, so that whatever happens to the files meanwhile is not in it. What is in the way is noted for the status; the
 * steps are taken along the next time.
 */
export const commitSteps = async (workspace: Workspace, session: SessionId, after: AgentEventKind): Promise<void> => {
  if (workspace.settings['history.mode'] !== 'branch' || !ENDS.has(after) || findRepository(workspace.root) === undefined) return;
  try {
    await workspace.write(() => commitOrWait(workspace, session, after));
  } catch (error) {
    noteLeft(workspace, { at: now().toISOString(), reason: error instanceof Error ? error.message : String(error) });
    throw error;
  }
};

/** Steps that run at the same time share what they change: they go into one commit when the last of them has ended. */
const commitOrWait = async (workspace: Workspace, session: SessionId, after: AgentEventKind): Promise<void> => {
  if (after === 'after-step' && new OpenSteps(workspace).has(session)) return;
  try {
    await commitUnit(workspace, session);
  } catch (error) {
    if (!(error instanceof RetakeError) || error.code !== 'conflicts') throw error;
    // What an earlier step left behind need not hold up those after it.
    await commitUnit(workspace, session, { isLast: true });
    throw error;
  }
  effects.removeTree(leftPath(workspace));
};

const commitUnit = async (workspace: Workspace, session: SessionId, which: { isLast?: boolean } = {}): Promise<void> => {
  const keeps = keepsInForce(workspace, session);
  const units = stepUnit(workspace, workOf(workspace, session, { isBrief: true }), keeps, which);
  if (units === undefined) return;
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
