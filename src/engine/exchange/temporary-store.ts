import { join } from 'node:path';
import { describeWriteFailure, effects, gitVersion } from '../../host/index.ts';
import { Store } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** A repository of its own in a directory that is gone afterwards, whatever comes of the work. */
export const withTemporaryStore = async <T>(
  { settings: { durability } }: Workspace,
  directory: string,
  work: (store: Store) => Promise<T>,
): Promise<T> => {
  try {
    effects.makeDirectories(directory);
    const path = join(directory, 'store.git');
    Store.create(path, await gitVersion(), durability);
    const store = Store.open(path, durability);
    try {
      return await work(store);
    } finally {
      store.objects.close();
    }
  } catch (error) {
    throw describeWriteFailure(error, directory);
  } finally {
    effects.removeTree(directory);
  }
};
