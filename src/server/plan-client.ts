import { throughDaemon } from '../daemon/ask-or-run.ts';
import { listening } from '../daemon/calls.ts';
import {
  describePlan,
  previewRollback,
  type RollbackPlan,
  type RollbackRequest,
  type RollbackResult,
  rollBack,
  sealOf,
  type Workspace,
} from '../engine/index.ts';
import { planJson, rollbackJson } from '../json/plan.ts';
import { RetakeError } from '../model/index.ts';
import { readInTurn } from './daemon-reads.ts';
import type { Job } from './jobs.ts';

/** The plan alone, with its seal in place of the state: another plan for the same state is not what was shown. */
export const preview = async (workspace: Workspace, request: RollbackRequest, job: Job, { patch = false }: { patch?: boolean } = {}) => {
  const plan = await planOf(workspace, request, job);
  return { ...planJson(describePlan(workspace, plan, { patch })), expectedTree: sealOf(plan) };
};

const planOf = (workspace: Workspace, request: RollbackRequest, job: Job): Promise<RollbackPlan> =>
  readInTurn(workspace, job.signal, () =>
    throughDaemon(workspace, {
      name: 'preview',
      args: { request },
      onProgress: (progress) => job.tell(progress),
      signal: job.signal,
      here: () => previewRollback(workspace, request, listening(job)),
    }),
  );

/**
 * Carries a plan out that was shown. Where nothing says that it was, it is shown now in place of being carried out; an undo was shown with what it
 * takes back, unless something changed since.
 */
export const apply = async (
  workspace: Workspace,
  request: RollbackRequest,
  { expectedTree }: { expectedTree?: string | undefined },
  job: Job,
) => {
  const options = { expectedTree: expectedTree ?? (await undisturbed(workspace, request, job)) };
  return applyAnyway(workspace, request, options, job);
};

/** The same for what is a part of something that was shown. */
export const applyAnyway = async (
  workspace: Workspace,
  request: RollbackRequest,
  options: { expectedTree?: string | undefined },
  job: Job,
) => {
  const result = await throughDaemon<'rollback', RollbackResult>(workspace, {
    name: 'rollback',
    args: { request, options },
    onProgress: (progress) => job.tell(progress),
    signal: job.signal,
    here: () => rollBack(workspace, request, { ...options, ...listening(job) }),
  });
  return doneJson(workspace, result);
};

const undisturbed = async (workspace: Workspace, request: RollbackRequest, job: Job): Promise<string> => {
  const plan = await planOf(workspace, request, job);
  const expectedTree = sealOf(plan);
  // What can not be carried out is refused for its own reason.
  const isRefused = plan.inTheWay.length > 0 || plan.conflicts.some(({ choice }) => choice === null);
  if (isRefused || (request.undoes !== undefined && plan.disturbed === 0)) return expectedTree;
  throw new RetakeError('needs-confirmation', 'This was not shown yet; nothing was changed', {
    hint: 'Look at details.plan, and ask again with its expectedTree.',
    details: { plan: { ...planJson(describePlan(workspace, plan)), expectedTree } },
  });
};

const WRITTEN = new Set(['create', 'restore', 'retype']);

const doneJson = (workspace: Workspace, result: RollbackResult) => {
  const { rollback, plan } = result;
  return {
    ...rollbackJson(result, describePlan(workspace, plan, { rollback })),
    restored: plan.steps.filter(({ type }) => WRITTEN.has(type)).length,
    deleted: plan.steps.filter(({ type }) => type === 'delete').length,
  };
};
