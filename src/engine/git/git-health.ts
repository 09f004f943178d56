import { exists, now } from '../../host/index.ts';
import type { ByteString } from '../../model/index.ts';
import {
  findRepository,
  hasReftables,
  type ReflogEntry,
  ReflogExpiry,
  reachOf,
  readHead,
  readReflogs,
  type TermSetting,
  type UserRepository,
} from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { missingEntries } from '../reflog/reflog-restore.ts';
import { lastGitHealth, rememberGitHealth } from './git-health-memo.ts';
import { requireRepository } from './user-repository.ts';

export type GitVerdict = 'good' | 'warning' | 'critical';

/** Why the verdict is not good. */
export interface GitConcern {
  readonly verdict: Exclude<GitVerdict, 'good'>;
  readonly reason: string;
  /** What mends it; null where nothing does. */
  readonly command: string | null;
}

/** How safe the user's repository keeps what its refs have left behind (GIT-7). */
export interface GitHealth {
  readonly verdict: GitVerdict;
  readonly checkedAt: string;
  /** Days that entries stay in the log of HEAD or of a branch, whichever is shortest; null for ever. */
  readonly retention: RetentionDays;
  readonly concerns: readonly GitConcern[];
}

export interface RetentionDays {
  readonly reachable: number | null;
  readonly unreachable: number | null;
}

const DAY = 86_400;
/** In days. */
const CRITICAL = 7;

/** How long entries are to stay, in days. */
interface Standard {
  /** What mending sets. */
  readonly mended: number;
  /** Less is a warning. */
  readonly enough: number;
}

/** What mending sets is enough, whatever else is. */
export const standardOf = ({ settings }: Workspace): Standard => ({
  mended: settings['reflog.days'],
  enough: Math.min(settings['reflog.warnDays'], settings['reflog.days']),
});

/** Looks at the configuration and the logs, and remembers the verdict for `status`. */
export const checkGitHealth = async (workspace: Workspace): Promise<GitHealth> => {
  const repository = requireRepository(workspace);
  const [expiry, { entries }, { commit }] = await Promise.all([
    ReflogExpiry.read(repository),
    readReflogs(repository),
    readHead(repository),
  ]);
  const concerns = [
    ...termConcerns(expiry, entries, standardOf(workspace)),
    ...loggingConcerns(expiry, entries, commit !== null),
    ...(await vanishedConcerns(workspace, repository)),
  ];
  const has = (verdict: GitVerdict): boolean => concerns.some((concern) => concern.verdict === verdict);
  const verdict: GitVerdict = has('critical') ? 'critical' : has('warning') ? 'warning' : 'good';
  const health = { verdict, checkedAt: now().toISOString(), retention: retentionDays(expiry, entries), concerns };
  if (workspace.isProtected) rememberGitHealth(workspace, health);
  return health;
};

/** The logs that keep what was worked on. Those of remote branches say what others did, and are often kept short. */
export const refsOf = (entries: readonly Pick<ReflogEntry, 'ref'>[]): ByteString[] => [
  'HEAD' as ByteString,
  ...new Set(entries.map(({ ref }) => ref).filter((ref) => ref.startsWith('refs/heads/'))),
];

/** How long entries stay at least. What nothing leads to stays no longer than what something does. */
export const retentionDays = (expiry: ReflogExpiry, entries: readonly Pick<ReflogEntry, 'ref'>[]): RetentionDays => {
  const retentions = refsOf(entries).map((ref) => expiry.of(ref));
  const shortest = (settings: readonly TermSetting[]): number | null => {
    const least = Math.min(...settings.map(daysOf));
    return Number.isFinite(least) ? least : null;
  };
  return {
    reachable: shortest(retentions.map(({ reachable }) => reachable)),
    unreachable: shortest(retentions.flatMap(({ reachable, unreachable }) => [reachable, unreachable])),
  };
};

export const daysOf = ({ term }: TermSetting): number => Math.round((reachOf(term, now().getTime() / 1000) / DAY) * 100) / 100;

const termConcerns = (expiry: ReflogExpiry, entries: readonly ReflogEntry[], { mended, enough }: Standard): GitConcern[] => {
  const settings = new Map<string, TermSetting & { readonly what: string }>();
  for (const ref of refsOf(entries)) {
    const { reachable, unreachable } = expiry.of(ref);
    settings.set(reachable.key, { ...reachable, what: 'Entries' });
    settings.set(unreachable.key, { ...unreachable, what: 'Entries of commits that nothing leads to any more' });
  }
  const short = [...settings.values()].flatMap((setting): GitConcern[] => {
    const days = daysOf(setting);
    if (days >= enough) return [];
    const why = setting.value === null ? "git's default" : setting.value;
    const verdict = days <= CRITICAL ? 'critical' : 'warning';
    const reason = `${setting.what} stay for ${days} days only (${setting.key}: ${why})`;
    return [{ verdict, reason, command: `git config ${quoted(setting.key)} ${mended}.days` }];
  });
  const unclear = expiry.unclear.map(
    ({ key, value }): GitConcern => ({
      verdict: 'warning',
      reason: `git does not understand ${key} = ${JSON.stringify(value)}, so that git gc fails`,
      command: `git config --replace-all ${quoted(key)} ${mended}.days`,
    }),
  );
  return [...short, ...unclear];
};

const quoted = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const loggingConcerns = (expiry: ReflogExpiry, entries: readonly ReflogEntry[], hasCommits: boolean): GitConcern[] => {
  if (!expiry.isLogging) {
    const command = 'git config core.logAllRefUpdates true';
    return [{ verdict: 'warning', reason: 'git writes no reflogs (core.logAllRefUpdates is false)', command }];
  }
  if (entries.length > 0 || !hasCommits) return [];
  return [{ verdict: 'warning', reason: 'There are commits, but no reflog has an entry', command: null }];
};

/** Backups have entries that git should have kept longer than it did. */
const vanishedConcerns = async (workspace: Workspace, repository: UserRepository): Promise<GitConcern[]> => {
  if (!workspace.isProtected || hasReftables(repository)) return [];
  const seconds = now().getTime() / 1000;
  const { entries } = await missingEntries(workspace, repository);
  const early = entries.filter(
    ({ entry, endsAt, state, isOfAnother }) => endsAt > seconds && state !== 'no-ref' && !isOfAnother && entry.ref !== 'refs/stash',
  );
  if (early.length === 0) return [];
  const back = early.filter(({ state }) => state === 'restorable').length;
  const reason = `${early.length === 1 ? '1 entry' : `${early.length} entries`} vanished before their time; ${back} can be brought back`;
  return [{ verdict: 'warning', reason, command: back === 0 ? null : 'retake reflog --restore' }];
};

/** Looks again when the last look was a day ago. */
export const checkGitHealthDaily = async (workspace: Workspace): Promise<void> => {
  const last = Date.parse(lastGitHealth(workspace)?.checkedAt ?? '');
  if (Math.abs(now().getTime() - last) < DAY * 1000) return;
  if (exists(workspace.storePath) && findRepository(workspace.root) !== undefined) await checkGitHealth(workspace);
};
