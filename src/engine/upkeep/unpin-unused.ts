import { statSync } from 'node:fs';
import { join } from 'node:path';
import { effects, now } from '../../host/index.ts';
import { RetakeError, type TreeId } from '../../model/index.ts';
import { listPacks, namesIn, type Store } from '../../store/index.ts';
import type { PinnedRef } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { pinLock, pinnedObjects, waiting } from '../git/pinned-objects.ts';
import type { KnownLog } from './roots.ts';
import { GIT_STRAYS } from './strays.ts';

/** Beyond this it is worth being packed, if nobody asked for it. */
const MANY_PACKS = 20;
const MANY_FILES = 1000;

interface Tidying {
  readonly log: KnownLog;
  readonly since: number;
  readonly asNeeded: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Lets go of what no operation speaks of any more in what is held of the user's git, packs it, and tells how many refs went. */
export const unpinUnused = async (workspace: Workspace, { log, since, asNeeded, signal }: Tidying): Promise<number> => {
  const held = pinnedObjects(workspace);
  if (!held.isThere) return 0;
  const all = await held.list();
  const lock = pinLock(workspace);
  try {
    const released = await workspace.write(async () => {
      // Somebody is copying: another time.
      if (!lock.tryAcquire()) return undefined;
      removePinnedStrays(workspace);
      const { unneeded, needed } = sortOut(workspace, all, log, since);
      if (unneeded.length > 0) await held.pinAgain(needed, all);
      await held.release(unneeded);
      return unneeded.length;
    });
    if (released === undefined) return 0;
    // Who goes back with git would have to wait: only where it must be.
    if (released === 0) lock.release();
    if (released > 0 || isWorthPacking(workspace, asNeeded)) await held.pack({ isAlone: released > 0, signal });
    return released;
  } finally {
    lock.close();
  }
};

const pathOf = ({ data }: Workspace): string => join(data, 'held.git');

const removePinnedStrays = (workspace: Workspace): void => {
  for (const directory of ['objects', 'objects/pack']) {
    const path = join(pathOf(workspace), directory);
    for (const name of namesIn(path)) if (GIT_STRAYS.test(name)) effects.removeTree(join(path, name));
  }
  for (const lock of locksIn(pathOf(workspace))) effects.removeTree(lock);
};

/** No git of ours holds a lock for longer: whose it was is dead. */
const LONGEST_LOCK = 600_000;

const locksIn = (directory: string): string[] =>
  ['', 'refs/held/commits', 'refs/held/objects'].flatMap((folder) =>
    namesIn(join(directory, folder))
      .filter((name) => name.endsWith('.lock'))
      .map((name) => join(directory, folder, name))
      .filter((path) => now().getTime() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > LONGEST_LOCK),
  );

const isWorthPacking = (workspace: Workspace, asNeeded: boolean): boolean => {
  const objects = join(pathOf(workspace), 'objects');
  const packs = listPacks(objects).filter(({ isShared }) => !isShared).length;
  const files = namesIn(objects)
    .filter((name) => name.length === 2)
    .reduce((sum, name) => sum + namesIn(join(objects, name)).length, 0);
  return asNeeded ? packs > MANY_PACKS || files > MANY_FILES : packs > 1 || files > 0;
};

const NOTHING = { unneeded: [], needed: [] };

/** Those that no operation, no note of what is to be held, and none of the operations given up a moment ago speaks of; and all that these do. */
const sortOut = (
  workspace: Workspace,
  all: readonly PinnedRef[],
  log: KnownLog,
  since: number,
): { readonly unneeded: readonly PinnedRef[]; readonly needed: readonly string[] } => {
  const { store } = workspace;
  const operations = [...log.operations, ...log.rootsNow(since).spared.map((id) => store.log.readIfIntact(id as never))];
  if (log.hasGaps) return NOTHING;
  const said = [...operations, ...waiting(workspace)].map((one) => JSON.stringify(one ?? null));
  const mentioned = new Set(said.flatMap((text) => text.match(/[0-9a-f]{40,64}/g) ?? []));
  const rest = all.filter(({ ids }) => !ids.some((id) => mentioned.has(id)));
  if (rest.length === 0) return NOTHING;
  const staged = stagedIn(store, said);
  if (staged === undefined) return NOTHING;
  return { unneeded: rest.filter(({ ids }) => !ids.some((id) => staged.has(id))), needed: [...mentioned, ...staged] };
};

/** The objects in the indexes that operations keep; undefined when one of those can't be read. */
const stagedIn = ({ objects }: Store, said: readonly string[]): Set<string> | undefined => {
  const trees = new Set(said.flatMap((text) => [...text.matchAll(/"entries":"([0-9a-f]{40})"/g)].map(([, id]) => id as TreeId)));
  const ids = new Set<string>();
  const seen = new Set<string>();
  try {
    for (const { id } of [...trees].flatMap((tree) => objects.readTree(tree))) {
      if (seen.has(id)) continue;
      seen.add(id);
      for (const staged of objects
        .readBlob(id as never)
        .toString('latin1')
        .match(/[0-9a-f]{40,64}/g) ?? [])
        ids.add(staged);
    }
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return undefined;
    throw error;
  }
  return ids;
};
