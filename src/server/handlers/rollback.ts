import type { Body, Routes } from '../../api/index.ts';
import {
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
  usualBranch,
  type Workspace,
} from '../../engine/index.ts';
import type { SessionId } from '../../model/index.ts';
import { plannedBranchJson } from '../../shapes/recovery-branch.ts';
import { rollbackEntryJson } from '../../shapes/rollbacks.ts';
import { carryOut, propose } from '../carry-out.ts';
import { choiceOf } from '../choice.ts';
import type { Asked, HandlersOf } from '../handler.ts';
import type { Job } from '../jobs.ts';
import { pageOf } from '../page.ts';
import { pathIn } from '../paths.ts';
import { asJob, perform } from '../perform.ts';
import { branchOf } from '../recovery-branch.ts';

type Names = 'previewRollback' | 'previewCheckpoint' | 'rollBack' | 'rollBackSession' | 'discardSession' | 'listRollbacks' | 'undoRollback';

export const rollbackHandlers: HandlersOf<Names> = {
  previewRollback: (asked) => {
    const { workspace, params, query } = asked;
    const { branch, ...selecting } = query;
    const { id } = findCheckpoint(workspace, params.session, params.checkpoint, branch);
    return preview('previewRollback', { ...asked, query: selecting }, id, turnsMeantBy(workspace, params.session));
  },
  previewCheckpoint: (asked) => preview('previewCheckpoint', asked, asked.params.checkpoint),
  rollBack: (asked) => {
    const { workspace, params, query, body, shared } = asked;
    const session = turnsMeantBy(workspace, params.session);
    const { id } = findCheckpoint(workspace, params.session, params.checkpoint, query.branch);
    const aim = aimRewind(workspace, id, { ...requestOf(workspace, body), session });
    return asJob(asked, 'rollBack', async (job) => {
      const { createRecoveryBranch: wanted, recoveryBranchName: name } = body;
      // What can be known to fail is refused before anything is changed.
      const planned = await plannedBranch(workspace, aim, { wanted, name });
      const done = await carryOut(workspace, aim, body, job);
      const branch = await branchOf(workspace, planned, done.safetyCheckpoint, { name, log: shared.log });
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
    const { items, total, next } = pageOf(readRollbacks(workspace), ({ rollback }) => rollback.id, query);
    return { rollbacks: items.map(rollbackEntryJson), total, next };
  },
  undoRollback: (asked) => perform(asked, 'undoRollback', aimUndo(asked.workspace, asked.params.rollback)),
};

type Previewing = Pick<Asked<Routes['previewCheckpoint']>, 'workspace' | 'shared' | 'query' | 'signal'>;

const preview = (kind: Names, { workspace, shared, query, signal }: Previewing, address: string, session?: SessionId) => {
  const { path, hunks: patch, createRecoveryBranch: wanted, job, ...selection } = query;
  const aim = aimRewind(workspace, address, { ...requestOf(workspace, { ...selection, paths: path }), session });
  return asJob({ workspace, shared, body: { job } }, kind, async (running) => {
    const plan = await propose(workspace, aim, untilHungUp(running, signal), { patch });
    const planned = await plannedBranch(workspace, aim, { wanted });
    const usual = planned.branch ?? (await usualBranch(workspace, aim));
    return { ...plan, ...plannedBranchJson(planned), ...(usual === undefined ? {} : { usualBranch: usual }) };
  });
};

/** A plan that nobody waits for any more is not made. */
const untilHungUp = (job: Job, signal: AbortSignal): Job => ({ ...job, signal: AbortSignal.any([job.signal, signal]) });

type Selecting = Pick<Body<Routes['rollBack']>, 'scope' | 'git' | 'keepMine' | 'allSessions' | 'by' | 'onConflict' | 'paths' | 'hunks'> &
  Partial<Pick<Body<Routes['rollBack']>, 'resolve'>>;

const requestOf = (workspace: Workspace, asked: Selecting): RewindRequest => {
  const { scope, git, keepMine, allSessions, by, paths, hunks } = asked;
  return {
    scope,
    git,
    keepMine,
    allSessions,
    by,
    only: paths?.map((path) => pathIn(workspace, path)),
    hunks: hunks?.map((hunk) => ({ ...hunk, path: pathIn(workspace, hunk.path) })),
    choice: choiceOf(workspace, asked),
  };
};
