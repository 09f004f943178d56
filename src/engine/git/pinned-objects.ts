import { join } from 'node:path';
import { exists, Lock } from '../../host/index.ts';
import { type GitChange, RetakeError } from '../../model/index.ts';
import { findRepository, type Holding, PinnedObjects } from '../../usergit/index.ts';
import { isObject, readList, writeList } from '../core/list-file.ts';
import type { Workspace } from '../core/workspace.ts';

/** What the user's own gc may drop and we keep (GIT-2): a bare repository in the user's object format, beside the store. */
export const pinnedObjects = ({ data }: Workspace): PinnedObjects => new PinnedObjects(join(data, 'held.git'));

/** Held by whoever copies there, or takes something away. Whoever has both took the workspace's lock first. */
export const pinLock = ({ data }: Workspace): Lock => new Lock(join(data, 'held-lock'));

/** Copying takes git processes, which nobody should wait for: it is noted at the record, and done when there is time. */
const notesPath = ({ data }: Workspace): string => join(data, 'to-hold.json');

/** Needs the lock. The checkpoint counts for more than the note: a full disk is no failure here. */
export const noteToPin = (workspace: Workspace, holding: Holding): void => {
  try {
    writeList(notesPath(workspace), [...waiting(workspace), holding], workspace.settings.durability);
  } catch (error) {
    if (!(error instanceof RetakeError)) throw error;
  }
};

/** What waits to be copied. */
export const waiting = (workspace: Workspace): Holding[] => readList<Holding>(notesPath(workspace), isObject);

/** Whether something waits to be copied. */
export const hasToPin = (workspace: Workspace): boolean => exists(notesPath(workspace)) && waiting(workspace).length > 0;

/** Copies what was noted, while others record; the rest is done in turn, where they use the same workspace. */
export const pinObjects = async (workspace: Workspace, inTurn = (work: () => Promise<void>) => work()): Promise<void> => {
  const copied = await copyNoted(workspace);
  if (copied.length > 0) await inTurn(() => workspace.write(() => crossOff(workspace, copied)));
};

/** The same for who has the lock already, and is about to move branches away from these commits and what was noted. */
export const pinBeforeMoving = async (workspace: Workspace, { from, refs }: GitChange): Promise<void> => {
  const commits = [from.head.commit, ...refs.map((change) => change.from)].filter((id) => id !== null);
  noteToPin(workspace, { commits, objects: [] });
  crossOff(workspace, await copyNoted(workspace));
};

const copyNoted = async (workspace: Workspace): Promise<Holding[]> => {
  const noted = waiting(workspace);
  const repository = noted.length === 0 ? undefined : findRepository(workspace.root);
  if (repository === undefined) return noted;
  const lock = pinLock(workspace);
  const holding = {
    commits: [...new Set(noted.flatMap(({ commits }) => commits))],
    objects: [...new Set(noted.flatMap(({ objects }) => objects))],
  };
  try {
    await lock.hold(() => pinnedObjects(workspace).pin(repository, holding));
  } finally {
    lock.close();
  }
  return noted;
};

const crossOff = (workspace: Workspace, copied: readonly Holding[]): void => {
  if (copied.length === 0) return;
  const done = new Set(copied.map((holding) => JSON.stringify(holding)));
  const left = waiting(workspace).filter((holding) => !done.has(JSON.stringify(holding)));
  writeList(notesPath(workspace), left, workspace.settings.durability);
};
