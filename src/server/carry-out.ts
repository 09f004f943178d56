import { listening } from '../daemon/calls.ts';
import { throughDaemon } from '../daemon/through.ts';
import {
  type Aim,
  describePlan,
  previewRollback,
  type RollbackResult,
  rollBack,
  sealOf,
  undoableUntil,
  type Workspace,
} from '../engine/index.ts';
import { planJson, rollbackJson } from '../shapes/plan.ts';
import { readInTurn } from './daemon-reads.ts';
import type { Job } from './jobs.ts';

/** The plan alone, with its seal in place of the state: another plan for the same state is not what was shown. */
export const propose = async (workspace: Workspace, aim: Aim, job: Job, { patch = false }: { patch?: boolean } = {}) => {
  const plan = await readInTurn(workspace, job.signal, () =>
    throughDaemon(workspace, {
      name: 'preview',
      args: { aim },
      onProgress: (progress) => job.tell(progress),
      signal: job.signal,
      here: () => previewRollback(workspace, aim, listening(job)),
    }),
  );
  return { ...planJson(describePlan(workspace, plan, { patch })), expectedTree: sealOf(plan) };
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
