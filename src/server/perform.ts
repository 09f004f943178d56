import type { RouteName } from '../api/index.ts';
import { type Aim, type PlannedBranch, plannedBranch, possibleBranch, type Workspace } from '../engine/index.ts';
import { plannedBranchJson } from '../shapes/recovery-branch.ts';
import { carryOut, propose } from './carry-out.ts';
import type { Shared } from './handler.ts';
import type { Job } from './jobs.ts';
import { type Branching, branchOf, wishOf } from './recovery-branch.ts';
import { idOf } from './workspaces.ts';

/** A request that changes the workspace by a plan. */
export interface Performing {
  readonly workspace: Workspace;
  readonly shared: Shared;
  readonly body: Branching & { readonly dryRun: boolean; readonly expectedTree?: string | undefined; readonly job?: string | undefined };
}

/** Carries a plan out as a job, or only tells it. */
export const perform = (asked: Performing, kind: RouteName, aim: Aim) =>
  asJob(asked, kind, async (job) => {
    const { workspace, body, shared } = asked;
    // What can be known to fail is refused before anything is changed.
    const planned = await plannedBranch(workspace, aim, wishOf(body));
    if (body.dryRun) return { ...(await propose(workspace, aim, job)), ...(await branchesJson(workspace, aim, planned)) };
    const done = await carryOut(workspace, aim, body, job);
    return { ...done, ...(await branchOf(workspace, planned, done.safetyCheckpoint, shared.log)) };
  });

/** What a plan says of the branch that is made with it, or could be. */
export const branchesJson = async (workspace: Workspace, aim: Aim, planned: PlannedBranch) => {
  const { usual, remotes } = await possibleBranch(workspace, aim);
  const usualBranch = planned.branch ?? usual;
  return { ...plannedBranchJson(planned), ...(usualBranch === undefined ? {} : { usualBranch }), remotes };
};

export const asJob = <T>(
  { workspace, shared, body }: Pick<Performing, 'workspace' | 'shared'> & { readonly body: Pick<Performing['body'], 'job'> },
  kind: RouteName,
  work: (job: Job) => Promise<T>,
): Promise<T> => shared.jobs.run({ id: body.job, kind, workspace: idOf(workspace) }, work);
