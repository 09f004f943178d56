import { join } from 'node:path';
import { diffFiles, entryAt, type FileDiff, narrowed } from '../../diff/index.ts';
import { exists } from '../../host/index.ts';
import { type GitHead, type Keep, type Recorded, type RelativePath, RetakeError, type SessionId } from '../../model/index.ts';
import type { ObjectBatch } from '../../store/index.ts';
import { headlineOf } from '../../timeline/index.ts';
import {
  Draft,
  type GitEntries,
  hasConflicts,
  indexEntries,
  type PushTarget,
  pushTargetOf,
  readGitState,
  readHead,
  readTreeEntries,
  skippedPaths,
  stagedPaths,
  type UserRepository,
} from '../../usergit/index.ts';
import { capturePresent, type Present } from '../core/present.ts';
import type { Workspace } from '../core/workspace.ts';
import { type RepositoryAround, repositoryAround, requireRepository } from '../git/user-repository.ts';
import { digestOf } from '../read/shown-digest.ts';
import { refuseImported, workOf } from '../recover/session-work.ts';
import { Committable, type LeftOutOfCommit } from './committable.ts';
import { blockedPaths, KeepReplay, keepConflicts, type ReplayedUnit } from './keep-replay.ts';
import { type KeepRequest, type KeepUnit, type KeepUnits, keepUnits, nothingToKeep } from './keep-units.ts';
import { findOwnCommits, keepsInForce, stepKeeps } from './own-commits.ts';

interface PlannedCommit {
  readonly headline: string;
  readonly message: string;
  readonly turns: readonly number[];
  readonly files: readonly FileDiff[];
}

/** The commits that a session's work would become. */
export interface KeepPlan {
  readonly session: SessionId;
  /** What HEAD is at: the commits come on top of it. */
  readonly head: GitHead;
  readonly commits: readonly PlannedCommit[];
  readonly leftOut: readonly LeftOutOfCommit[];
  /** Among the files concerned, those that the user has staged: the index keeps them as they are. */
  readonly staged: readonly RelativePath[];
  readonly pushTo: PushTarget | null;
  /** The same as long as the commits would be the same. */
  readonly expected: string;
}

/** A plan with all that it takes to carry it out. */
export interface PreparedKeep {
  readonly plan: KeepPlan;
  readonly around: RepositoryAround;
  /** The commit that they come on top of: HEAD's, or what lies below the commits that they take the place of. */
  readonly onto: string | null;
  readonly committed: GitEntries;
  readonly indexed: GitEntries;
  /** Whatever is staged, concerned or not; paths from the repository's top. */
  readonly staged: ReadonlySet<RelativePath>;
  readonly replay: KeepReplay;
  /** Those that change something. */
  readonly units: readonly ReplayedUnit[];
  /** All: what changes nothing is committed already. */
  readonly looked: readonly KeepUnit[];
  readonly through: number | undefined;
  /** Stands there. */
  readonly draft: Draft;
}

export interface KeepPlanRequest extends KeepRequest {
  readonly push?: boolean | undefined;
  /** Other work than what a session did and was not kept. */
  readonly of?: ((present: Present) => KeepUnits) | undefined;
}

/** What a person asked to be kept. */
export interface RequestedKeep extends PreparedKeep {
  readonly present: Present;
  /** The commits of single steps that it takes the place of. */
  readonly folded: readonly Recorded<Keep>[];
}

/** Works the plan out, hands it on with a draft, and clears that away afterwards. Needs the lock. */
export const withKeepPlan = async <T>(
  workspace: Workspace,
  request: KeepPlanRequest,
  work: (prepared: RequestedKeep) => T | Promise<T>,
): Promise<T> => {
  const { around, head } = await readyRepository(workspace);
  const pushTo = request.push ? await whereTo(around.repository, head) : null;
  const present = await capturePresent(workspace);
  present.batch.flush();
  const { units, folded, onto } = await workToKeep(workspace, request, { repository: around.repository, head, present });
  const context = { around, head, onto, batch: present.batch, pushTo, draft: draftOf(workspace) };
  return withReplayed(workspace, context, units, (prepared) => work({ ...prepared, present, folded }));
};

interface WorkToKeep extends Pick<RequestedKeep, 'folded'> {
  readonly units: KeepUnits;
  readonly onto: string | null;
}

/** A session's work that was not kept; commits of its single steps are made anew, from below the oldest of them. */
const workToKeep = async (
  workspace: Workspace,
  request: KeepPlanRequest,
  { repository, head, present }: { repository: UserRepository; head: GitHead; present: Present },
): Promise<WorkToKeep> => {
  if (request.of !== undefined) return { units: request.of(present), folded: [], onto: head.commit };
  const done = workOf(workspace, request.session);
  refuseImported(done);
  const keeps = keepsInForce(workspace, { session: done.session });
  const own = await findOwnCommits(repository, head.commit, stepKeeps(keeps));
  if (own.inTheWay !== null) throw buried(own.inTheWay);
  const rest = keeps.filter((keep) => !own.keeps.includes(keep));
  return { units: keepUnits(workspace, done, rest, request, present), folded: own.keeps, onto: own.base };
};

