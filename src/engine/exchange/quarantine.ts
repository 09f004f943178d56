import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeWriteFailure, effects, exists, git, syncPath } from '../../host/index.ts';
import { RetakeError } from '../../model/index.ts';
import type { Store } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { badExport } from './bad-export.ts';
import type { BundleHeader } from './bundle-header.ts';
import { MEMBER } from './member-names.ts';
import type { TarReader } from './tar-reader.ts';
import { withTemporaryStore } from './temporary-store.ts';

/** Where things are unpacked until all of them are known to be right. One import at a time: it has the lock. */
const quarantineOf = ({ data }: Workspace): string => join(data, 'importing');

/** Takes away what a killed process left there. Needs the lock. */
export const clearQuarantine = (workspace: Workspace): void => {
  if (exists(quarantineOf(workspace))) effects.removeTree(quarantineOf(workspace));
};

/** A repository of its own for what a file brings. Needs the lock. */
export class Quarantine {
  readonly directory: string;
  readonly store: Store;

  private constructor(directory: string, store: Store) {
    this.directory = directory;
    this.store = store;
  }

  /** Whatever comes of the work, nothing of it stays there. */
  static during<T>(workspace: Workspace, work: (quarantine: Quarantine) => Promise<T>): Promise<T> {
    const directory = quarantineOf(workspace);
    return withTemporaryStore(workspace, directory, (store) => work(new Quarantine(directory, store)));
  }

  /** Unpacks the bundle. git works out the id of each object from its bytes, so that none can claim to be another. */
  async take(tar: TarReader, { length }: BundleHeader): Promise<void> {
    const limit = `--max-input-size=${tar.size(MEMBER.operations)}`;
    try {
      await git(['--git-dir', this.store.directory, 'index-pack', '--stdin', limit], {
        manners: 'neutral',
        input: tar.stream(MEMBER.operations, length),
      });
    } catch (error) {
      if (!(error instanceof RetakeError && error.code === 'git-failed')) throw error;
      throw writeFailureIn(error, this.directory) ?? badExport(`its bundle is damaged (${error.message})`, error);
    }
    this.store.objects.refreshPacks();
  }

  /** Moves what was unpacked to where it is to stay. The index of a pack last: it is what makes it one. */
  release({ store, settings }: Workspace): void {
    const [from, to] = [this.store.directory, store.directory].map((path) => join(path, 'objects', 'pack')) as [string, string];
    this.store.objects.close();
    const names = readdirSync(from).filter((name) => /\.(?:pack|idx)$/.test(name));
    for (const name of names.sort().reverse()) effects.rename(join(from, name), join(to, name));
    if (settings.durability === 'power') syncPath(to);
    store.objects.refreshPacks();
  }
}

/** git tells of a disk that takes no more in words. */
const writeFailureIn = (error: RetakeError, path: string): unknown => {
  const code = /No space left|quota exceeded/i.test(error.message)
    ? 'ENOSPC'
    : /Permission denied|Read-only/i.test(error.message)
      ? 'EACCES'
      : null;
  return code === null ? undefined : describeWriteFailure(Object.assign(new Error(error.message), { code }), path);
};
