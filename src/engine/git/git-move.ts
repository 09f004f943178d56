import { isDeepStrictEqual } from 'node:util';
import { type BlobId, type GitChange, type GitPosition, RetakeError, type Staging } from '../../model/index.ts';
import {
  clearIndexLock,
  decodeStaging,
  findRepository,
  moveRefs,
  readHead,
  type StagedEntry,
  stagingOfTree,
  UserIndex,
  type UserRepository,
  writeEmptyBlob,
  writeIndex,
} from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { pinnedObjects } from './pinned-objects.ts';

/** Puts what the user's own gc dropped meanwhile back into their repository. Adds objects only. */
export const bringBackObjects = async (workspace: Workspace, { from, to, refs }: GitChange): Promise<void> => {
  const repository = repositoryOf(workspace);
  const commits = [to.head.commit, ...refs.map((change) => change.to)].filter((id) => id !== null);
  const objects = await objectsToStage(workspace, repository, from, to);
  await pinnedObjects(workspace).bringBack(repository, { commits: [...new Set(commits)], objects });
};

/** Trees and blobs that are staged there and are not now. */
const objectsToStage = async (workspace: Workspace, repository: UserRepository, from: GitPosition, to: GitPosition): Promise<string[]> => {
  if (to.staging !== null && 'tree' in to.staging) return [to.staging.tree];
  const then = await entriesOf(workspace, repository, to.staging);
  // What is only intended to be added stands for an empty file.
  if (then.some(({ intentToAdd }) => intentToAdd)) await writeEmptyBlob(repository);
  const now = new Set((await entriesOf(workspace, repository, from.staging)).map(({ id }) => id));
  const added = then.filter(({ id, mode, intentToAdd }) => !now.has(id) && mode !== GITLINK && !intentToAdd);
  return [...new Set(added.map(({ id }) => id))];
};

/** A commit of a submodule, which is in another repository. */
const GITLINK = 0o160000;

/**
 * Moves branches, HEAD and the index. Done twice, it changes nothing more; what is neither as it was nor as it is to be was changed by
 * somebody else, and refused.
 */
export const moveGit = async (workspace: Workspace, change: GitChange, message: string): Promise<void> => {
  const repository = repositoryOf(workspace);
  const { from, to, refs } = change;
  clearIndexLock(repository);
  const head = await readHead(repository);
  const isKnown = [from.head, to.head].some(({ branch, commit }) => head.branch === branch && (branch !== null || head.commit === commit));
  if (!isKnown) throw movedMeanwhile('HEAD');
  const present = UserIndex.read(repository);
  const wanted = await entriesOf(workspace, repository, to.staging);
  const isThere = isStaged(present, wanted);
  if (!isThere && !isStaged(present, await entriesOf(workspace, repository, from.staging))) throw movedMeanwhile('the index');
  await moveRefs(repository, { head: to.head, refs }, message);
  if (isThere) return;
  writeIndex(repository, wanted);
};

const isStaged = (index: UserIndex, entries: readonly StagedEntry[]): boolean => {
  const present = index.entries();
  return present.length === entries.length && present.every((entry, place) => isDeepStrictEqual(entry, entries[place]));
};

/** To git, no index and an empty one are the same. */
const entriesOf = async (
  { store: { objects } }: Workspace,
  repository: UserRepository,
  staging: Staging | null,
): Promise<StagedEntry[]> => {
  if (staging === null) return [];
  if ('tree' in staging) return stagingOfTree(repository, staging.tree);
  return decodeStaging(objects.readTree(staging.entries).map(({ id }) => objects.readBlob(id as BlobId)));
};

const repositoryOf = ({ root }: Workspace): UserRepository => {
  const repository = findRepository(root);
  if (repository !== undefined) return repository;
  throw movedMeanwhile('the repository');
};

const movedMeanwhile = (what: string): RetakeError => new RetakeError('git-moved', `${what} was changed by somebody else meanwhile`);
