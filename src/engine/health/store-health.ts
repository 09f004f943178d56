import { statfsSync } from 'node:fs';
import { now } from '../../host/index.ts';
import { OPERATIONS } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { GitConcern, GitVerdict } from '../git/git-health.ts';
import { unlessDamaged } from '../read/record-changes.ts';
import { findLogLoss } from '../upkeep/log-loss.ts';
import { readUpkeepMemo } from '../upkeep/upkeep-memo.ts';
import { type LastCheck, lastCheck } from './store-memo.ts';
import { type StoreSize, sizeOfStore } from './store-size.ts';

/** What a look at the store finds without reading all of it. */
export interface StoreLook {
  readonly verdict: GitVerdict;
  readonly checkedAt: string;
  readonly concerns: readonly GitConcern[];
}

export interface StoreHealth extends StoreLook {
  readonly size: StoreSize;
  /** Null where it is not known. */
  readonly lastGc: string | null;
  readonly lastCheck: LastCheck | null;
}

/** Less than this is little for a store that grows with every step. */
const LITTLE_SPACE = 500_000_000;

/** So many loose objects make everything slower, and much larger than it need be. */
const MANY_LOOSE = 20_000;

/** The store as it is now. Reads little, changes nothing. */
export const readStoreHealth = (workspace: Workspace): StoreHealth => {
  const size = sizeOfStore(workspace.storePath);
  const check = lastCheck(workspace);
  const concerns = concernsOf(workspace, size, check);
  return {
    verdict: worstOf(concerns),
    checkedAt: now().toISOString(),
    concerns,
    size,
    lastGc: readUpkeepMemo(workspace).packedAt ?? null,
    lastCheck: check ?? null,
  };
};

const worstOf = (concerns: readonly GitConcern[]): GitVerdict => {
  const has = (verdict: GitVerdict): boolean => concerns.some((concern) => concern.verdict === verdict);
  return has('critical') ? 'critical' : has('warning') ? 'warning' : 'good';
};

const concernsOf = (workspace: Workspace, { looseObjects }: StoreSize, check: LastCheck | undefined): GitConcern[] => {
  const { objects, log, refs } = workspace.store;
  const isNewestThere = unlessDamaged(() => log.newest !== undefined, false);
  const broken = objects.damagedPacks.length + refs.torn(OPERATIONS).length;
  const missing = unlessDamaged(() => findLogLoss(workspace)?.operations ?? 0, 0);
  const { bavail, bsize } = statfsSync(workspace.data);
  const concern = (isSo: boolean, verdict: GitConcern['verdict'], reason: string, command: string | null): GitConcern[] =>
    isSo ? [{ verdict, reason, command }] : [];
  return [
    ...concern(!isNewestThere, 'critical', 'The newest record can not be read', 'retake check'),
    ...concern(
      missing > 0,
      'critical',
      `${missing} ${missing === 1 ? 'operation is' : 'operations are'} missing from the log; nothing is deleted until that is repaired`,
      'retake repair',
    ),
    ...concern(broken > 0, 'critical', `${broken} packs or refs of the store can not be read`, 'retake check'),
    ...concern(check?.problem != null, 'critical', `The last check found a problem: ${check?.problem}`, 'retake check'),
    ...concern(bavail * bsize < LITTLE_SPACE, 'warning', `Only ${Math.floor((bavail * bsize) / 1e6)} MB are free where the store is`, null),
    ...concern(looseObjects > MANY_LOOSE, 'warning', `${looseObjects} objects of the store are not packed`, 'retake gc'),
  ];
};
