import { type OperationId, RetakeError, shortId } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type KeepOptions, type KeepResult, keepWork, planKeep } from '../keep/keep.ts';
import type { KeepPlan } from '../keep/keep-plan.ts';
import { resolveUndo } from '../rewind/request.ts';
import { rollBack } from '../rewind/rollback.ts';
import { closeRecovery, type Recovery } from './recover.ts';
import { plannedPart, type RecoveryPart, recordedParts } from './recovery-parts.ts';
import { recoveryUnits } from './recovery-units.ts';

/** The commits that a recovery would become, on top of those parts of it that are done; null where there would be none. */
export const planRecoveryCommits = async (
  workspace: Workspace,
  planned: Recovery | null,
  goesOnWith: OperationId | null,
): Promise<KeepPlan | null> => {
  const done = goesOnWith === null ? [] : await recordedParts(workspace, goesOnWith);
  const parts = planned === null ? done : [...done, plannedPart(planned)];
  return unlessNothing(() => planKeep(workspace, requestFor(workspace, parts)));
};

export interface CommitRecoveryOptions extends KeepOptions {
  /** Taken back should the commits be refused. */
  readonly takesBack: boolean;
}

/**
 * Makes commits of a recovery that is done, by its last record (GIT-6). Null where nothing of it belongs in one, or all is committed.
 * All of them or none: when one is refused, so is the recovery.
 */
export const commitRecovery = async (
  workspace: Workspace,
  recovery: OperationId,
  { takesBack, ...options }: CommitRecoveryOptions,
): Promise<KeepResult | null> => {
  try {
    const request = requestFor(workspace, await recordedParts(workspace, recovery));
    const made = await unlessNothing(() => keepWork(workspace, request, options));
    await closeRecovery(workspace, recovery);
    return made;
  } catch (refused) {
    if (takesBack) await takeBack(workspace, recovery, refused);
    throw refused;
  }
};

const requestFor = (workspace: Workspace, parts: readonly RecoveryPart[]) => {
  const session = workspace.store.log.read(parts.at(-1)?.known as OperationId).session;
  return { of: (present: Parameters<typeof recoveryUnits>[3]) => recoveryUnits(workspace, session, parts, present) };
};

const unlessNothing = async <T>(work: () => Promise<T>): Promise<T | null> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RetakeError)) throw error;
    if (error.code === 'nothing-to-keep') return null;
    if (error.code !== 'conflicts') throw error;
    throw new RetakeError('conflicts', error.message, {
      hint: 'Commit or stash what you changed there first, or recover without --commit.',
      details: { ...error.details },
      cause: error,
    });
  }
};

const takeBack = async (workspace: Workspace, recovery: OperationId, refused: unknown): Promise<void> => {
  try {
    await rollBack(workspace, resolveUndo(workspace, recovery));
  } catch (cause) {
    const why = refused instanceof Error ? refused.message : String(refused);
    throw new RetakeError('commit-refused', `${why}; but what was recovered is still in the files`, {
      hint: `To take it back: retake undo ${shortId(recovery)}`,
      details: { ...(refused instanceof RetakeError ? refused.details : {}), rollbackId: recovery },
      cause,
    });
  }
};
