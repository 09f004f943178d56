import { effects, isGitAlive } from '../../host/index.ts';
import type { Keep, Recorded } from '../../model/index.ts';
import {
  commitMessage,
  commitsBetween,
  findRepository,
  moveHead,
  readHead,
  readTreeEntries,
  type UserRepository,
} from '../../usergit/index.ts';
import type { Healed } from '../core/heal.ts';
import type { Workspace } from '../core/workspace.ts';
import { settleIndex } from './keep-index.ts';
import { type KeepJournal, readKeepJournal, recordKeep, removeCommitIndexes, removeKeepJournal } from './keep-journal.ts';
import { draftOf } from './keep-plan.ts';
import { recordStepKeep } from './record-step-keep.ts';

/**
 * After a process was killed while it made commits: those that are made stay, and the index agrees with them about the files concerned.
 * Whatever else there was stays as it was. Needs the lock.
 */
export const healKeep = async (workspace: Workspace): Promise<Healed | undefined> => {
  const journal = readKeepJournal(workspace);
  // A hook may be at work for long. Until it is known what comes of that, there is nothing to be sorted out.
  if (journal?.git !== undefined && isGitAlive(journal.git)) return undefined;
  const repository = findRepository(workspace.root);
  const commits = journal === undefined || repository === undefined ? undefined : await settle(repository, journal);
  const isRecorded = workspace.index.keeps(journal?.session).some(({ commits: known }) => known.at(-1) === commits?.at(-1));
  if (journal !== undefined && commits !== undefined && commits.length > 0 && !isRecorded) await record(workspace, journal, commits);
  effects.removeTree(draftOf(workspace));
  removeCommitIndexes(workspace);
  removeKeepJournal(workspace);
  return commits === undefined ? undefined : { keptCommits: commits.length };
};

const record = (workspace: Workspace, journal: KeepJournal, commits: readonly string[]): Recorded<Keep> | Promise<Recorded<Keep>> =>
  journal.mode === 'step' ? recordStepKeep(workspace, journal, commits) : recordKeep(workspace, journal, commits);

/** The commits that were made; undefined when HEAD went elsewhere since, so that it is not for us to say what the index should hold. */
const settle = async (repository: UserRepository, journal: KeepJournal): Promise<string[] | undefined> => {
  const head = await readHead(repository);
  if (head.branch !== journal.head.branch) return undefined;
  const commits =
    head.commit === null || head.commit === journal.folds?.tip ? [] : await commitsBetween(repository, journal.head.commit, head.commit);
  if (commits === undefined) return undefined;
  const ours: string[] = [];
  for (const [at, commit] of commits.entries()) {
    const planned = journal.commits[at];
    if (planned === undefined || !(await commitMessage(repository, commit)).includes(`\nCheckpoint: ${planned.checkpoint}`)) break;
    ours.push(commit);
  }
  if (journal.folds !== undefined && ours.length < journal.commits.length) {
    // Somebody went on from there: what they made is not for us to take away.
    if (ours.length < commits.length) return undefined;
    if (head.commit !== journal.folds.tip) await moveHead(repository, head.commit, journal.folds.tip, 'retake: keep taken back');
    ours.length = 0;
  }
  const committed = ours.length === 0 ? undefined : await readTreeEntries(repository, head.commit);
  await settleIndex(repository, journal.moves, ({ path, from }) => (committed === undefined ? (from ?? undefined) : committed.get(path)));
  return ours;
};
