import type { Progress } from '../daemon/calls.ts';
import { throughDaemon } from '../daemon/through.ts';
import { type Aim, describePlan, previewRollback, type RollbackResult, rollBack, type Workspace } from '../engine/index.ts';
import { planJson, rollbackJson } from '../shapes/plan.ts';
import type { Job } from './jobs.ts';

/** The plan alone. */
export const propose = async (workspace: Workspace, aim: Aim, { patch = false }: { patch?: boolean } = {}) => {
  const plan = await throughDaemon(workspace, {
    name: 'preview',
    args: { aim },
    onProgress: () => {},
    here: () => previewRollback(workspace, aim),
  });
  return planJson(describePlan(workspace, plan, { patch }));
};

/** Carries a plan out, in the state that it was shown for. */
export const carryOut = async (workspace: Workspace, aim: Aim, { expectedTree }: { expectedTree?: string | undefined }, job: Job) => {
  const options = { expectedTree };
  const onProgress = (progress: Progress): void => job.tell(progress);
  const result = await throughDaemon<'rollback', RollbackResult>(workspace, {
    name: 'rollback',
    args: { aim, options },
    onProgress,
    here: () =>
      rollBack(workspace, aim, {
        ...options,
        onScan: (files) => onProgress({ files }),
        onApply: (done, total) => onProgress({ done, total }),
      }),
  });
  return doneJson(workspace, result);
};

const WRITTEN = new Set(['create', 'restore', 'retype']);

const doneJson = (workspace: Workspace, result: RollbackResult) => {
  const { steps } = result.plan;
  return {
    ...rollbackJson(result, describePlan(workspace, result.plan)),
    restored: steps.filter(({ type }) => WRITTEN.has(type)).length,
    deleted: steps.filter(({ type }) => type === 'delete').length,
    undoableUntil: null,
  };
};
