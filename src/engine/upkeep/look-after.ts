import { now } from '../../host/index.ts';
import type { Workspace } from '../workspace.ts';
import { collectGarbage, type GcOptions, type GcReport } from './gc.ts';
import { noteUpkeep, readUpkeepMemo } from './upkeep-memo.ts';

/** Does for a store what it needs from time to time, as far as it is worth it; nobody waits for it. */
export const lookAfter = async (workspace: Workspace, options: Pick<GcOptions, 'signal' | 'onProgress'> = {}): Promise<GcReport> => {
  // Noted first: what fails is not tried again at once.
  noteUpkeep(workspace, { begunAt: now().toISOString() });
  return collectGarbage(workspace, { ...options, asNeeded: true });
};

/** Whether it is time to look after the store. */
export const isUpkeepDue = (workspace: Workspace): boolean => {
  const { begunAt } = readUpkeepMemo(workspace);
  const age = begunAt === undefined ? Number.POSITIVE_INFINITY : now().getTime() - Date.parse(begunAt);
  // A time to come is one of a clock that was wrong.
  return workspace.isProtected && Math.abs(age) >= workspace.settings['upkeep.everyHours'] * 3_600_000;
};
