import { RetakeError, toText } from '../model/index.ts';
import { findRepository, type UserRepository } from '../usergit/index.ts';
import type { Workspace } from './workspace.ts';

/** The user's repository, for what makes no sense without one. */
export const requireRepository = ({ root }: Workspace): UserRepository => {
  const repository = findRepository(root);
  if (repository !== undefined) return repository;
  throw new RetakeError('no-repository', `${toText(root)} is in no git repository`, {
    hint: 'git init makes one; checkpoints and rewinding work without.',
  });
};
