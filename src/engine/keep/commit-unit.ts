import { join } from 'node:path';
import { RetakeError, sameHead } from '../../model/index.ts';
import {
  indexedEntry,
  indexStamp,
  moveHead,
  readGitState,
  readHead,
  refreshIndex,
  setIndexEntries,
  writeUnsignedCommit,
} from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { indexMoves, settleIndex } from './keep-index.ts';
import { type KeepJournal, removeKeepJournal, writeKeepJournal } from './keep-journal.ts';
import { type PreparedKeep, readyRepository, withReplayed } from './keep-plan.ts';
import type { KeepUnit, KeepUnits } from './keep-units.ts';
import { idsOf, treesOf } from './planned-trees.ts';
import { recordStepKeep } from './record-step-keep.ts';

/** Somebody used git meanwhile, so that what was prepared is void. */
class Overtaken extends Error {}

/** How often a commit is prepared anew before others have to wait for it. */
const MOST_TRIES = 3;

/**
 * Makes one commit, unless nothing that belongs in a commit was changed. What takes long is prepared while others record; the user's git is
 * changed under the workspace's lock, which takes a moment. Where that does not work out, all of it is done under the lock. Needs the commit
 * lock.
 */
export const commitUnit = async (workspace: Workspace, units: KeepUnits): Promise<void> => {
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    try {
      return await tryCommit(workspace, units, (work) => workspace.write(work));
    } catch (error) {
      const isPassing = error instanceof Overtaken || (error instanceof RetakeError && error.code === 'store-damaged');
      if (!isPassing) throw error;
    }
  }
  await workspace.write(() => tryCommit(workspace, units, (work) => work()));
};

const tryCommit = async (workspace: Workspace, units: KeepUnits, alone: (work: () => Promise<void>) => Promise<void>): Promise<void> => {
  const { around, head } = await readyRepository(workspace);
  const { repository } = around;
  const stamp = indexStamp(repository);
  const batch = workspace.store.objects.begin();
  const context = { around, head, onto: head.commit, batch, pushTo: null, draft: join(workspace.data, 'commit-draft') };
  const isOvertaken = async (): Promise<boolean> => {
    const { underWay } = readGitState(repository);
    const isBusy = underWay !== null && underWay !== 'bisect';
    return isBusy || indexStamp(repository) !== stamp || !sameHead(head, await readHead(repository));
  };
  try {
    await withReplayed(workspace, context, units, async (prepared) => {
      const made = await writeCommit(workspace, prepared);
      await alone(async () => {
        if (await isOvertaken()) throw new Overtaken('the repository changed meanwhile');
        await putOnBranch(workspace, prepared, made);
      });
    });
  } catch (error) {
    if (!(error instanceof RetakeError) || error.code !== 'nothing-to-keep') throw error;
  }
};

interface MadeCommit {
  readonly id: string;
  readonly journal: KeepJournal;
}

/** No ref leads to it yet. Without the user's hooks, which could hold things up or ask: they are in force when the person keeps the work. */
const writeCommit = async (workspace: Workspace, prepared: PreparedKeep): Promise<MadeCommit> => {
  const { plan, around, units, indexed, staged, draft } = prepared;
  const { repository } = around;
  const [unit] = units.map((replayed) => replayed.unit) as [KeepUnit];
  const [tree] = (await treesOf(workspace, prepared, units)) as [string];
  const id = await writeUnsignedCommit(repository, tree, plan.head.commit, unit.message);
  const final = await draft.entries();
  const paths = units.flatMap(({ changes }) => changes.map(({ path }) => around.fromTop(path)));
  const moves = indexMoves(new Set(paths), staged, indexedEntry(repository, indexed), (path) => final.get(path));
  const commits = [{ message: unit.message, steps: idsOf([unit]), checkpoint: unit.checkpoint }];
  return { id, journal: { session: plan.session, head: plan.head, commits, settled: [], moves, through: 0, all: false, mode: 'step' } };
};

/** Needs the lock. */
const putOnBranch = async (workspace: Workspace, { around, plan }: PreparedKeep, made: MadeCommit): Promise<void> => {
  const { repository } = around;
  const journal = { ...made.journal, through: workspace.index.newestContent()?.sequence ?? 0 };
  const headline = journal.commits[0]?.message.split('\n', 1)[0];
  writeKeepJournal(workspace, journal);
  try {
    // As nobody changed the index since it was read, there is nothing of anybody else's to look out for.
    await setIndexEntries(repository, new Map(journal.moves.map(({ path, to }) => [path, to ?? undefined])));
    await moveHead(repository, plan.head.commit, made.id, `retake: ${headline}`);
  } catch (error) {
    await settleIndex(repository, journal.moves, ({ from }) => from ?? undefined);
    removeKeepJournal(workspace);
    throw error;
  }
  await refreshIndex(repository);
  await recordStepKeep(workspace, journal, [made.id]);
  removeKeepJournal(workspace);
};
