import type { KeepPlan, KeepResult } from '../engine/index.ts';
import { pathFields } from '../model/index.ts';
import { diffJson } from './diff.ts';
import { reasonsJson } from './reasons.ts';

/** Commits that are to be made of a session's work. */
export const keepJson = ({ session, head, commits, leftOut, staged, pushTo, expected }: KeepPlan) => ({
  session,
  branch: head.branch,
  head: head.commit,
  commits: commits.map(({ headline, message, turns, files }) => {
    const { files: listed, stats } = diffJson(files);
    return { headline, message, turns, files: listed, insertions: stats.insertions, deletions: stats.deletions };
  }),
  leftOut: reasonsJson(leftOut),
  staged: staged.map(pathFields),
  pushTo: pushTo?.remote ?? null,
  expected,
});

/** The same when they are made. */
export const keptJson = ({ plan, keep: kept, safety, pushed }: KeepResult) => {
  const planned = keepJson(plan);
  return {
    ...planned,
    commits: planned.commits.map((commit, at) => ({ id: kept.commits[at] ?? null, ...commit })),
    id: kept.id,
    safetyCheckpoint: safety.id,
    pushed,
  };
};
