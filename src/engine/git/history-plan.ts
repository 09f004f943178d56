import { type Keep, type OperationId, type Recorded, RetakeError, type Staging, sameHead } from '../../model/index.ts';
import type { TreeEntry } from '../../store/index.ts';
import { encodeEntries, type GitEntry, readTreeEntries, type StagedEntry, treeOf, type UserRepository } from '../../usergit/index.ts';
import type { Present } from '../core/present.ts';
import type { Workspace } from '../core/workspace.ts';
import { findOwnCommits, keepsInForce, type OwnCommits, stepKeeps } from '../keep/own-commits.ts';
import type { RollbackRequest } from '../rewind/plan.ts';
import { type PlannedGit, planGit } from './git-plan.ts';

/** What a rollback does to the user's git. */
export interface GitPart {
  /** Undefined when git stays, or is there already. */
  readonly git?: PlannedGit | undefined;
  /** The keeps of single steps whose commits go from the branch. */
  readonly unkept: readonly OperationId[];
  /** Why the branch stays although commits of what goes back are on it. */
  readonly warnings: readonly string[];
  /** Git stands where it belongs: there is nothing to tell of it. */
  readonly isSettled?: boolean;
}

const NOTHING: GitPart = { unkept: [], warnings: [] };

/** Git goes along when that is asked for, and in history mode `branch` wherever commits of steps go back with what is in them (GIT-1). */
export const planGitPart = async (workspace: Workspace, request: RollbackRequest, present: Present): Promise<GitPart> => {
  const isBranchMode = workspace.settings['history.mode'] === 'branch';
  if (request.git !== undefined) {
    if (request.undoes !== undefined && isBranchMode) return planBack(request, present);
    return { ...NOTHING, ...(await withUnkept(workspace, await planRequested(request, present), present)) };
  }
  const isPartial = request.only !== undefined || request.hunks !== undefined;
  if (!isBranchMode || request.undoes !== undefined || request.keepsCode || isPartial) return NOTHING;
  if (request.verb !== 'Rollback' && request.verb !== 'Discard') return NOTHING;
  return planBranch(workspace, request, present);
};

const planRequested = async ({ git, target }: RollbackRequest, present: Present): Promise<PlannedGit | undefined> =>
  git && planGit(git, present, target.git?.staged.count ?? 0);

const withUnkept = async (workspace: Workspace, git: PlannedGit | undefined, { userGit, head }: Present): Promise<Partial<GitPart>> => {
  const steps = stepKeeps(keepsInForce(workspace));
  if (git === undefined || userGit.repository === undefined || steps.length === 0) return { git };
  const [now, then] = await Promise.all(
    [head?.commit ?? null, git.to.head.commit].map((commit) => findOwnCommits(userGit.repository as UserRepository, commit, steps)),
  );
  const stays = new Set(then === undefined ? [] : found(then));
  return { git, unkept: (now === undefined ? [] : found(now)).filter((id) => !stays.has(id)) };
};

const found = ({ everywhere }: OwnCommits): OperationId[] => everywhere.map(({ id }) => id);

/** What was undone goes forth again, unless somebody went on from where it left git. */
const planBack = async (request: RollbackRequest, present: Present): Promise<GitPart> => {
  const left = request.undoes?.gitChange?.to.head;
  if (left !== undefined && !sameHead(left, present.head))
    return { ...NOTHING, warnings: ['the branch moved on since the rollback; it stays where it is'] };
  return leniently(async () => ({ ...NOTHING, git: await planRequested(request, present) }));
};

const planBranch = async (workspace: Workspace, request: RollbackRequest, present: Present): Promise<GitPart> => {
  const { head, git, userGit, batch } = present;
  const steps = stepKeeps(keepsInForce(workspace));
  const { repository } = userGit;
  if (repository === undefined || head === null || git === null || steps.length === 0) return NOTHING;
  const isSettled = steps.at(-1)?.commits.at(-1) === head.commit;
  const leaving = steps.filter(goesBack(workspace, request));
  const own = await findOwnCommits(repository, head.commit, leaving);
  if (own.inTheWay !== null) {
    const which = `commits of what goes back lie below ${own.inTheWay.slice(0, 10)}, which does not`;
    return { ...NOTHING, warnings: [`${which}: the branch stays where it is, and only the files go back`] };
  }
  if (own.commits.length === 0) return { ...NOTHING, isSettled };
  return leniently(async () => {
    const staging = await followed(repository, present, own.base);
    batch.flush();
    const to = { head: { branch: head.branch, commit: own.base }, staging };
    const planned = await planGit({ to, refs: [] }, present, git.staged.count);
    return { ...NOTHING, git: planned, unkept: own.keeps.map(({ id }) => id) };
  });
};

/** Commits of which a part goes back go as a whole: the rest is taken along with the next step. */
const goesBack = ({ index }: Workspace, { replay, target }: RollbackRequest): ((keep: Recorded<Keep>) => boolean) => {
  if (replay === undefined) {
    const sequenceOf = (id: OperationId): number => index.get(id)?.operation.sequence ?? 0;
    return ({ steps }) => steps.some((step) => sequenceOf(step) > target.sequence);
  }
  const taken = new Set(replay.steps.flatMap(({ id, standsFor }) => [id, ...standsFor]));
  return ({ steps }) => steps.some((step) => taken.has(step));
};

/** Nobody asked for git to go along, so that it is no reason not to go back. */
const leniently = async (plan: () => Promise<GitPart>): Promise<GitPart> => {
  try {
    return await plan();
  } catch (error) {
    if (!(error instanceof RetakeError)) throw error;
    return { ...NOTHING, warnings: [`git stays where it is: ${error.message.replace(/; nothing was changed$/, '')}`] };
  }
};

/** The index, with what is as HEAD has it now as the other commit has it; what is staged stays. */
const followed = async (repository: UserRepository, { head, git, userGit, batch }: Present, to: string | null): Promise<Staging | null> => {
  const index = userGit.index?.read();
  if (index === undefined || git?.staging == null) return null;
  if ('tree' in git.staging && git.staged.count === 0 && to !== null) return { tree: await treeOf(repository, to) };
  const [now, then] = [await readTreeEntries(repository, head?.commit ?? null), await readTreeEntries(repository, to)];
  const present = index.entries();
  const known = new Set(present.map(({ path }) => path));
  const isStaged = (entry: StagedEntry): boolean => entry.stage !== 0 || entry.intentToAdd || !isAs(entry, now.get(entry.path));
  const stays = present.flatMap((entry): StagedEntry[] => {
    if (isStaged(entry)) return [entry];
    const wanted = then.get(entry.path);
    return wanted === undefined ? [] : [{ ...entry, mode: Number.parseInt(wanted.mode, 8), id: wanted.id }];
  });
  // What the commits took away comes back; what is staged for removal does not.
  const back = [...then].flatMap(([path, { mode, id }]): StagedEntry[] =>
    known.has(path) || now.has(path)
      ? []
      : [{ path, mode: Number.parseInt(mode, 8), id, stage: 0, intentToAdd: false, skipWorktree: false, assumeUnchanged: false }],
  );
  const entries = [...stays, ...back].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.stage - b.stage));
  const chunks = encodeEntries(entries).map((chunk, place): TreeEntry => {
    const name = String(place).padStart(6, '0');
    return { mode: 0o100644, name: name as TreeEntry['name'], id: batch.blob(chunk) };
  });
  return { entries: batch.tree(chunks) };
};

const isAs = ({ mode, id }: StagedEntry, entry: GitEntry | undefined): boolean =>
  entry !== undefined && entry.id === id && Number.parseInt(entry.mode, 8) === mode;
