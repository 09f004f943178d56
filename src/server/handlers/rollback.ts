import type { Body, Routes } from '../../api/index.ts';
import {
  type AddressOptions,
  agentSession,
  aimDiscard,
  aimRewind,
  aimSessionStart,
  aimUndo,
  findCheckpoint,
  plannedBranch,
  type RewindRequest,
  readRollbacks,
  turnsMeantBy,
  type Workspace,
} from '../../engine/index.ts';
import { RetakeError } from '../../model/index.ts';
import { rollbackEntryJson } from '../../shapes/rollbacks.ts';
import { carryOut, propose } from '../carry-out.ts';
import { choiceOf } from '../choice.ts';
import type { Asked, HandlersOf } from '../handler.ts';
import type { Job } from '../jobs.ts';
import { pageOf } from '../page.ts';
import { pathIn } from '../paths.ts';
import { asJob, branchesJson, perform } from '../perform.ts';
import { branchOf, wishOf } from '../recovery-branch.ts';

type Names = 'previewRollback' | 'previewCheckpoint' | 'rollBack' | 'rollBackSession' | 'discardSession' | 'listRollbacks' | 'undoRollback';

export const rollbackHandlers: HandlersOf<Names> = {
  previewRollback: (asked) => {
    const { workspace, params, query } = asked;
    const { branch, ...selecting } = query;
    const address = addressOf(workspace, params, branch);
    return preview('previewRollback', { ...asked, query: selecting }, address, {
      session: turnsMeantBy(workspace, params.session),
      branch,
    });
  },
  previewCheckpoint: (asked) => preview('previewCheckpoint', asked, asked.params.checkpoint),
  rollBack: (asked) => {
    const { workspace, params, query, body, shared } = asked;
    const session = turnsMeantBy(workspace, params.session);
    const address = addressOf(workspace, params, query.branch);
    const aim = aimRewind(workspace, address, { ...requestOf(workspace, body), session, branch: query.branch });
    return asJob(asked, 'rollBack', async (job) => {
      // What can be known to fail is refused before anything is changed.
      const planned = await plannedBranch(workspace, aim, wishOf(body));
      const done = await carryOut(workspace, aim, body, job);
      const branch = await branchOf(workspace, planned, done.safetyCheckpoint, shared.log);
      return { ...done, steps: done.steps ?? [], ...branch };
    });
  },
  rollBackSession: (asked) => {
    const { workspace, params, body } = asked;
    const session = agentSession(workspace, params.session);
    return perform(asked, 'rollBackSession', aimSessionStart(workspace, session, requestOf(workspace, body)));
  },
  discardSession: (asked) => {
    const { workspace, params, body } = asked;
    const session = agentSession(workspace, params.session);
    return perform(asked, 'discardSession', aimDiscard(workspace, { session, all: body.all, ...choiceOf(workspace, body) }));
  },
  listRollbacks: ({ workspace, query }) => {
    const { items, total, next } = pageOf(readRollbacks(workspace, query), ({ rollback }) => rollback.id, query);
    return { rollbacks: items.map(rollbackEntryJson), total, next };
  },
  undoRollback: (asked) => perform(asked, 'undoRollback', aimUndo(asked.workspace, asked.params.rollback)),
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

type Previewing = Pick<Asked<Routes['previewCheckpoint']>, 'workspace' | 'shared' | 'query' | 'signal'>;

const preview = (kind: Names, { workspace, shared, query, signal }: Previewing, address: string, where: AddressOptions = {}) => {
  const { path, hunks: patch, createRecoveryBranch, recoveryBranchName, pushRecoveryBranch, job, ...selection } = query;
  const aim = aimRewind(workspace, address, { ...requestOf(workspace, { ...selection, paths: path }), ...where });
  return asJob({ workspace, shared, body: { job } }, kind, async (running) => {
    const plan = await propose(workspace, aim, untilHungUp(running, signal), { patch });
    const planned = await plannedBranch(workspace, aim, wishOf({ createRecoveryBranch, recoveryBranchName, pushRecoveryBranch }));
    return { ...plan, ...(await branchesJson(workspace, aim, planned)) };
  });
};

/** A plan that nobody waits for any more is not made. */
const untilHungUp = (job: Job, signal: AbortSignal): Job => ({ ...job, signal: AbortSignal.any([job.signal, signal]) });

type Selecting = Pick<
  Body<Routes['rollBack']>,
  'scope' | 'git' | 'outside' | 'keepMine' | 'allSessions' | 'by' | 'onConflict' | 'paths' | 'hunks'
> &
  Partial<Pick<Body<Routes['rollBack']>, 'resolve'>>;

const requestOf = (workspace: Workspace, asked: Selecting): RewindRequest => {
  const { scope, git, outside, keepMine, allSessions, by, paths, hunks } = asked;
  return {
    scope,
    git,
    outside,
    keepMine,
    allSessions,
    by,
    only: paths?.map((path) => pathIn(workspace, path)),
    hunks: hunks?.map((hunk) => ({ ...hunk, path: pathIn(workspace, hunk.path) })),
    choice: choiceOf(workspace, asked),
  };
};
