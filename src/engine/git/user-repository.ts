import { type ByteString, isWithin, join, type RelativePath, RetakeError, ROOT, toText } from '../../model/index.ts';
import { findRepository, type UserRepository } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** The user's repository, for what makes no sense without one. */
export const requireRepository = ({ root }: Workspace): UserRepository => {
  const repository = findRepository(root);
  if (repository !== undefined) return repository;
  throw new RetakeError('no-repository', `${toText(root)} is in no git repository`, {
    hint: 'git init makes one; checkpoints and rewinding work without.',
  });
};

/** The user's repository around a workspace, which may be a directory of it. */
export interface RepositoryAround {
  readonly repository: UserRepository;
  /** The workspace's root, from the repository's top. */
  readonly at: RelativePath;
  /** From the workspace's root to the repository's top, and back; null for what lies outside the workspace. */
  fromTop(path: RelativePath): RelativePath;
  toWorkspace(path: RelativePath): RelativePath | null;
}

export const repositoryAround = (workspace: Workspace): RepositoryAround => {
  const repository = requireRepository(workspace);
  const prefix = prefixOf(repository.top, workspace.root);
  return {
    repository,
    at: prefix,
    fromTop: (path) => join(prefix, path),
    toWorkspace: (path) => {
      if (prefix === ROOT) return path;
      return isWithin(path, prefix) && path !== prefix ? (path.slice(prefix.length + 1) as RelativePath) : null;
    },
  };
};

const prefixOf = (top: ByteString, root: ByteString): RelativePath => root.slice(top === '/' ? 1 : top.length + 1) as RelativePath;
