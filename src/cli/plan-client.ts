import { throughDaemon } from '../daemon/ask-or-run.ts';
import type { Progress } from '../daemon/calls.ts';
import {
  previewRollback,
  type RollbackOptions,
  type RollbackPlan,
  type RollbackRequest,
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
export const preview = (workspace: Workspace, request: RollbackRequest, watch: Watch): Promise<RollbackPlan> =>
  throughDaemon(workspace, {
    name: 'preview',
    args: { request },
    onProgress: telling(watch),
    signal: watch.signal,
    here: () => previewRollback(workspace, request, watch),
  });

/** Carries a plan out: the one that was shown, or else none. */
export const apply = (
  workspace: Workspace,
  request: RollbackRequest,
  options: Pick<RollbackOptions, 'expectedTree' | 'shown'>,
  watch: Watch,
): Promise<RollbackResult> =>
  throughDaemon(workspace, {
    name: 'rollback',
    args: { request, options },
    onProgress: telling(watch),
    signal: watch.signal,
    here: () => rollBack(workspace, request, { ...options, ...watch }),
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
