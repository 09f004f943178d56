import { askGit } from '../ask.ts';
import type { UserRepository } from '../repository.ts';

/** A commit as it was written. */
export interface UserCommit {
  readonly id: string;
  readonly parents: readonly string[];
  /** The second at which it was made. */
  readonly at: number;
}

/** The commit that a text names in git's own words, be it an id, a branch or `HEAD@{3}`; undefined where there is none. */
export const commitNamed = async (repository: UserRepository, text: string): Promise<string | undefined> => {
  // First what it stands for: where the commit of an entry is gone, git 2.39 takes `HEAD@{1}^{commit}` for another one.
  const id = await idNamed(repository, text);
  if (id !== undefined) return verified(repository.top, `${id}^{commit}`);
  // The beginning of several objects' ids may be that of one commit only.
  return /^[0-9a-fA-F]+$/.test(text) ? verified(repository.top, `${text}^{commit}`) : undefined;
};

/** The id that a text stands for, although the object may be gone. */
export const idNamed = ({ top }: UserRepository, text: string): Promise<string | undefined> => verified(top, text);

const verified = async (top: UserRepository['top'], text: string): Promise<string | undefined> => {
  // With a NUL in it, it can't be said to git at all.
  if (text.includes('\0')) return undefined;
  const { code, stdout } = await askGit(top, ['rev-parse', '--verify', '--quiet', '--end-of-options', text], [1, 128, 129]);
  const id = stdout.toString('latin1').trim();
  return code === 0 && /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
};

/** Its own words count: where a history is cut off, git would say that there are no parents. */
export const readCommit = async ({ top }: UserRepository, id: string): Promise<UserCommit> => {
  const { stdout } = await askGit(top, ['cat-file', 'commit', id], []);
  const [header = ''] = stdout.toString('latin1').split('\n\n', 1);
  const parents = [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = '']) => parent);
  return { id, parents, at: Number(/^committer .* (\d+) [-+]\d+$/m.exec(header)?.[1] ?? 0) };
};

/** The same commits, each after those that it is built on. */
export const inOrderMade = async ({ top }: UserRepository, commits: readonly UserCommit[]): Promise<UserCommit[]> => {
  if (commits.length < 2) return [...commits];
  const oldest = Math.min(...commits.map(({ at }) => at));
  const input = Buffer.from(`${commits.map(({ id }) => id).join('\n')}\n`, 'latin1');
  const { stdout } = await askGit(top, ['rev-list', '--topo-order', '--reverse', `--max-age=${oldest}`, '--stdin'], [], input);
  const places = new Map(lines(stdout).map((id, at) => [id, at]));
  return commits.toSorted((a, b) => (places.get(a.id) ?? -1) - (places.get(b.id) ?? -1));
};

export const isReachedByHead = async ({ top }: UserRepository, commit: string): Promise<boolean> =>
  (await askGit(top, ['merge-base', '--is-ancestor', commit, 'HEAD'], [1, 128])).code === 0;

export const isReachedByRefs = async ({ top }: UserRepository, commit: string): Promise<boolean> =>
  (await askGit(top, ['for-each-ref', '--count=1', `--contains=${commit}`], [])).stdout.length > 0;

/** Those of some commits, all of which are there, that lead to one. */
export const leadingTo = async ({ top }: UserRepository, commit: string, tips: readonly string[]): Promise<Set<string>> => {
  const input = Buffer.from(`${[...tips, `^${commit}`].join('\n')}\n`, 'latin1');
  const { stdout } = await askGit(top, ['rev-list', '--ancestry-path', '--stdin'], [128], input);
  return new Set([commit, ...lines(stdout)].filter((id) => id === commit || tips.includes(id)));
};

const lines = (output: Buffer): string[] => output.toString('latin1').split('\n').filter(Boolean);
