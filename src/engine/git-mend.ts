import { RetakeError, toText } from '../model/index.ts';
import { askGit, ReflogExpiry, readReflogs, type TermSetting, type UserRepository } from '../usergit/index.ts';
import { checkGitHealth, daysOf, type GitHealth, MENDED, refsOf } from './git-health.ts';
import { requireRepository } from './user-repository.ts';
import type { Workspace } from './workspace.ts';

interface MendedSetting {
  readonly key: string;
  /** As it was in force; null where nothing was set. */
  readonly before: string | null;
  readonly after: string;
  /** What keeps it from counting, if anything does. */
  readonly overriddenBy: string | null;
}

export interface MendResult {
  readonly before: GitHealth;
  readonly after: GitHealth;
  readonly changed: readonly MendedSetting[];
  /** Settings for certain refs that are shorter and were left as they are. */
  readonly stillShort: readonly string[];
}

/** Makes the repository keep entries for half a year, in its own configuration. What is longer stays as it is. */
export const mendGitHealth = async (workspace: Workspace): Promise<MendResult> => {
  const repository = requireRepository(workspace);
  const before = await checkGitHealth(workspace);
  const expiry = await ReflogExpiry.read(repository);
  const { reachable, unreachable } = expiry.general;
  const short = [reachable, unreachable].filter((setting) => daysOf(setting) < MENDED);
  for (const { key } of short) await setInRepository(repository, key, `${MENDED}.days`);
  const { entries } = await readReflogs(repository);
  const mended = await ReflogExpiry.read(repository);
  const changed = short.map(({ key, value }) => {
    const inForce = [mended.general.reachable, mended.general.unreachable].find((setting) => setting.key === key);
    const overriddenBy = inForce === undefined || daysOf(inForce) >= MENDED ? null : `${key} = ${inForce.value} in ${inForce.origin}`;
    return { key, before: value, after: `${MENDED}.days`, overriddenBy };
  });
  const after = await checkGitHealth(workspace);
  const general = new Set([reachable.key, unreachable.key]);
  const stillShort = refsOf(entries)
    .flatMap((ref) => Object.values(mended.of(ref)) as TermSetting[])
    .filter((setting) => !general.has(setting.key) && daysOf(setting) < MENDED)
    .map(({ key, value, origin }) => `${key} = ${value} in ${origin}`);
  return { before, after, changed, stillShort: [...new Set(stillShort)] };
};

const setInRepository = async (repository: UserRepository, key: string, value: string): Promise<void> => {
  const { code, stderr } = await askGit(repository.top, ['config', '--local', '--replace-all', key, value], [1, 2, 3, 4, 5, 128, 255]);
  if (code === 0) return;
  throw new RetakeError('git-failed', `git could not set ${key} in ${toText(repository.commonDirectory)}/config: ${stderr.trim()}`, {
    hint: 'Check the permissions of that file, and whether another git process is at work.',
  });
};
