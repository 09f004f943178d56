import { join } from 'node:path';
import { readIfExists, replaceFile } from '../../host/index.ts';
import { RetakeError } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { GitHealth } from './git-health.ts';

const memoOf = ({ data }: Workspace): string => join(data, 'git-health.json');

export const rememberGitHealth = (workspace: Workspace, health: GitHealth): void => {
  try {
    replaceFile(memoOf(workspace), Buffer.from(JSON.stringify(health)));
  } catch (error) {
    // The verdict counts, not its copy.
    if (!(error instanceof RetakeError)) throw error;
  }
};

/** The verdict of the last look; undefined where there was none. */
export const lastGitHealth = (workspace: Workspace): GitHealth | undefined => {
  try {
    const value = JSON.parse(readIfExists(memoOf(workspace))?.toString() ?? 'null');
    return typeof value?.verdict === 'string' && typeof value.checkedAt === 'string' && Array.isArray(value.concerns) ? value : undefined;
  } catch {
    return undefined;
  }
};
