import { listening } from '../daemon/calls.ts';
import { throughDaemon } from '../daemon/through.ts';
import { type Aim, describePlan, previewRollback, type RollbackResult, rollBack, undoableUntil, type Workspace } from '../engine/index.ts';
import { planJson, rollbackJson } from '../shapes/plan.ts';
import type { Job } from './jobs.ts';

/** The plan alone. */
export const propose = async (workspace: Workspace, aim: Aim, { patch = false, job }: { patch?: boolean; job?: Job } = {}) => {
  const plan = await throughDaemon(workspace, {
    name: 'preview',
    args: { aim },
    onProgress: (progress) => job?.tell(progress),
    signal: job?.signal,
    here: () => previewRollback(workspace, aim, job === undefined ? {} : listening(job)),
  });
  return planJson(describePlan(workspace, plan, { patch }));
};

/** Carries a plan out, in the state that it was shown for. */
export const carryOut = async (workspace: Workspace, aim: Aim, { expectedTree }: { expectedTree?: string | undefined }, job: Job) => {
  const options = { expectedTree };
  const result = await throughDaemon<'rollback', RollbackResult>(workspace, {
    name: 'rollback',
    args: { aim, options },
    onProgress: (progress) => job.tell(progress),
    signal: job.signal,
    here: () => rollBack(workspace, aim, { ...options, ...listening(job) }),
  });
  return doneJson(workspace, result);
};

const WRITTEN = new Set(['create', 'restore', 'retype']);

const doneJson = (workspace: Workspace, result: RollbackResult) => {
  const { rollback, plan } = result;
  return {
    ...rollbackJson(result, describePlan(workspace, plan)),
    restored: plan.steps.filter(({ type }) => WRITTEN.has(type)).length,
    deleted: plan.steps.filter(({ type }) => type === 'delete').length,
    undoableUntil: rollback === null ? null : undoableUntil(workspace, rollback),
  };
};
