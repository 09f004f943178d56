import type { BranchDescription, BranchView, ComparedBranch, Comparison, ForkResult, Forks } from '../engine/index.ts';
import { pathFields } from '../model/index.ts';
import { diffJson } from './diff.ts';

/** The branches of conversations. */
export const forksJson = ({ tree, forks, breadcrumbs }: Forks) => {
  const forked = new Map(forks.flatMap(({ children, checkpoint }) => children.map((id) => [id, checkpoint] as const)));
  return {
    tree: tree.map((branch) => branchJson(branch, forked)),
    forks,
    breadcrumbs: breadcrumbs.map(({ id, title }) => ({ branch: id, title })),
  };
};

type BranchJson = ReturnType<typeof ownJson> & { readonly checkpoint: string | null; readonly children: readonly BranchJson[] };

/** `checkpoint` is the code at the fork that the branch begins at; at the beginning, when its first prompt was sent. */
const branchJson = (branch: BranchView, forked: ReadonlyMap<string, string | null>): BranchJson => ({
  ...ownJson(branch),
  checkpoint: forked.get(branch.id) ?? branch.begin,
  children: branch.children.map((child) => branchJson(child, forked)),
});

const ownJson = ({
  id,
  session,
  sessions,
  title,
  from,
  depth,
  isCurrent,
  turns,
  checkpoints,
  steps,
  toolCalls,
  counts,
  ...rest
}: BranchDescription) => ({
  branch: id,
  sessionId: session,
  sessions,
  title,
  from,
  depth,
  current: isCurrent,
  turns,
  checkpoints,
  steps,
  toolCalls,
  files: counts?.changed ?? null,
  insertions: counts?.insertions ?? null,
  deletions: counts?.deletions ?? null,
  begin: rest.begin,
  tip: rest.tip,
  startedAt: rest.startedAt,
  lastAt: rest.lastAt,
});

export const comparisonJson = ({ ancestor, a, b, both, divergence }: Comparison) => ({
  ancestor,
  a: sideJson(a),
  b: sideJson(b),
  both: both.map(({ path, conflict }) => ({ ...pathFields(path), conflict })),
  divergence: divergence.score,
  lines: { ...divergence.changed, common: divergence.common },
});

const sideJson = ({ branch, turns, steps, toolCalls, files }: ComparedBranch) => ({
  ...ownJson(branch),
  since: { turns, steps, toolCalls },
  ...diffJson(files),
});

/** A session that was made to go on from a checkpoint. */
export const forkMadeJson = ({ fork, session, resume, prompt }: ForkResult) => ({ id: fork.id, sessionId: session, resume, prompt });
