import { canNameBranch, RetakeError, type SessionId } from '../../model/index.ts';
import { branchesAround, isBranchName, type UserRepository } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** Refuses a name that no branch can have, or that leaves no room beside those there are. */
export const assertFree = async (repository: UserRepository, name: string): Promise<void> => {
  if (!(await isBranchName(repository, name)))
    throw new RetakeError('bad-branch', `${JSON.stringify(name)} can not name a branch`, { hint: 'git help check-ref-format tells why.' });
  const inTheWay = branchInTheWay(name, await branchesAround(repository, name));
  if (inTheWay === name)
    throw new RetakeError('branch-exists', `There is a branch ${name} already; it stays as it is`, { hint: 'Choose another name.' });
  if (inTheWay !== undefined) throw noRoom(name, inTheWay, 'Choose another name.');
};

/** git keeps a branch at the path that its name is: there is none where another needs a directory. */
const isBelow = (name: string, other: string): boolean => name.startsWith(`${other}/`);

/** The branch that keeps one of this name from being made: its namesake, or one whose name is a folder of it, or the reverse. */
export const branchInTheWay = (name: string, others: readonly string[]): string | undefined =>
  others.find((other) => other === name || isBelow(name, other) || isBelow(other, name));

const noRoom = (name: string, inTheWay: string, hint: string): RetakeError =>
  new RetakeError('branch-exists', `Beside the branch ${inTheWay} there can be none called ${name}`, { hint });

/** More branches of one session than anybody has. */
const MOST_NUMBERS = 10_000;

/** `recovery/<session>`, with a number where that is taken, here or `elsewhere`. */
export const freeBranchName = async (
  { settings }: Workspace,
  repository: UserRepository,
  session: SessionId,
  elsewhere: readonly string[] = [],
): Promise<string> => {
  const usual = `${settings['git.recoveryPrefix']}${nameFor(session)}`;
  if (!canNameBranch(usual))
    throw new RetakeError('bad-branch', `${JSON.stringify(usual)} can not name a branch`, {
      hint: 'Give a name, or correct the setting git.recoveryPrefix.',
    });
  const others = [...(await branchesAround(repository, usual)), ...elsewhere];
  const above = others.find((other) => isBelow(usual, other));
  if (above !== undefined) throw noRoom(usual, above, 'Give a name, or change the setting git.recoveryPrefix.');
  for (let number = 1; number < MOST_NUMBERS; number++) {
    const free = number === 1 ? usual : `${usual}-${number}`;
    if (!others.some((other) => other === free || isBelow(other, free))) return free;
  }
  throw new RetakeError('branch-exists', `All names like ${usual} are taken`, { hint: 'Give a name.' });
};

/** Session ids come from agents: what a ref can't hold becomes a dash. */
const nameFor = (session: SessionId): string =>
  session
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100) || 'session';
