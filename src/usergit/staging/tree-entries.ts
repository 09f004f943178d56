import { isWithin, type RelativePath } from '../../model/index.ts';
import { actAsUser, askGit } from '../ask.ts';
import type { UserRepository } from '../repository.ts';
import type { StagedEntry } from './staging.ts';

/** What a commit, or an index, has at a path. */
export interface GitEntry {
  /** Six digits, as git writes them. */
  readonly mode: string;
  readonly id: string;
}

/** By path from the repository's top. Submodules are in it, as git has them. */
export type GitEntries = ReadonlyMap<RelativePath, GitEntry>;

const GITLINK = '160000';

/** All that a commit holds, or nothing for a branch without commits. */
export const readTreeEntries = async (repository: UserRepository, commit: string | null): Promise<GitEntries> => {
  if (commit === null) return new Map();
  const { stdout } = await actAsUser(repository.top, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  return parseTree(stdout);
};

/** What `ls-tree -r -z` lists. */
export const parseTree = (listing: Buffer): GitEntries => parseEntries(listing, TREE_LINE);

const TREE_LINE = /^(\d{6}) \w+ ([0-9a-f]+)\t(.*)$/s;

const FLAGLESS = { stage: 0, intentToAdd: false, skipWorktree: false, assumeUnchanged: false } as const;

/** What the index holds when it is exactly a tree. */
export const stagingOfTree = async (repository: UserRepository, tree: string): Promise<StagedEntry[]> => {
  const { stdout } = await askGit(repository.top, ['--no-replace-objects', 'ls-tree', '-r', '-z', '--full-tree', tree], []);
  const entries = parseEntries(stdout, TREE_LINE);
  return [...entries].map(([path, { mode, id }]) => ({ path, mode: Number.parseInt(mode, 8), id, ...FLAGLESS }));
};

/** Lines that end with NUL, of mode, id and path in the groups of a pattern. */
export const parseEntries = (listing: Buffer, line: RegExp): GitEntries => {
  const entries = new Map<RelativePath, GitEntry>();
  for (const text of listing.toString('latin1').split('\0')) {
    const [, mode, id, path] = line.exec(text) ?? [];
    if (mode !== undefined && id !== undefined && path !== undefined) entries.set(path as RelativePath, { mode, id });
  }
  return entries;
};

export const sameEntry = (a: GitEntry | undefined, b: GitEntry | undefined): boolean => a?.mode === b?.mode && a?.id === b?.id;

/** Whether a path is, or lies in, a submodule of a commit: what is in there is for the submodule's own repository. */
export const submodulesIn = (entries: GitEntries): ((path: RelativePath) => boolean) => {
  const roots = [...entries].flatMap(([path, { mode }]) => (mode === GITLINK ? [path] : []));
  return (path) => roots.some((root) => isWithin(path, root));
};
