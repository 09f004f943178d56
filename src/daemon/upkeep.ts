import { currentSettings, isUpkeepDue, type Settings } from '../engine/index.ts';
import { isUtf8, toText } from '../model/index.ts';
import type { Log } from './log.ts';
import { startUpkeep } from './start.ts';
import type { WarmWorkspace } from './warm-workspace.ts';

/** How long a workspace that needs nothing is not asked again, and how long one for which it failed. */
const ASK_AGAIN = 60_000;
const FAILED = 3_600_000;

/**
 * Has stores looked after when nobody uses them, one at a time: by a process of its own, because the memory that takes would
 * never be given back, and with low priority. Who asks for something meanwhile is answered by this process as ever.
 */
export class Upkeep {
  readonly #log: Log;
  readonly #askAfter = new WeakMap<WarmWorkspace, number>();
  #isRunning = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** To be called now and then. */
  consider(workspaces: Iterable<WarmWorkspace>): void {
    for (const warm of workspaces) if (!this.#isRunning && this.#mayBegin(warm)) void this.#begin(warm);
  }

  #mayBegin(warm: WarmWorkspace): boolean {
    const time = performance.now();
    const { root } = warm.workspace;
    const settings = settingsOf(warm);
    const isIdle = !warm.isBusy && time - warm.lastUsed > settings['upkeep.idleMinutes'] * 60_000;
    if (!isIdle || time < (this.#askAfter.get(warm) ?? 0) || !isUtf8(root)) return false;
    this.#askAfter.set(warm, time + ASK_AGAIN);
    return isUpkeepDue(warm.workspace, settings);
  }

  async #begin(warm: WarmWorkspace): Promise<void> {
    this.#isRunning = true;
    const root = toText(warm.workspace.root);
    this.#log(`looking after the store of ${root}`);
    const code = await startUpkeep(root).ended;
    if (code !== 0) this.#askAfter.set(warm, performance.now() + FAILED);
    this.#isRunning = false;
  }
}

/** They may have changed since somebody used the workspace last. Wrong ones are told to who uses it next. */
const settingsOf = ({ workspace }: WarmWorkspace): Settings => {
  try {
    return currentSettings(workspace.data);
  } catch {
    return workspace.settings;
  }
};
