import { exists } from '../host/index.ts';
import { type Recorded, type Rollback, toText } from '../model/index.ts';
import type { GitHealth } from './git/git-health.ts';
import { lastGitHealth } from './git/git-health-memo.ts';
import type { StoreLook } from './health/store-health.ts';
import { lastLook } from './health/store-memo.ts';
import { readStepsLeft, type StepsLeft } from './keep/commit-steps.ts';
import { whyUnsuitable } from './locate.ts';
import type { Settings } from './settings.ts';
import { type DiskUse, diskUse } from './upkeep/disk-use.ts';
import type { Workspace } from './workspace.ts';

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
  /** A rollback is being carried out by another process right now. */
  readonly rollbackUnderWay: boolean;
  /** Checkpoints made later than their event, so that they may hold more than was there then. */
  readonly late: number;
  /** Rollbacks that ended with some paths in between. */
  readonly incomplete: readonly { id: string; leftAlone: readonly { path: string; reason: string }[] }[];
  readonly history: {
    readonly mode: Settings['history.mode'];
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
  const mode = workspace.settings['history.mode'];
  const why = whyUnsuitable(workspace.root, workspace.settings);
  const refused = why && { message: why.message, hint: why.hint ?? null };
  const base = { workspace: toText(workspace.root), store: workspace.storePath, refused, storage: storageOf(workspace) };
  if (!workspace.isProtected) {
    return {
      ...base,
      ...NOTHING,
      rollbackUnderWay: false,
      late: 0,
      incomplete: [],
      history: { mode, left: null },
      gitHealth: null,
      storeHealth: null,
    };
  }
  const { index } = workspace;
  const rollbacks = index.rollbacks().map(({ operation }) => operation as Recorded<Rollback>);
  return {
    ...base,
    ...readOverview(workspace),
    rollbackUnderWay: exists(workspace.journalPath),
    late: index.countLate(),
    incomplete: rollbacks.filter(({ outcome }) => outcome === 'incomplete').map(({ id, leftAlone }) => ({ id, leftAlone })),
    history: { mode, left: mode === 'branch' ? readStepsLeft(workspace) : null },
    gitHealth: lastVerdict(workspace),
    storeHealth: lastLook(workspace) ?? null,
  };
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
