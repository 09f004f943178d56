import { join } from 'node:path';
import { Lock } from '../../host/index.ts';
import type { Workspace } from '../core/workspace.ts';

/**
 * Held while commits of steps are pending or made, so that what else moves the branch waits for them, and they for it. Recording takes the
 * workspace's lock alone and waits for neither. Who needs both takes this one first.
 */
export const commitLock = ({ data }: Pick<Workspace, 'data'>): Lock => new Lock(join(data, 'commit-lock'));

/** Runs what may move the branch, or tells how it would, when the commits of steps that are under way are made. Not for who has the workspace's lock. */
export const betweenCommits = async <T>(
  workspace: Workspace,
  work: () => Promise<T>,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<T> => {
  if (workspace.settings['history.mode'] !== 'branch' || !workspace.isProtected) return work();
  const lock = commitLock(workspace);
  try {
    return await lock.hold(work, { signal });
  } finally {
    lock.close();
  }
};
