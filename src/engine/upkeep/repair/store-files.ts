import { join } from 'node:path';
import { effects, gitVersion } from '../../../host/index.ts';
import { isConfigurationWhole, isHeadWhole, missingFolders, writeConfiguration, writeHead } from '../../../store/index.ts';
import type { Workspace } from '../../core/workspace.ts';
import { strays } from '../check-files.ts';
import type { Finding } from '../findings.ts';
import type { Aside } from './aside.ts';

/** What git and we take a store by. Needs the lock. */
export const mendStore = async ({ storePath, settings: { durability } }: Workspace, aside: Aside): Promise<void> => {
  for (const folder of missingFolders(storePath)) effects.makeDirectories(join(storePath, folder));
  if (!isHeadWhole(storePath)) {
    aside.copy(join(storePath, 'HEAD'));
    writeHead(storePath, durability);
  }
  if (isConfigurationWhole(storePath)) return;
  aside.copy(join(storePath, 'config'));
  writeConfiguration(storePath, await gitVersion(), durability);
};

/** Locks without an owner, lists that can't be read, and what killed processes left. Needs the lock. */
export const clearAway = (workspace: Workspace, damage: readonly Finding[], aside: Aside): void => {
  for (const { kind, file } of damage) if ((kind === 'lock' || kind === 'beside') && file) aside.move(join(workspace.data, file));
  for (const path of strays(workspace.data)) effects.removeTree(path);
  if (damage.some(({ file }) => file === 'workspace.json')) workspace.nameRoot();
};
