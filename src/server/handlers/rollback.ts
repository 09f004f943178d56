import type { Body, Routes } from '../../api/index.ts';
import {
  type AddressOptions,
  agentSession,
  findCheckpoint,
  plannedBranch,
  type RewindOptions,
  readRollbacks,
  resolveDiscard,
  resolveRewind,
  resolveSessionStart,
  resolveUndo,
  turnsMeantBy,
  type Workspace,
} from '../../engine/index.ts';
import { rollbackEntryJson } from '../../json/rollbacks.ts';
import { RetakeError } from '../../model/index.ts';
import { asJob, branchesJson, previewOrApply } from '../apply-plan.ts';
import { choiceOf } from '../choice.ts';
import type { HandlerContext, HandlersOf } from '../handler.ts';
import type { Job } from '../jobs.ts';
import { pageOf } from '../page.ts';
import { pathIn } from '../paths.ts';
import { apply, preview } from '../plan-client.ts';
import { branchOf, branchRequestOf } from '../recovery-branch.ts';

type Names = 'previewRollback' | 'previewCheckpoint' | 'rollBack' | 'rollBackSession' | 'discardSession' | 'listRollbacks' | 'undoRollback';

export const rollbackHandlers: HandlersOf<Names> = {
  previewRollback: (context) => {
    const { workspace, params, query } = context;
    const { branch, ...selecting } = query;
    const address = addressOf(workspace, params, branch);
    return previewOf('previewRollback', { ...context, query: selecting }, address, {
      session: turnsMeantBy(workspace, params.session),
      branch,
    });
  },
  previewCheckpoint: (context) => previewOf('previewCheckpoint', context, context.params.checkpoint),
  rollBack: (context) => {
    const { workspace, params, query, body, shared } = context;
    const session = turnsMeantBy(workspace, params.session);
    const address = addressOf(workspace, params, query.branch);
    const request = resolveRewind(workspace, address, { ...requestOf(workspace, body), session, branch: query.branch });
    return asJob(context, 'rollBack', async (job) => {
      // What can be known to fail is refused before anything is changed.
      const planned = await plannedBranch(workspace, request, branchRequestOf(body));
      const done = await apply(workspace, request, body, job);
      const branch = await branchOf(workspace, planned, done.safetyCheckpoint, shared.log);
      return { ...done, steps: done.steps ?? [], ...branch };
    });
  },
  rollBackSession: (context) => {
    const { workspace, params, body } = context;
    const session = agentSession(workspace, params.session);
    return previewOrApply(context, 'rollBackSession', resolveSessionStart(workspace, session, requestOf(workspace, body)));
  },
  discardSession: (context) => {
    const { workspace, params, body } = context;
    const session = agentSession(workspace, params.session);
    return previewOrApply(context, 'discardSession', resolveDiscard(workspace, { session, all: body.all, ...choiceOf(workspace, body) }));
  },
  listRollbacks: ({ workspace, query }) => {
    const { items, total, next } = pageOf(readRollbacks(workspace, query), ({ rollback }) => rollback.id, query);
    return { rollbacks: items.map(rollbackEntryJson), total, next };
  },
  undoRollback: (context) => previewOrApply(context, 'undoRollback', resolveUndo(context.workspace, context.params.rollback)),
};

/** A checkpoint of the session by its id; a turn of it without one, as it is: its conversation may still be meant. */
const addressOf = (workspace: Workspace, { session, checkpoint }: { session: string; checkpoint: string }, branch?: string): string => {
  try {
    return findCheckpoint(workspace, session, checkpoint, branch).id;
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'no-code') return checkpoint;
    throw error;
  }
};

type Previewing = Pick<HandlerContext<Routes['previewCheckpoint']>, 'workspace' | 'shared' | 'query' | 'signal'>;

const previewOf = (kind: Names, { workspace, shared, query, signal }: Previewing, address: string, where: AddressOptions = {}) => {
  const { path, hunks: patch, createRecoveryBranch, recoveryBranchName, pushRecoveryBranch, job, ...selection } = query;
  const request = resolveRewind(workspace, address, { ...requestOf(workspace, { ...selection, paths: path }), ...where });
  return asJob({ workspace, shared, body: { job } }, kind, async (running) => {
    const plan = await preview(workspace, request, untilHungUp(running, signal), { patch });
    const planned = await plannedBranch(
      workspace,
      request,
      branchRequestOf({ createRecoveryBranch, recoveryBranchName, pushRecoveryBranch }),
    );
    return { ...plan, ...(await branchesJson(workspace, request, planned)) };
  });
};

/** A plan that nobody waits for any more is not made. */
const untilHungUp = (job: Job, signal: AbortSignal): Job => ({ ...job, signal: AbortSignal.any([job.signal, signal]) });

type Selecting = Pick<
  Body<Routes['rollBack']>,
  'scope' | 'git' | 'outside' | 'keepMine' | 'allSessions' | 'by' | 'onConflict' | 'paths' | 'hunks'
> &
  Partial<Pick<Body<Routes['rollBack']>, 'resolve'>>;

const requestOf = (workspace: Workspace, context: Selecting): RewindOptions => {
  const { scope, git, outside, keepMine, allSessions, by, paths, hunks } = context;
  return {
    scope,
    git,
    outside,
    keepMine,
    allSessions,
    by,
    only: paths?.map((path) => pathIn(workspace, path)),
    hunks: hunks?.map((hunk) => ({ ...hunk, path: pathIn(workspace, hunk.path) })),
    choice: choiceOf(workspace, context),
  };
};
