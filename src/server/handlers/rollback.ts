import type { Body, Query, Routes } from '../../api/index.ts';
import {
  type Aim,
  aimDiscard,
  aimRewind,
  aimSessionStart,
  aimUndo,
  assertCanBranch,
  findSession,
  type RewindRequest,
  readRollbacks,
  turnsMeantBy,
  type Workspace,
} from '../../engine/index.ts';
import type { SessionId } from '../../model/index.ts';
import { rollbackEntryJson } from '../../shapes/rollbacks.ts';
import { carryOut, propose, proposeOrCarryOut } from '../carry-out.ts';
import { choiceOf } from '../choices.ts';
import type { HandlersOf, Shared } from '../handler.ts';
import type { Job } from '../jobs.ts';
import { pageOf } from '../page.ts';
import { pathIn } from '../paths.ts';
import { branchOf } from '../recovery-branch.ts';
import { idOf } from '../workspaces.ts';

type Names = 'previewRollback' | 'previewCheckpoint' | 'rollBack' | 'rollBackSession' | 'discardSession' | 'listRollbacks' | 'undoRollback';

export const rollbackHandlers: HandlersOf<Names> = {
  previewRollback: ({ workspace, params, query, shared }) =>
    preview('previewRollback', workspace, shared, query, params.checkpoint, turnsMeantBy(workspace, params.session)),
  previewCheckpoint: ({ workspace, params, query, shared }) => preview('previewCheckpoint', workspace, shared, query, params.checkpoint),
  rollBack: ({ workspace, params, body, shared }) => {
    const session = turnsMeantBy(workspace, params.session);
    const aim = aimRewind(workspace, params.checkpoint, { ...requestOf(workspace, body), session });
    return asJob('rollBack', workspace, shared, body, async (job) => {
      const { createRecoveryBranch, recoveryBranchName: name } = body;
      // What can be known to fail is refused before anything is changed.
      if (createRecoveryBranch) await assertCanBranch(workspace, name);
      const done = await carryOut(workspace, aim, body, job);
      return { ...done, steps: done.steps ?? [], ...(createRecoveryBranch ? await branchOf(workspace, done.safetyCheckpoint, name) : {}) };
    });
  },
  rollBackSession: ({ workspace, params, body, shared }) => {
    const aim = aimSessionStart(workspace, findSession(workspace, params.session).id, requestOf(workspace, body));
    return change('rollBackSession', workspace, shared, body, aim);
  },
  discardSession: ({ workspace, params, body, shared }) => {
    const session = findSession(workspace, params.session).id;
    return change(
      'discardSession',
      workspace,
      shared,
      body,
      aimDiscard(workspace, { session, all: body.all, ...choiceOf(workspace, body) }),
    );
  },
  listRollbacks: ({ workspace, query }) => {
    const { items, total, next } = pageOf(readRollbacks(workspace), ({ rollback }) => rollback.id, query);
    return { rollbacks: items.map(rollbackEntryJson), total, next };
  },
  undoRollback: ({ workspace, params, body, shared }) =>
    change('undoRollback', workspace, shared, body, aimUndo(workspace, params.rollback)),
};

const asJob = <T>(
  kind: Names,
  workspace: Workspace,
  { jobs }: Shared,
  { job: id }: { readonly job?: string | undefined },
  work: (job: Job) => Promise<T>,
): Promise<T> => jobs.run({ id, kind, workspace: idOf(workspace) }, work);

const change = (kind: Names, workspace: Workspace, shared: Shared, body: Body<Routes['undoRollback']>, aim: Aim) =>
  asJob(kind, workspace, shared, body, (job) => proposeOrCarryOut(workspace, aim, body, job));

const preview = (
  kind: Names,
  workspace: Workspace,
  shared: Shared,
  query: Query<Routes['previewCheckpoint']>,
  checkpoint: string,
  session?: SessionId,
) => {
  const { path, hunks: patch, ...selection } = query;
  const aim = aimRewind(workspace, checkpoint, { ...requestOf(workspace, { ...selection, paths: path }), session });
  return asJob(kind, workspace, shared, query, (job) => propose(workspace, aim, { patch, job }));
};

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
