import type { Progress } from '../daemon/calls.ts';
import { throughDaemon } from '../daemon/through.ts';
import {
  type Aim,
  previewRollback,
  type RollbackOptions,
  type RollbackPlan,
  type RollbackResult,
  rollBack,
  type Workspace,
} from '../engine/index.ts';
import { ProgressLine } from './progress.ts';

/** Somebody who follows the work, and may end it. */
export interface Watch {
  readonly onScan: (files: number) => void;
  readonly onApply: (done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The plan alone; changes nothing. */
export const preview = (workspace: Workspace, aim: Aim, watch: Watch): Promise<RollbackPlan> =>
  throughDaemon(workspace, {
    name: 'preview',
    args: { aim },
    onProgress: telling(watch),
    signal: watch.signal,
    here: () => previewRollback(workspace, aim, watch),
  });

/** Carries a plan out: the one that was shown, or else none. */
export const carryOut = (
  workspace: Workspace,
  aim: Aim,
  options: Pick<RollbackOptions, 'expectedTree' | 'shown'>,
  watch: Watch,
): Promise<RollbackResult> =>
  throughDaemon(workspace, {
    name: 'rollback',
    args: { aim, options },
    onProgress: telling(watch),
    signal: watch.signal,
    here: () => rollBack(workspace, aim, { ...options, ...watch }),
  });

const telling =
  ({ onScan, onApply }: Watch) =>
  (progress: Progress): void =>
    'files' in progress ? onScan(progress.files) : onApply(progress.done, progress.total);

/** Work that a line on stderr tells of while it goes on. */
export const watched = <T>(work: (watch: Watch) => Promise<T>): Promise<T> => {
  const scanning = new ProgressLine('Files looked at');
  const writing = new ProgressLine('Changes made');
  return work({ onScan: scanning.update, onApply: writing.update }).finally(() => {
    scanning.end();
    writing.end();
  });
};
