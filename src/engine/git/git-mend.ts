import { RetakeError, toText } from '../../model/index.ts';
import { askGit, ReflogExpiry, readReflogs, type TermSetting, type UserRepository } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { assertShown, digestOf } from '../read/shown-digest.ts';
import { checkGitHealth, daysOf, type GitHealth, refsOf, standardOf } from './git-health.ts';
import { requireRepository } from './user-repository.ts';

export interface MendResult {
  readonly before: GitHealth;
  readonly after: GitHealth;
  /** What was set, and what was in force before; null where nothing was. */
  readonly changed: readonly { readonly key: string; readonly before: string | null; readonly after: string }[];
  /** Shorter settings that still count, because they come later or are for certain refs. */
  readonly overriding: readonly string[];
}

/** What `mendGitHealth` would set. */
export interface MendPlan {
  readonly changed: MendResult['changed'];
  /** The same as long as the same would be set. */
  readonly expected: string;
}

/** Changes nothing. */
export const planGitMend = async (workspace: Workspace): Promise<MendPlan> => {
  const { mended: days } = standardOf(workspace);
  const { general, own } = await ReflogExpiry.read(requireRepository(workspace));
  const isOwnLong = ({ key }: TermSetting): boolean => {
    const last = own.findLast((setting) => setting.key === key);
    return last !== undefined && daysOf(last) >= days;
  };
  const short = [general.reachable, general.unreachable].filter((setting) => daysOf(setting) < days && !isOwnLong(setting));
  const changed = short.map(({ key, value }) => ({ key, before: value, after: `${days}.days` }));
  return { changed, expected: digestOf(changed) };
};

/**
 * Makes the repository keep entries for as long as `reflog.days` says, in its own configuration. What is longer there stays as it is. With
 * `expected`, only what was shown.
 */
export const mendGitHealth = async (workspace: Workspace, expected?: string): Promise<MendResult> => {
  const repository = requireRepository(workspace);
  const { mended: days } = standardOf(workspace);
  const before = await checkGitHealth(workspace);
  const plan = await planGitMend(workspace);
  assertShown(plan, expected);
  for (const { key, after } of plan.changed) await setInRepository(repository, key, after);
  const [mended, { entries }] = await Promise.all([ReflogExpiry.read(repository), readReflogs(repository)]);
  const inForce = [mended.general, ...refsOf(entries).map((ref) => mended.of(ref))];
  const overriding = inForce
    .flatMap(({ reachable, unreachable }) => [reachable, unreachable])
    .filter((setting) => daysOf(setting) < days)
    .map(({ key, value, origin }) => `${key} = ${value} in ${origin}`);
  return { before, after: await checkGitHealth(workspace), changed: plan.changed, overriding: [...new Set(overriding)] };
};

const setInRepository = async (repository: UserRepository, key: string, value: string): Promise<void> => {
  const { code, stderr } = await askGit(repository.top, ['config', '--local', '--replace-all', key, value], [1, 2, 3, 4, 5, 128, 255]);
  if (code === 0) return;
  throw new RetakeError('git-failed', `git could not set ${key} in ${toText(repository.commonDirectory)}/config: ${stderr.trim()}`, {
    hint: 'Check the permissions of that file, and whether another git process is at work.',
  });
};
