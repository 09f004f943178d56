import { readStable } from '../../../capture/index.ts';
import { fromText, isCheckpoint, isRollback, type ObjectId, type Recorded, RetakeError } from '../../../model/index.ts';
import { capturePresent } from '../../core/present.ts';
import type { Workspace } from '../../core/workspace.ts';
import { ObjectWalk } from '../object-walk.ts';
import { findIn, otherRepositories } from './sources.ts';

/** Brings back objects that operations need from wherever their content still is. Needs the lock. */
export const fillIn = async (workspace: Workspace, operations: readonly Recorded[]): Promise<void> => {
  if (missingIn(workspace, operations).size === 0) return;
  await storePresent(workspace, operations);
  // A tree that came back may name others that are missing.
  for (let round = 0; round < ROUNDS; round++) if (copyFromOthers(workspace, missingIn(workspace, operations)) === 0) return;
};

/** Deeper than trees are nested. */
const ROUNDS = 1000;

const missingIn = ({ store }: Workspace, operations: readonly Recorded[]): ReadonlySet<ObjectId> => {
  const walk = new ObjectWalk(store.objects, true);
  return new Set(operations.flatMap((operation) => walk.damageIn(operation).map(({ id }) => id)));
};

/** All that is on disk now, whether or not it is what is missing: the next checkpoint needs it anyway. */
const storePresent = async (workspace: Workspace, operations: readonly Recorded[]): Promise<void> => {
  try {
    const { batch } = await capturePresent(workspace, { fresh: true });
    const outside = new Set(
      operations
        .flatMap((operation) => (isCheckpoint(operation) || isRollback(operation) ? (operation.outside ?? []) : []))
        .map(({ path }) => path),
    );
    for (const path of outside) {
      const read = readStable(fromText(path), workspace.settings['capture.maxFileBytes']);
      if (typeof read !== 'string') batch.blob(read.bytes);
    }
    batch.flush();
  } catch (error) {
    // A workspace that is gone, or too large, has nothing to give; the disk being full is another matter.
    if (!(error instanceof RetakeError) || error.code === 'no-space' || error.code === 'permission') throw error;
  }
};

const copyFromOthers = (workspace: Workspace, missing: ReadonlySet<ObjectId>): number => {
  const others = otherRepositories(workspace);
  let count = 0;
  try {
    for (const id of missing) {
      const found = findIn(others, id);
      if (found === undefined) continue;
      workspace.store.objects.place([found]);
      count++;
    }
  } finally {
    for (const other of others) other.close();
  }
  return count;
};
