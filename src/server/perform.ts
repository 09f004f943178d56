import type { RouteName } from '../api/index.ts';
import { type Aim, plannedBranch, type Workspace } from '../engine/index.ts';
import { plannedBranchJson } from '../shapes/recovery-branch.ts';
import { carryOut, propose } from './carry-out.ts';
import type { Shared } from './handler.ts';
import type { Job } from './jobs.ts';
import { branchOf } from './recovery-branch.ts';
import { idOf } from './workspaces.ts';

/** A request that changes the workspace by a plan. */
export interface Performing {
  readonly workspace: Workspace;
  readonly shared: Shared;
  readonly body: { readonly dryRun: boolean; readonly expectedTree?: string | undefined; readonly job?: string | undefined };
}

/** Carries a plan out as a job, or only tells it. */
export const perform = (asked: Performing, kind: RouteName, aim: Aim) =>
  asJob(asked, kind, async (job) => {
    const { workspace, body, shared } = asked;
    const planned = await plannedBranch(workspace, aim, {});
    if (body.dryRun) return { ...(await propose(workspace, aim, job)), ...(aim.verb === 'Rollback' ? plannedBranchJson(planned) : {}) };
    const done = await carryOut(workspace, aim, body, job);
    return { ...done, ...(await branchOf(workspace, planned, done.safetyCheckpoint, { log: shared.log })) };
  });

export const asJob = <T>(
  { workspace, shared, body }: Pick<Performing, 'workspace' | 'shared'> & { readonly body: Pick<Performing['body'], 'job'> },
  kind: RouteName,
  work: (job: Job) => Promise<T>,
): Promise<T> => shared.jobs.run({ id: body.job, kind, workspace: idOf(workspace) }, work);
