import { now } from '../../host/index.ts';
import { findRepository } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { checkGitHealth, checkGitHealthDaily, type GitHealth } from '../git/git-health.ts';
import { limitsBy, type TimedKind } from '../timing/kinds.ts';
import { readSlow } from '../timing/slow-log.ts';
import type { SlowOperation } from '../timing/stopwatch.ts';
import { readTallies } from '../timing/timing-file.ts';
import { slowLogOf, timingFileOf } from '../timing/timings.ts';
import { readStoreHealth, type StoreHealth } from './store-health.ts';
import { lastLook, rememberLook } from './store-memo.ts';

/** How the user's git, the store and the program are doing. */
export interface Health {
  /** Null where there is no repository. */
  readonly git: GitHealth | null;
  /** Null where nothing is recorded. */
  readonly store: StoreHealth | null;
  readonly timings: { readonly since: string | null; readonly operations: readonly OperationTimes[] };
  /** What took longer than it may, the newest first. */
  readonly slow: readonly SlowOperation[];
}

/** How long operations of one kind took, in milliseconds. */
export interface OperationTimes {
  readonly kind: TimedKind;
  readonly count: number;
  readonly mean: number;
  readonly slowest: number;
  /** What they may take; null for what takes as long as it takes. */
  readonly limit: number | null;
  readonly slow: number;
  readonly last: string;
}

const SHOWN_SLOW = 20;

export const readHealth = async (workspace: Workspace): Promise<Health> => {
  const git = findRepository(workspace.root) === undefined ? null : await checkGitHealth(workspace);
  const { since, tallies } = readTallies(timingFileOf(workspace.data));
  const limits = limitsBy(workspace.settings);
  const operations = [...tallies].map(([kind, { count, total, slowest, slow, last }]): OperationTimes => {
    return { kind, count, mean: tenths(total / count), slowest: tenths(slowest), limit: limits[kind] ?? null, slow, last };
  });
  return {
    git,
    store: workspace.isProtected ? readStoreHealth(workspace) : null,
    timings: { since, operations },
    slow: readSlow(slowLogOf(workspace.data), SHOWN_SLOW),
  };
};

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

const DAY = 86_400_000;

/** Looks at the user's git and at the store, when the last look was a day ago. Only at what is cheap: `check` reads everything. */
export const checkHealthDaily = async (workspace: Workspace): Promise<void> => {
  await checkGitHealthDaily(workspace);
  const last = Date.parse(lastLook(workspace)?.checkedAt ?? '');
  if (Math.abs(now().getTime() - last) < DAY || !workspace.isProtected) return;
  const { verdict, checkedAt, concerns } = readStoreHealth(workspace);
  rememberLook(workspace, { verdict, checkedAt, concerns });
};
