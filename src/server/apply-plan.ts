import type { RouteName } from '../api/index.ts';
import { type PlannedBranch, plannedBranch, possibleBranch, type RollbackRequest, type Workspace } from '../engine/index.ts';
import { plannedBranchJson } from '../json/recovery-branch.ts';
import type { Shared } from './handler.ts';
import type { Job } from './jobs.ts';
import { apply, preview } from './plan-client.ts';
import { type Branching, branchOf, branchRequestOf } from './recovery-branch.ts';
import { idOf } from './workspaces.ts';

/** A request that changes the workspace by a plan. */
export interface ApplyContext {
  readonly workspace: Workspace;
  readonly shared: Shared;
  readonly body: Branching & { readonly dryRun: boolean; readonly expectedTree?: string | undefined; readonly job?: string | undefined };
}

/** Carries a plan out as a job, or only tells it. */
export const previewOrApply = (context: ApplyContext, kind: RouteName, request: RollbackRequest) =>
  asJob(context, kind, async (job) => {
    const { workspace, body, shared } = context;
    // What can be known to fail is refused before anything is changed.
    const planned = await plannedBranch(workspace, request, branchRequestOf(body));
    if (body.dryRun) return { ...(await preview(workspace, request, job)), ...(await branchesJson(workspace, request, planned)) };
    const done = await apply(workspace, request, body, job);
    return { ...done, ...(await branchOf(workspace, planned, done.safetyCheckpoint, shared.log)) };
  });

/** What a plan says of the branch that is made with it, or could be. */
export const branchesJson = async (workspace: Workspace, request: RollbackRequest, planned: PlannedBranch) => {
  const { usual, remotes } = await possibleBranch(workspace, request);
  const usualBranch = planned.branch ?? usual;
  return { ...plannedBranchJson(planned), ...(usualBranch === undefined ? {} : { usualBranch }), remotes };
};

export const asJob = <T>(
  { workspace, shared, body }: Pick<ApplyContext, 'workspace' | 'shared'> & { readonly body: Pick<ApplyContext['body'], 'job'> },
  kind: RouteName,
  work: (job: Job) => Promise<T>,
): Promise<T> => shared.jobs.run({ id: body.job, kind, workspace: idOf(workspace) }, work);
