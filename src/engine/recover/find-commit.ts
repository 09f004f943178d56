import { commitNamed, findRepository, idNamed, readCommit, type UserCommit, type UserRepository } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { pinnedObjects } from '../git/pinned-objects.ts';

/** The commit that git knows by a text, or knew: what its gc dropped and we hold is brought back first. */
export const findCommit = async (workspace: Workspace, text: string): Promise<UserCommit | undefined> => {
  const repository = findRepository(workspace.root);
  if (repository === undefined) return undefined;
  const id = (await commitNamed(repository, text)) ?? (await broughtBack(workspace, repository, text));
  return id === undefined ? undefined : readCommit(repository, id);
};

const broughtBack = async (workspace: Workspace, repository: UserRepository, text: string): Promise<string | undefined> => {
  const held = pinnedObjects(workspace);
  const id = await held.commitNamed((await idNamed(repository, text)) ?? text);
  if (id !== undefined) await held.bringBack(repository, { commits: [id], objects: [] });
  return id;
};
