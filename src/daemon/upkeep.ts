import { currentSettings, isUpkeepDue, type Settings } from '../engine/index.ts';
import { isUtf8, toText } from '../model/index.ts';
import type { KeptWorkspace } from './kept-workspace.ts';
import type { Log } from './log.ts';
import { startUpkeep } from './start.ts';

/** How long a workspace that needs nothing is not asked again, and how long one for which it failed. */
const ASK_AGAIN = 60_000;
const FAILED = 3_600_000;

/**
 * Has stores looked after when nobody uses them, one at a time: by a process of its own, because the memory that takes would
 * never be given back, and with low priority. Who asks for something meanwhile is answered by this process as ever.
 */
export class Upkeep {
  readonly #log: Log;
  readonly #askAfter = new WeakMap<KeptWorkspace, number>();
  #isRunning = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** To be called now and then. */
  consider(workspaces: Iterable<KeptWorkspace>): void {
    for (const kept of workspaces) if (!this.#isRunning && this.#mayBegin(kept)) void this.#begin(kept);
  }

  #mayBegin(kept: KeptWorkspace): boolean {
    const time = performance.now();
    const { root } = kept.workspace;
    const settings = settingsOf(kept);
    const isIdle = !kept.isBusy && time - kept.lastUsed > settings['upkeep.idleMinutes'] * 60_000;
    if (!isIdle || time < (this.#askAfter.get(kept) ?? 0) || !isUtf8(root)) return false;
    this.#askAfter.set(kept, time + ASK_AGAIN);
    return isUpkeepDue(kept.workspace, settings);
  }

  async #begin(kept: KeptWorkspace): Promise<void> {
    this.#isRunning = true;
    const root = toText(kept.workspace.root);
    this.#log(`looking after the store of ${root}`);
    const code = await startUpkeep(root).ended;
    if (code !== 0) this.#askAfter.set(kept, performance.now() + FAILED);
    this.#isRunning = false;
  }
}

/** They may have changed since somebody used the workspace last. Wrong ones are told to who uses it next. */
const settingsOf = ({ workspace }: KeptWorkspace): Settings => {
  try {
    return currentSettings(workspace.data);
  } catch {
    return workspace.settings;
  }
};
