import { lstatSync } from 'node:fs';
import type { StateChange } from '../../diff/index.ts';
import { type ByteString, type Omission, type PlanStep, type RelativePath, toFs } from '../../model/index.ts';
import { KEEPS_CHANGING, keepsChanging, WorkspaceFs } from '../../restore/index.ts';
import type { Kept } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';

/**
 * Files that somebody keeps changing while a plan is made: a log, the output of a server. What the plan said of one would not be so any more when
 * it is carried out, so it is left as it is and named, and the rest goes back.
 */
export class LiveFiles {
  readonly #root: ByteString;
  readonly #began = Date.now();
  readonly #live: Set<RelativePath>;
  readonly #atRest = new Set<RelativePath>();
  #waits = 0;

  constructor({ root }: Workspace, known: readonly RelativePath[]) {
    this.#root = root;
    this.#live = new Set(known);
  }

  /** Something changed each time that we waited: whatever changed since we began is left from now on, so that there is an end to it. */
  get isHurried(): boolean {
    return this.#waits > MOST_WAITS;
  }

  has(path: RelativePath): boolean {
    return this.#live.has(path);
  }

  /** Takes live files out of what is to be changed. */
  leave(changes: readonly StateChange[]): { readonly changes: readonly StateChange[]; readonly kept: readonly Kept[] } {
    if (this.#live.size === 0) return { changes, kept: [] };
    const left = changes.filter(({ path }) => this.#live.has(path));
    return {
      changes: changes.filter(({ path }) => !this.#live.has(path)),
      kept: left.map(({ path }) => ({ path, reason: KEEPS_CHANGING })),
    };
  }

  /**
   * Looks for more of them in a plan, and among what is there and was not captured; what is returned has changed since it was captured, and the plan
   * has to be made again.
   */
  async find(
    steps: readonly PlanStep[],
    hidden: readonly RelativePath[],
    omissions: readonly Omission[],
    signal: AbortSignal | undefined,
  ): Promise<RelativePath[]> {
    const reasons = new Map(omissions.map(({ path, reason }) => [path, reason]));
    // The capture has looked at these again and again already.
    const unstable = hidden.filter((path) => reasons.get(path) === 'unstable');
    // Gone when it was captured, and there again.
    const made = hidden.filter((path) => (reasons.get(path) ?? 'vanished') === 'vanished' && !this.#atRest.has(path));
    const moved = [...made, ...steps.filter((step) => this.#hasMoved(step)).map(({ path }) => path)];
    if (moved.length > 0) this.#waits++;
    const changing = moved.length === 0 || this.isHurried ? moved : await keepsChanging(new WorkspaceFs(this.#root), moved, signal);
    for (const path of [...unstable, ...changing]) this.#live.add(path);
    for (const path of moved) this.#atRest.add(path);
    return [...unstable, ...moved];
  }

  /** By ctime, which nobody can set. */
  #hasMoved({ path, from }: PlanStep): boolean {
    if (from?.type !== 'file' || this.#atRest.has(path)) return false;
    const stat = lstatSync(toFs(`${this.#root}/${path}` as ByteString), { throwIfNoEntry: false });
    return stat === undefined || stat.ctimeMs > this.#began;
  }
}

/** Who makes a file after the other, each with a name of its own, would have us wait for ever. */
const MOST_WAITS = 2;
