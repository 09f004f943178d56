import { join } from 'node:path';
import { effects, now, readIfExists, replaceFile } from '../../host/index.ts';
import { RetakeError } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { CheckReport } from '../upkeep/check.ts';
import type { StoreLook } from './store-health.ts';

/** How the last look at everything in the store ended. */
export interface LastCheck {
  readonly at: string;
  /** Every byte was read. */
  readonly full: boolean;
  /** Null where all was well. */
  readonly problem: string | null;
}

const lookMemo = ({ data }: Workspace): string => join(data, 'store-health.json');
const checkMemo = ({ data }: Workspace): string => join(data, 'store-check.json');

export const rememberLook = (workspace: Workspace, look: StoreLook): void => remember(lookMemo(workspace), look);

/** It was so before a repair. */
export const forgetLook = (workspace: Workspace): void => effects.removeTree(lookMemo(workspace));

/** What was found at the last daily look; undefined where there was none. */
export const lastLook = (workspace: Workspace): StoreLook | undefined => {
  const value = recall(lookMemo(workspace)) as StoreLook | undefined;
  return typeof value?.verdict === 'string' && typeof value.checkedAt === 'string' && Array.isArray(value.concerns) ? value : undefined;
};

/** What reading everything found, a quick look does not make good. */
export const rememberCheck = (workspace: Workspace, { damage, full }: Pick<CheckReport, 'damage' | 'full'>): void => {
  const before = lastCheck(workspace);
  if (!full && damage.length === 0 && before?.full === true && before.problem !== null) return;
  const problem = damage.length === 0 ? null : `${damage.length} of its files, objects and refs are damaged`;
  remember(checkMemo(workspace), { at: now().toISOString(), full, problem } satisfies LastCheck);
};

export const lastCheck = (workspace: Workspace): LastCheck | undefined => {
  const value = recall(checkMemo(workspace)) as LastCheck | undefined;
  return typeof value?.at === 'string' && (value.problem === null || typeof value.problem === 'string') ? value : undefined;
};

const remember = (path: string, value: unknown): void => {
  try {
    replaceFile(path, Buffer.from(JSON.stringify(value)));
  } catch (error) {
    // What was found counts, not the copy of it.
    if (!(error instanceof RetakeError)) throw error;
  }
};

const recall = (path: string): unknown => {
  try {
    return JSON.parse(readIfExists(path)?.toString() ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
};
