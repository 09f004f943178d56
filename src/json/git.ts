import type { PlannedGit } from '../engine/index.ts';
import { type GitDetails, type GitHead, isCheckpoint, isRollback, type Recorded } from '../model/index.ts';

/** The user's git at a record; null where there was no repository. */
export const gitJson = (operation: Recorded, news: readonly string[]) => {
  const { head, git } = gitOf(operation);
  if (head == null) return null;
  return {
    branch: head.branch,
    commit: head.commit,
    staged: git?.staged ?? null,
    underWay: git?.underWay ?? null,
    stash: git?.stash ?? null,
    moves: git?.move?.entries ?? [],
    news,
  };
};

/** Where the user's git stood, for records that say so. */
export const gitOf = (operation: Recorded): { head?: GitHead | null; git?: GitDetails } =>
  isCheckpoint(operation) || isRollback(operation) ? operation : {};

export const gitPlanJson = ({ from, to, refs, leftBehind, staged }: PlannedGit) => ({
  from: from.head,
  to: to.head,
  refs,
  staged,
  commitsLeftBehind: leftBehind.length,
  leftBehind,
});
