import { type MergeChoice, type OperationId, RetakeError, type SessionId } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { KeepOptions, KeepResult } from '../keep/keep.ts';
import { assertCanCommit, type KeepPlan } from '../keep/keep-plan.ts';
import type { RollbackRequest } from '../rewind/plan.ts';
import { resolveUndo } from '../rewind/request.ts';
import {
  closeRecovery,
  type RecoverRequest,
  type Recovery,
  recoveryToAbort,
  refuseWhileUnderWay,
  resolveContinue,
  resolveRecover,
} from './recover.ts';
import { commitRecovery, planRecoveryCommits } from './recover-commit.ts';
import type { ReplayChoice } from './replay-request.ts';
import { rolledBackSteps } from './rolled-back-steps.ts';

/** A recovery on its way from what was asked for to its end. Whoever has one carries its plan out, and finishes it. */
export interface Recovering {
  /** Null where nothing is left to be done in the files. */
  readonly recovery: Recovery | null;
  readonly commits: boolean;
  /** The record of what it goes on with. */
  readonly goesOnWith: OperationId | null;
}

/** What becomes of it in git: `later` while something has to be settled first. */
export type RecoveryInGit<T> = T | 'nothing' | 'later' | 'unasked';

export const beginRecovery = async (workspace: Workspace, addresses: readonly string[], request: RecoverRequest) => {
  const { commit: commits = false } = request;
  if (commits) await assertCanCommit(workspace);
  return { recovery: await resolveRecover(workspace, addresses, request), commits, goesOnWith: null } satisfies Recovering;
};

/** The same for all that was rolled back of a session. */
export const beginRecoveryOf = (workspace: Workspace, session: SessionId, request: RecoverRequest) => {
  // What is under way may have brought all of it back, and is to be heard of all the same.
  refuseWhileUnderWay(workspace);
  return beginRecovery(workspace, rolledBackSteps(workspace, session), request);
};

/** Goes on with the one that stopped for something to be finished by hand. */
export const continueRecovery = async (
  workspace: Workspace,
  choice: ReplayChoice,
): Promise<Recovering & { readonly goesOnWith: OperationId }> => {
  const { recovery, commits, rest } = await resolveContinue(workspace, choice);
  if (commits) await assertCanCommit(workspace);
  return { recovery: rest, commits, goesOnWith: recovery };
};

/** The commits that it would become, by the conflicts of its plan. */
export const commitsToBe = async (
  workspace: Workspace,
  { recovery, commits, goesOnWith }: Recovering,
  conflicts: readonly { readonly choice: MergeChoice | null }[] = [],
): Promise<RecoveryInGit<KeepPlan>> => {
  if (!commits) return 'unasked';
  if (conflicts.some(({ choice }) => choice === null || choice === 'manual')) return 'later';
  return (await planRecoveryCommits(workspace, recovery, goesOnWith)) ?? 'nothing';
};

/** When its plan is carried out, by the record of that: makes the commits that were asked for, and closes what has no more to come. */
export const finishRecovery = async (
  workspace: Workspace,
  { commits, goesOnWith }: Recovering,
  done: { readonly id: OperationId; readonly left?: object | undefined } | null,
  { onOutput, shown }: KeepOptions = {},
): Promise<RecoveryInGit<KeepResult>> => {
  // Where the rest changes nothing there is no record that could tell.
  const last = done?.id ?? goesOnWith;
  if (commits && last !== null && done?.left === undefined) {
    return (await commitRecovery(workspace, last, { takesBack: done !== null, onOutput, shown })) ?? 'nothing';
  }
  if (done === null && goesOnWith !== null) await closeRecovery(workspace, goesOnWith);
  if (!commits) return 'unasked';
  return done === null ? 'nothing' : 'later';
};

/** Taking back the newest part of the recovery under way, and how many come before it: those begin where this one ends. */
export const resolveAbort = (workspace: Workspace): { readonly request: RollbackRequest; readonly before: number } => {
  const [newest, ...before] = recoveryToAbort(workspace);
  return { request: resolveUndo(workspace, newest), before: before.length };
};

/**
 * Takes back what the recovery under way did, the newest part first: killed in between, the rest is still a recovery that can be gone on with
 * or taken back. `undo` is told how many parts are taken back already, and tells the record of each, null where nothing had to change.
 */
export const abortRecovery = async (
  workspace: Workspace,
  undo: (request: RollbackRequest, done: number) => Promise<OperationId | null>,
): Promise<(OperationId | null)[]> => {
  const undone: (OperationId | null)[] = [];
  for (const part of recoveryToAbort(workspace)) {
    const record = await undo(resolveUndo(workspace, part), undone.length).catch((error: unknown) => {
      throw undone.length > 0 ? abortedInPart(error, undone) : error;
    });
    // Taken back by hand already: no record tells.
    if (record === null) await closeRecovery(workspace, part);
    undone.push(record);
  }
  return undone;
};

/** What was taken back is told, whatever kept the rest from it. */
const abortedInPart = (error: unknown, undone: readonly (OperationId | null)[]): unknown =>
  error instanceof RetakeError
    ? new RetakeError(error.code, `A part of the recovery is taken back, the rest is not: ${error.message}`, {
        hint: 'It is still under way: go on with taking it back, or with the recovery.',
        details: { ...error.details, undone },
        cause: error,
      })
    : error;
