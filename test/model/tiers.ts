import { join } from 'node:path';
import { expect } from 'vitest';
import { capturePresent } from '../../src/engine/core/present.ts';
import { WarmMemory, Workspace } from '../../src/engine/index.ts';
import { stateName } from '../../src/model/index.ts';

/** How a history gets hold of its workspace. */
export interface Tier {
  use<T>(work: (workspace: Workspace) => Promise<T>): Promise<T>;
  close(): void;
}

const open = (directory: string): Promise<Workspace> => Workspace.open({ directory });

const looked = async (directory: string): Promise<string> => {
  const workspace = await open(directory);
  try {
    return await workspace.write(async () => {
      const { state, batch } = await capturePresent(workspace);
      batch.abandon();
      return stateName(state);
    });
  } finally {
    workspace.close();
  }
};

/** Opened anew each time, as every command does. */
export class ScanTier implements Tier {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async use<T>(work: (workspace: Workspace) => Promise<T>): Promise<T> {
    const workspace = await open(this.#directory);
    try {
      return await work(workspace);
    } finally {
      workspace.close();
    }
  }

  close(): void {}
}

/** Kept open and watched, as the daemon does; whatever it captures is held against a scan. */
export class JournalTier implements Tier {
  readonly #directory: string;
  readonly #seen: Record<string, number>;
  #uses = 0;
  #kept: { workspace: Workspace; memory: WarmMemory } | undefined;

  constructor(directory: string, seen: Record<string, number>) {
    this.#directory = directory;
    this.#seen = seen;
  }

  async use<T>(work: (workspace: Workspace) => Promise<T>): Promise<T> {
    this.#kept ??= await this.#begin();
    const { workspace, memory } = this.#kept;
    if (workspace.isProtected && memory.tier !== 'journal') expect(await memory.arm(), memory.problem).toBe(true);
    if (workspace.isProtected) await this.#compare(workspace, memory);
    this.#uses++;
    if (this.#uses % 3 === 0) await this.#lookAhead(workspace, memory);
    const result = await work(workspace);
    if (this.#uses % 3 === 1) await this.#lookAhead(workspace, memory);
    return result;
  }

  close(): void {
    this.#kept?.memory.disarm();
    this.#kept?.workspace.close();
  }

  async #begin(): Promise<{ workspace: Workspace; memory: WarmMemory }> {
    const workspace = await open(this.#directory);
    const memory = new WarmMemory(workspace, { cookies: join(workspace.data, 'cookies') });
    workspace.memory = memory;
    return { workspace, memory };
  }

  /** As the daemon does when it hears of a change, now with what comes after it to be found, and now without. */
  async #lookAhead(workspace: Workspace, memory: WarmMemory): Promise<void> {
    if (memory.tier !== 'journal') return;
    await workspace.write(() => memory.lookAhead());
    this.#seen.lookedAhead = (this.#seen.lookedAhead ?? 0) + 1;
  }

  async #compare(workspace: Workspace, memory: WarmMemory): Promise<void> {
    const { state, batch } = await workspace.write(() => capturePresent(workspace));
    batch.abandon();
    expect(memory.tier).toBe('journal');
    expect(stateName(state)).toBe(await looked(this.#directory));
    this.#seen.compared = (this.#seen.compared ?? 0) + 1;
  }
}