/** The user's repository, when commits can be made in it now. */
export const readyRepository = async (workspace: Workspace): Promise<{ around: RepositoryAround; head: GitHead }> => {
  const around = repositoryAround(workspace);
  const head = await readHead(around.repository);
  await assertCanCommit(workspace);
  return { around, head };
};

const buried = (commit: string): RetakeError =>
  new RetakeError(
    'not-on-top',
    `Commits of the session's steps lie below ${commit.slice(0, 10)}, which is another's; nothing was changed`,
    {
      hint: 'They are commits already and may stay as they are; git rebase -i can reorder them, and then they are found again.',
    },
  );

interface KeepContext {
  readonly around: RepositoryAround;
  readonly head: GitHead;
  readonly onto: string | null;
  readonly batch: ObjectBatch;
  readonly pushTo: PushTarget | null;
  /** Where the draft is made. */
  readonly draft: string;
}

/** Does units again on top of a commit, in a draft that nobody else uses. */
export const withReplayed = async <T>(
  workspace: Workspace,
  { around, head, onto: base, batch, pushTo, draft: draftDirectory }: KeepContext,
  { session, units: asked, rules, through, isMeant = () => true }: KeepUnits,
  work: (prepared: PreparedKeep) => T | Promise<T>,
): Promise<T> => {
  const { repository } = around;
  const committed = await readTreeEntries(repository, base);
  const [indexed, skipped, staged] = [await indexEntries(repository), await skippedPaths(repository), await stagedPaths(repository)];
  const committable = new Committable(workspace, rules, around, [committed, indexed]);
  const { objects } = workspace.store;
  const units = asked.map((unit) => ({ ...unit, changes: unit.changes.map((change) => narrowed(objects, batch, change)) }));
  batch.flush();
  // What a sparse checkout took out of the work tree was not deleted by anyone.
  const isSkipped = (path: RelativePath) => skipped.has(around.fromTop(path)) && entryAt(objects, rules.state, path) === undefined;
  const replay = new KeepReplay(objects, batch, units, (path) => isMeant(path) && committable.has(path) && !isSkipped(path));
  const draft = await Draft.begin(repository, draftDirectory, base);
  try {
    const onto = await replay.committed(draft, around, base, committed, replay.before(units));
    const changing = replay.replay(units, onto).filter(({ changes }) => changes.length > 0);
    if (changing.length === 0) throw nothingToKeep(session, workspace.index.keeps(session).length > 0);
    const blocked = blockedPaths(
      changing.flatMap(({ changes }) => changes),
      committed,
      around,
    );
    if (blocked.length > 0) throw keepConflicts(blocked);
    const commits = changing.map(({ unit, changes }) => ({
      headline: headlineOf(unit.message),
      message: unit.message,
      turns: unit.turns,
      files: diffFiles(objects, changes),
    }));
    const concerned = new Set(changing.flatMap(({ changes }) => changes.map(({ path }) => path)));
    const plan: KeepPlan = {
      session,
      head,
      commits,
      leftOut: committable.leftOut,
      staged: staged.flatMap((fromTop) => around.toWorkspace(fromTop) ?? []).filter((path) => concerned.has(path)),
      pushTo,
      expected: digestOf([head, base, changing.map(({ unit, changes }) => [unit.message, changes])]),
    };
    return await work({
      plan,
      around,
      onto: base,
      committed,
      indexed,
      staged: new Set(staged),
      replay,
      units: changing,
      looked: units,
      through,
      draft,
    });
  } finally {
    draft.end();
  }
};

/** Where drafts of commits are made; one at a time, because that takes the lock. */
export const draftOf = ({ data }: Workspace): string => join(data, 'draft');

/** Refuses what would be refused at the end anyway. */
export const assertCanCommit = async (workspace: Workspace): Promise<void> => {
  assertAlone(workspace);
  await assertReady(requireRepository(workspace));
};

/** What a killed process left is sorted out by now, unless git is still at it. */
const assertAlone = ({ keepJournalPath }: Workspace): void => {
  if (exists(keepJournalPath))
    throw new RetakeError('git-busy', 'git is still making a commit that was begun before', { hint: 'Wait for it and its hooks to end.' });
};

const assertReady = async (repository: UserRepository): Promise<void> => {
  const { underWay } = readGitState(repository);
  if (underWay !== null && underWay !== 'bisect') {
    throw new RetakeError('git-under-way', `A ${underWay} is under way in the repository`, {
      hint: `Finish it or give it up first (git ${underWay} --continue, git ${underWay} --abort), then try again.`,
    });
  }
  if (await hasConflicts(repository)) {
    throw new RetakeError('git-under-way', 'The index has files in conflict', { hint: 'Resolve them first; git status lists them.' });
  }
};

const whereTo = async (repository: UserRepository, { branch }: GitHead): Promise<PushTarget> => {
  if (branch === null)
    throw new RetakeError('bad-branch', 'HEAD is on no branch that could be pushed', { hint: 'Switch to one first, or leave --push out.' });
  const target = await pushTargetOf(repository, branch);
  if (target !== undefined) return target;
  throw new RetakeError('no-remote', `There is no remote that ${branch} could be pushed to`, {
    hint: 'git remote add origin URL adds one; or leave --push out.',
  });
};
