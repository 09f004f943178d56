import type { RouteName } from '../api/index.ts';
import type { Aim, Workspace } from '../engine/index.ts';
import { carryOut, propose } from './carry-out.ts';
import type { Shared } from './handler.ts';
import type { Job } from './jobs.ts';
import { idOf } from './workspaces.ts';

/** A request that changes the workspace by a plan. */
export interface Performing {
  readonly workspace: Workspace;
  readonly shared: Shared;
  readonly body: { readonly dryRun: boolean; readonly expectedTree?: string | undefined; readonly job?: string | undefined };
}

/** Carries a plan out as a job, or only tells it. */
export const perform = (asked: Performing, kind: RouteName, aim: Aim) =>
  asJob(asked, kind, async (job) =>
    asked.body.dryRun ? propose(asked.workspace, aim, job) : carryOut(asked.workspace, aim, asked.body, job),
  );

export const asJob = <T>(
  { workspace, shared, body }: Pick<Performing, 'workspace' | 'shared'> & { readonly body: Pick<Performing['body'], 'job'> },
  kind: RouteName,
  work: (job: Job) => Promise<T>,
): Promise<T> => shared.jobs.run({ id: body.job, kind, workspace: idOf(workspace) }, work);
