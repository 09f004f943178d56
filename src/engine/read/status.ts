import { exists } from '../../host/index.ts';
import { type Recorded, type Rollback, toText } from '../../model/index.ts';
import { whyUnsuitable } from '../core/locate.ts';
import type { Workspace } from '../core/workspace.ts';
import type { GitHealth } from '../git/git-health.ts';
import { lastGitHealth } from '../git/git-health-memo.ts';
import type { StoreLook } from '../health/store-health.ts';
import { lastLook } from '../health/store-memo.ts';
import { readStepsLeft, type StepsLeft } from '../keep/commit-steps.ts';
import type { Settings } from '../settings/settings.ts';
import { type DiskUse, diskUse } from '../upkeep/disk-use.ts';
import { findLogLoss } from '../upkeep/log-loss.ts';

/** What is quickly told of a workspace. */
export interface Overview {
  readonly protected: boolean;
  readonly checkpoints: number;
  readonly rollbacks: number;
  readonly newest: { id: string; createdAt: string; description: string } | null;
}

export interface Status extends Overview {
  readonly workspace: string;
  readonly store: string;
  /** Why nothing can be recorded here, and what could be done; null where it can. */
  readonly refused: { readonly message: string; readonly hint: string | null } | null;
  /** What the store takes on disk, and what it may take before something is pruned. */
  readonly storage: DiskUse & { readonly maxBytes: number; readonly maxCheckpoints: number };
  /** What was recorded and is not in the log any more; nothing is deleted until that is repaired. Null where the log is whole. */
  readonly missing: {
    readonly operations: number;
    /** Those of which the index still tells, newest first. */
    readonly known: readonly { readonly id: string; readonly createdAt: string; readonly description: string }[];
  } | null;
  /** A rollback is being carried out by another process right now. */
  readonly rollbackUnderWay: boolean;
  /** Checkpoints made later than their event, so that they may hold more than was there then. */
  readonly late: number;
  /** Rollbacks that ended with some paths in between. */
  readonly incomplete: readonly { id: string; leftAlone: readonly { path: string; reason: string }[] }[];
  readonly history: {
    readonly mode: Settings['history.mode'];
    /** What becomes one commit. */
    readonly batch: Settings['history.batch'];
    /** Steps that are in no commit although they should be, and why; null where there are none. */
    readonly left: StepsLeft | null;
  };
  /** How the last look at the user's repository ended; null where there was none. */
  readonly gitHealth: Pick<GitHealth, 'verdict' | 'checkedAt' | 'concerns'> | null;
  /** The same of the store. */
  readonly storeHealth: StoreLook | null;
}

const NOTHING: Overview = { protected: false, checkpoints: 0, rollbacks: 0, newest: null };

export const readOverview = ({ isProtected, index }: Workspace): Overview => {
  if (!isProtected) return NOTHING;
  const newest = index.newestContent();
  return {
    protected: true,
    checkpoints: index.countAfter(0).checkpoints,
    rollbacks: index.rollbacks().length,
    newest: newest === undefined ? null : { id: newest.id, createdAt: newest.createdAt, description: newest.description },
  };
};

export const readStatus = (workspace: Workspace): Status => {
  const { 'history.mode': mode, 'history.batch': batch } = workspace.settings;
  const why = whyUnsuitable(workspace.root, workspace.settings);
  const refused = why && { message: why.message, hint: why.hint ?? null };
  const base = { workspace: toText(workspace.root), store: workspace.storePath, refused, storage: storageOf(workspace) };
  if (!workspace.isProtected) {
    return {
      ...base,
      ...NOTHING,
      missing: null,
      rollbackUnderWay: false,
      late: 0,
      incomplete: [],
      history: { mode, batch, left: null },
      gitHealth: null,
      storeHealth: null,
    };
  }
  const { index } = workspace;
  const rollbacks = index.rollbacks().map(({ operation }) => operation as Recorded<Rollback>);
  return {
    ...base,
    ...readOverview(workspace),
    missing: missingFrom(workspace),
    rollbackUnderWay: exists(workspace.journalPath),
    late: index.countLate(),
    incomplete: rollbacks.filter(({ outcome }) => outcome === 'incomplete').map(({ id, leftAlone }) => ({ id, leftAlone })),
    history: { mode, batch, left: mode === 'branch' ? readStepsLeft(workspace) : null },
    gitHealth: lastVerdict(workspace),
    storeHealth: lastLook(workspace) ?? null,
  };
};

const missingFrom = (workspace: Workspace): Status['missing'] => {
  const loss = findLogLoss(workspace);
  return loss && { ...loss, known: loss.known.map(({ id, createdAt, description }) => ({ id, createdAt, description })) };
};

const storageOf = ({ storePath, settings }: Workspace): Status['storage'] => ({
  ...diskUse(storePath),
  maxBytes: settings['retention.maxBytes'],
  maxCheckpoints: settings['retention.maxCheckpoints'],
});

const lastVerdict = (workspace: Workspace): Status['gitHealth'] => {
  const health = lastGitHealth(workspace);
  return health === undefined ? null : { verdict: health.verdict, checkedAt: health.checkedAt, concerns: health.concerns };
};
