import type { Keep, Line, OperationId, Recorded, Rollback, SessionId } from '../../model/index.ts';
import { type HistoryCommit, historyOf, type UserRepository } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** The keeps whose commits no rollback of ours took off the branch, oldest first. */
export const keepsInForce = (
  { index }: Workspace,
  { session, line = null }: { session?: SessionId | undefined; line?: Line } = {},
): Recorded<Keep>[] => {
  const gone = new Set<OperationId>();
  const moved = new Map<OperationId, Moved>();
  for (const { operation } of index.rollbacks(line).reverse()) {
    const rollback = operation as Recorded<Rollback>;
    const did = movedBy(rollback, moved);
    if (did === undefined || rollback.outcome === 'taken-back' || rollback.leftAlone.some(({ path }) => path === '.git')) continue;
    moved.set(rollback.id, did);
    for (const id of did.keeps) did.isGone ? gone.add(id) : gone.delete(id);
  }
  return index.keeps(session, line).filter(({ id }) => !gone.has(id));
};

interface Moved {
  readonly keeps: readonly OperationId[];
  readonly isGone: boolean;
}

/** An undo that moves git brings back what the other one took, or takes what it brought back. */
const movedBy = ({ unkept, undoes, gitChange }: Rollback, before: ReadonlyMap<OperationId, Moved>): Moved | undefined => {
  if (unkept !== undefined) return { keeps: unkept, isGone: true };
  const undone = undoes === undefined || gitChange === undefined ? undefined : before.get(undoes);
  return undone && { keeps: undone.keeps, isGone: !undone.isGone };
};

/** Of these, commits of single steps that were not made others since. */
export const stepKeeps = (keeps: readonly Recorded<Keep>[]): Recorded<Keep>[] => {
  const folded = new Set(keeps.flatMap(({ folds }) => folds ?? []));
  return keeps.filter(({ id, mode }) => mode === 'step' && !folded.has(id));
};

/** Commits of single steps, as they are found in a history. */
export interface OwnCommits {
  /** Those with nothing of anybody else on top, newest first, and what they stand on. */
  readonly commits: readonly HistoryCommit[];
  readonly base: string | null;
  readonly keeps: readonly Recorded<Keep>[];
  /** Those, and the ones that lie deeper. */
  readonly everywhere: readonly Recorded<Keep>[];
  /** The commit on top of others that are wanted; null where there is none. */
  readonly inTheWay: string | null;
}

/** How far back they are looked for. */
const FARTHEST = 2000;

/**
 * Finds the commits of keeps by what they say of themselves, so that those which a rebase made anew are found too. Those that are not there
 * any more, the person took away.
 */
export const findOwnCommits = async (
  repository: UserRepository,
  head: string | null,
  keeps: readonly Recorded<Keep>[],
): Promise<OwnCommits> => {
  if (head === null || keeps.length === 0) return { commits: [], base: head, keeps: [], everywhere: [], inTheWay: null };
  const bySteps = new Map(keeps.flatMap((keep) => keep.steps.map((step) => [step as string, keep] as const)));
  const history = await historyOf(repository, head, FARTHEST);
  const isOwn = ({ checkpoints, parents }: HistoryCommit): boolean =>
    parents.length < 2 && checkpoints.length > 0 && checkpoints.every((id) => bySteps.has(id));
  const top = history.findIndex((commit) => !isOwn(commit));
  const commits = top < 0 ? history : history.slice(0, top);
  const rest = top < 0 ? [] : history.slice(top);
  const keepsOf = (some: readonly HistoryCommit[]): Recorded<Keep>[] => [
    ...new Set(some.flatMap(({ checkpoints }) => checkpoints.flatMap((id) => bySteps.get(id) ?? []))),
  ];
  const isBuried = keepsOf(rest).length > 0;
  const last = commits.at(-1);
  return {
    commits,
    base: last === undefined ? head : (last.parents[0] ?? null),
    keeps: keepsOf(commits),
    everywhere: keepsOf(history),
    inTheWay: isBuried ? (rest[0]?.id ?? null) : null,
  };
};
