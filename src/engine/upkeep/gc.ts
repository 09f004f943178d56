import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { effects, git, isTemporary } from '../../host/index.ts';
import type { Workspace } from '../workspace.ts';

/** Loose objects that nothing refers to are kept this long: somebody may just be reading a preview. */
const GRACE = '1.hour.ago';

/** Packs objects with deltas, packs refs, and clears away what nothing has referred to for long. */
export const collectGarbage = (workspace: Workspace): Promise<void> =>
  workspace.write(async () => {
    const { directory, objects } = workspace.store;
    const inStore = (...args: string[]) => git(['--git-dir', directory, ...args], { manners: 'neutral' });
    const kept = sharedPacks(join(directory, 'objects', 'pack')).map((name) => `--keep-pack=${name}`);
    removeStrays(workspace);
    workspace.store.log.packRefs();
    await inStore('repack', '-a', '-d', '-l', '-q', ...kept);
    await inStore('prune', `--expire=${GRACE}`);
    objects.refreshPacks();
  });

/** Temporary files of processes that were killed: whoever holds the lock is the only one alive. */
const removeStrays = ({ data, storePath }: Workspace): void => {
  for (const directory of [data, storePath, join(storePath, 'objects'), join(storePath, 'objects', 'pack')]) {
    for (const name of readdirSync(directory)) if (isTemporary(name)) effects.unlink(join(directory, name));
  }
};

/** Packs shared with the user's repository: to repack them would copy what costs nothing now. */
const sharedPacks = (directory: string): string[] =>
  readdirSync(directory).filter((name) => name.endsWith('.pack') && statSync(join(directory, name)).nlink > 1);
