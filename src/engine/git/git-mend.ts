import { RetakeError, toText } from '../../model/index.ts';
import { askGit, ReflogExpiry, readReflogs, type TermSetting, type UserRepository } from '../../usergit/index.ts';
import type { Workspace } from '../workspace.ts';
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

/** Makes the repository keep entries for as long as `reflog.days` says, in its own configuration. What is longer there stays as it is. */
export const mendGitHealth = async (workspace: Workspace): Promise<MendResult> => {
  const repository = requireRepository(workspace);
  const { mended: days } = standardOf(workspace);
  const before = await checkGitHealth(workspace);
  const { general, own } = await ReflogExpiry.read(repository);
  const isShort = (setting: TermSetting): boolean => daysOf(setting) < days;
  const isOwnLong = ({ key }: TermSetting): boolean => {
    const last = own.findLast((setting) => setting.key === key);
    return last !== undefined && !isShort(last);
  };
  const short = [general.reachable, general.unreachable].filter((setting) => isShort(setting) && !isOwnLong(setting));
  for (const { key } of short) await setInRepository(repository, key, `${days}.days`);
  const [mended, { entries }] = await Promise.all([ReflogExpiry.read(repository), readReflogs(repository)]);
  const inForce = [mended.general, ...refsOf(entries).map((ref) => mended.of(ref))];
  const overriding = inForce
    .flatMap(({ reachable, unreachable }) => [reachable, unreachable])
    .filter(isShort)
    .map(({ key, value, origin }) => `${key} = ${value} in ${origin}`);
  return {
    before,
    after: await checkGitHealth(workspace),
    changed: short.map(({ key, value }) => ({ key, before: value, after: `${days}.days` })),
    overriding: [...new Set(overriding)],
  };
};

const setInRepository = async (repository: UserRepository, key: string, value: string): Promise<void> => {
  const { code, stderr } = await askGit(repository.top, ['config', '--local', '--replace-all', key, value], [1, 2, 3, 4, 5, 128, 255]);
  if (code === 0) return;
  throw new RetakeError('git-failed', `git could not set ${key} in ${toText(repository.commonDirectory)}/config: ${stderr.trim()}`, {
    hint: 'Check the permissions of that file, and whether another git process is at work.',
  });
};
