import { otherWorktrees } from '../commits/worktrees.ts';
import type { UserRepository } from '../repository.ts';
import { ObjectSide, reachableFrom } from './object-side.ts';

/** A commit that no ref would lead to. */
export interface LeftCommit {
  readonly id: string;
  readonly headline: string;
}

/**
 * The commits that a move would leave behind, newest first: reachable from no branch, tag, remote branch, other work tree's HEAD or
 * `staying` (commits). `leaving` has the full names of refs that are going to move away or vanish, and single commits such as
 * that of a detached HEAD.
 */
export const listLeftBehind = async (
  repository: UserRepository,
  { leaving, staying }: { readonly leaving: readonly string[]; readonly staying: readonly string[] },
): Promise<LeftCommit[]> => {
  const others = (await otherWorktrees(repository)).flatMap(({ commit }) => commit ?? []);
  return ObjectSide.withUsers(repository, async (user) => {
    const refs = await user.refs('refs/heads', 'refs/tags', 'refs/remotes');
    const moving = new Set(leaving);
    const left = [...leaving.filter((name) => !name.startsWith('refs/')), ...refs.filter(({ ref }) => moving.has(ref)).map(({ id }) => id)];
    const kept = refs.filter(({ ref }) => !moving.has(ref)).map(({ id }) => id);
    const there = await user.typesOf([...left, ...kept, ...others, ...staying]);
    const existing = (ids: readonly string[]): string[] => ids.filter((id) => there.has(id));
    if (existing(left).length === 0) return [];
    const input = reachableFrom(existing(left), existing([...kept, ...others, ...staying]));
    const { stdout } = await user.ask(['rev-list', '--format=%H %s', '--stdin'], { input });
    return (
      stdout
        .toString()
        .split('\n')
        // Each has a line before it that older gits can not leave out.
        .filter((line) => line !== '' && !line.startsWith('commit '))
        .map((line) => ({ id: line.slice(0, line.indexOf(' ')), headline: line.slice(line.indexOf(' ') + 1) }))
    );
  });
};
