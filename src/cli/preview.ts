import { throughDaemon } from '../daemon/through.ts';
import { type Aim, previewRollback, type RollbackPlan, type Workspace } from '../engine/index.ts';
import { ProgressLine } from './progress.ts';

/** The plan alone; changes nothing. */
export const preview = (workspace: Workspace, aim: Aim): Promise<RollbackPlan> => {
  const scanning = new ProgressLine('Files looked at');
  return throughDaemon(workspace, {
    name: 'preview',
    args: { aim },
    onProgress: (progress) => 'files' in progress && scanning.update(progress.files),
    here: () => previewRollback(workspace, aim, { onScan: scanning.update }),
  }).finally(() => scanning.end());
};
