import { join } from 'node:path';
import { now } from '../../host/index.ts';
import { STORE } from '../core/locate.ts';
import type { Workspace } from '../core/workspace.ts';
import { rememberCheck } from '../health/store-memo.ts';
import type { Settings } from '../settings/settings.ts';
import { type CheckReport, checkStore } from './check.ts';
import { diskUse } from './disk-use.ts';
import { collectGarbage, type GcOptions, type GcReport } from './gc.ts';
import { type PrunePlan, prune } from './prune.ts';
import { noteUpkeep, readUpkeepMemo } from './upkeep-memo.ts';

export interface MaintainOptions extends GcOptions {
  /** How many bytes the workspace may take; what the settings say unless given. */
  readonly allowance?: number | undefined;
}

export interface MaintenanceReport {
  /** How the store was found. Where something is damaged, nothing is given up. */
  readonly check: CheckReport;
  /** What was given up as too old or too many, and what to make room. */
  readonly pruned: PrunePlan['goes'];
  readonly gc: GcReport;
}

/**
 * Does for a store what it needs from time to time. What has to go to make room is known only once the store is packed. It becomes free at
 * once where that is wanted `now`, and else with a later packing: those who look at it can.
 */
export const maintain = async (workspace: Workspace, options: MaintainOptions = {}): Promise<MaintenanceReport> => {
  const { allowance = workspace.settings['retention.maxBytes'], ...rest } = options;
  // Noted first: what fails is not tried again at once.
  noteUpkeep(workspace, { begunAt: now().toISOString() });
  const check = await checkStore(workspace, { full: false });
  rememberCheck(workspace, check);
  // What is worth keeping is not to be told by half of the log.
  const isWhole = check.damage.length === 0;
  const outdated = isWhole ? await prune(workspace, { allowance: Number.POSITIVE_INFINITY }) : NONE;
  const isOver = (): boolean => bytesOf(workspace) > allowance;
  // What was given up to make room is to become free, be it ever so little.
  const isWaiting = (readUpkeepMemo(workspace).pending ?? 0) > 0;
  const gc = await collectGarbage(workspace, { ...rest, asNeeded: rest.asNeeded === true && !isWaiting && !isOver() });
  const surplus = isWhole && isOver() ? await prune(workspace, { allowance, weighs: true }) : NONE;
  if (surplus.goes.length > 0 && rest.now) {
    const { after } = await collectGarbage(workspace, rest);
    return { check, pruned: [...outdated.goes, ...surplus.goes], gc: { ...gc, after } };
  }
  const frees = surplus.frees ?? 0;
  if (frees > 0) noteUpkeep(workspace, { pending: (readUpkeepMemo(workspace).pending ?? 0) + frees, pendingSince: now().toISOString() });
  return { check, pruned: [...outdated.goes, ...surplus.goes], gc };
};

const NONE: Pick<PrunePlan, 'goes' | 'frees'> = { goes: [], frees: 0 };

/** What a store takes on disk, without what was given up to make room and is about to be free. */
export const bytesOf = ({ data }: Pick<Workspace, 'data'>): number =>
  Math.max(0, diskUse(join(data, STORE)).bytes - (readUpkeepMemo({ data }).pending ?? 0));

/** Whether it is time to look after the store. */
export const isUpkeepDue = (workspace: Workspace, settings: Settings = workspace.settings): boolean => {
  const { begunAt } = readUpkeepMemo(workspace);
  const age = begunAt === undefined ? Number.POSITIVE_INFINITY : now().getTime() - Date.parse(begunAt);
  // A time to come is one of a clock that was wrong.
  return workspace.isProtected && Math.abs(age) >= settings['upkeep.everyHours'] * 3_600_000;
};
