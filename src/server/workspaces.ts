import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { belongTo, currentSettings, type Place, placeOfWorkspace, readIdentity, storedPlaces, Workspace } from '../engine/index.ts';
import { dataDirectory } from '../host/index.ts';
import { RetakeError, toFs, toText } from '../model/index.ts';
import { BadRequest } from './problem.ts';

/** Used at once; who comes then is told to come again. */
const MOST_IN_USE = 32;

/** How long one stays open that nobody uses, and how many of one place: a page asks for a few things at once. */
const KEPT_OPEN = 5 * 60_000;
const MOST_IDLE = 4;

/** One workspace for one request. */
export interface Lease {
  readonly workspace: Workspace;
  /** To be called when the request is answered. */
  release(): void;
}

interface Open {
  readonly workspace: Workspace;
  /** The store that was opened: another may be at its place by now. */
  readonly store: string;
}

interface Idle extends Open {
  readonly since: number;
}

const openAt = async (place: Place): Promise<Open> => {
  const workspace = await Workspace.openAt(place, { settings: currentSettings(place.data), isLookingOnly: true });
  return { workspace, store: identify(workspace.storePath) };
};

/** What was only written down since is put in its place, as it is when one is opened. */
const settled = async (open: Open): Promise<Open> => {
  try {
    await open.workspace.flush();
    return open;
  } catch (error) {
    open.workspace.close();
    throw error;
  }
};

/**
 * The workspaces that requests are about. Each request has one for itself, as each command has: what two of them do at once is as safe as it
 * is between processes. Those that were used are kept for the next requests, which find them warm.
 */
export class Workspaces {
  /** By the data directory; the one that was used last is last. */
  readonly #idle = new Map<string, Idle[]>();
  readonly #sweeping: NodeJS.Timeout;
  #served: Place | undefined;
  #inUse = 0;
  #isClosed = false;

  constructor() {
    this.#sweeping = setInterval(() => this.#sweep(), KEPT_OPEN / 5).unref();
  }

  /** What requests are about from now on that name no workspace. */
  serve(directory: string): Place {
    this.#served = placeOfWorkspace(directory);
    return this.#served;
  }

  get served(): Place | undefined {
    return this.#served;
  }

  /** The served one first, and those with records, or of these the one with an id; what the daemon makes for itself is none. */
  list(id?: string): Place[] {
    const ownData = existsSync(dataDirectory()) ? realpathSync(dataDirectory()) : dataDirectory();
    const stored = storedPlaces((folder) => id === undefined || folder === id).filter(
      ({ root }) => !toText(root).startsWith(`${ownData}/`),
    );
    const served = this.#served;
    return served === undefined ? stored : [served, ...stored.filter(({ data }) => data !== served.data)];
  }

  /** The place that a request names. The name is only compared, and no path is made of it. */
  find(id: string | undefined): Place {
    const found = id === undefined ? this.#served : this.list(id).find((place) => idOf(place) === id);
    if (found !== undefined) return found;
    throw id === undefined
      ? new BadRequest('bad-request', 'Which workspace?', { hint: 'Name it with ?workspace=ID; GET /api/workspaces lists them.' })
      : new RetakeError('workspace-missing', 'There is no such workspace', { hint: 'GET /api/workspaces lists them.' });
  }

  async lease(place: Place): Promise<Lease> {
    if (this.#inUse >= MOST_IN_USE) throw new BadRequest('busy', 'Too many requests at once', { hint: 'Try again in a moment.' });
    this.#inUse++;
    try {
      const open = (await this.#takeIdle(place)) ?? (await openAt(place));
      let isOut = true;
      const release = (): void => {
        if (isOut) this.#putBack(open);
        isOut = false;
      };
      return { workspace: open.workspace, release };
    } catch (error) {
      this.#inUse--;
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweeping);
    for (const { workspace } of [...this.#idle.values()].flat()) workspace.close();
    this.#idle.clear();
  }

  /** One that is still of the same store and under the same settings. */
  async #takeIdle({ data }: Place): Promise<Open | undefined> {
    const all = this.#idle.get(data) ?? [];
    for (let idle = all.pop(); idle !== undefined; idle = all.pop()) {
      const { workspace, store } = idle;
      if (workspace.settings === currentSettings(data) && store === identify(workspace.storePath)) return settled(idle);
      workspace.close();
    }
    return undefined;
  }

  #putBack({ workspace, store }: Open): void {
    this.#inUse--;
    const { data } = workspace;
    const all = this.#idle.get(data) ?? [];
    if (this.#isClosed || all.length >= MOST_IDLE) workspace.close();
    else this.#idle.set(data, [...all, { workspace, store, since: performance.now() }]);
  }

  #sweep(): void {
    const isOld = ({ since }: Idle): boolean => performance.now() - since >= KEPT_OPEN;
    for (const [data, all] of this.#idle) {
      for (const { workspace } of all.filter(isOld)) workspace.close();
      const rest = all.filter((idle) => !isOld(idle));
      if (rest.length === 0) this.#idle.delete(data);
      else this.#idle.set(data, rest);
    }
  }
}

/** What a workspace is called in requests. */
export const idOf = ({ data }: Pick<Place, 'data'>): string => basename(data);

/** That directory, and not another one at its place. */
export const isThere = ({ root, data }: Place): boolean => existsSync(toFs(root)) && belongTo(readIdentity(data), data, root);

const identify = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false });
  return `${found?.dev} ${found?.ino} ${found?.birthtimeMs}`;
};
