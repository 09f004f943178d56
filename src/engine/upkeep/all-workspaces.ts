import type { Place } from '../core/locate.ts';
import { storedPlaces } from '../core/stored-places.ts';
import { Workspace } from '../core/workspace.ts';
import { loadSettings } from '../settings/settings.ts';
import { bytesOf, isUpkeepDue, type MaintainOptions, type MaintenanceReport, maintain } from './maintain.ts';

/**
 * Looks after all stores that are due, and after those recorded in longest ago until all together take no more than they may. What fails
 * in one keeps nobody from the others.
 */
export const maintainAll = async ({
  onDone,
  onFailed,
  ...options
}: Pick<MaintainOptions, 'signal'> & {
  readonly onDone: (place: Place, done: MaintenanceReport) => void;
  readonly onFailed: (place: Place, error: unknown) => void;
}): Promise<void> => {
  const places = await longestUnusedFirst(storedPlaces());
  let surplus = places.reduce((sum, place) => sum + bytesOf(place), 0) - loadSettings()['retention.maxTotalBytes'];
  for (const place of places) {
    const before = bytesOf(place);
    const share = surplus > 0 ? Math.max(0, before - surplus) : Number.POSITIVE_INFINITY;
    try {
      const done = await withWorkspace(place, async (workspace) => {
        const allowance = Math.min(workspace.settings['retention.maxBytes'], share);
        return isUpkeepDue(workspace) || before > allowance ? maintain(workspace, { ...options, asNeeded: true, allowance }) : undefined;
      });
      surplus -= before - bytesOf(place);
      if (done !== undefined) onDone(place, done);
    } catch (error) {
      // The others don't make room for one that can't.
      surplus -= before;
      onFailed(place, error);
    }
    if (options.signal?.aborted) return;
  }
};

/** After every time. */
const LATEST = '\uffff';

/** By when something of the workspace was recorded last. */
const longestUnusedFirst = async (places: readonly Place[]): Promise<Place[]> => {
  const timed: { readonly place: Place; readonly time: string }[] = [];
  for (const place of places) {
    const newest = await withWorkspace(place, async ({ index }) => index.newestContent()).catch(() => undefined);
    timed.push({ place, time: newest?.createdAt ?? LATEST });
  }
  return timed.sort((a, b) => (a.time < b.time ? -1 : 1)).map(({ place }) => place);
};

/** Each under its own settings. */
const withWorkspace = async <T>(place: Place, work: (workspace: Workspace) => Promise<T>): Promise<T> => {
  const workspace = await Workspace.openAt(place, {});
  try {
    return await work(workspace);
  } finally {
    workspace.close();
  }
};
