import { otherWorktrees } from '../commits/worktrees.ts';
import type { UserRepository } from '../repository.ts';
import { ObjectSide, reachableFrom } from './object-side.ts';

/**
 * How many commits a move would leave behind, reachable from no branch, tag, remote branch, other work tree's HEAD or
 * `staying` (commits). `leaving` has the full names of refs that are going to move away or vanish, and single commits such as
 * that of a detached HEAD.
 */
export const countLeftBehind = async (
  repository: UserRepository,
  { leaving, staying }: { readonly leaving: readonly string[]; readonly staying: readonly string[] },
): Promise<number> => {
  const others = (await otherWorktrees(repository)).flatMap(({ commit }) => commit ?? []);
  return ObjectSide.withUsers(repository, async (user) => {
    const refs = await user.refs('refs/heads', 'refs/tags', 'refs/remotes');
    const moving = new Set(leaving);
    const left = [...leaving.filter((name) => !name.startsWith('refs/')), ...refs.filter(({ ref }) => moving.has(ref)).map(({ id }) => id)];
    const kept = refs.filter(({ ref }) => !moving.has(ref)).map(({ id }) => id);
    const there = await user.typesOf([...left, ...kept, ...others, ...staying]);
    const existing = (ids: readonly string[]): string[] => ids.filter((id) => there.has(id));
    if (existing(left).length === 0) return 0;
    const input = reachableFrom(existing(left), existing([...kept, ...others, ...staying]));
    const { stdout } = await user.ask(['rev-list', '--count', '--stdin'], { input });
    return Number(stdout.toString());
  });
};
