import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { capturePresent } from '../../src/engine/core/present.ts';
import { createCheckpoint, WarmMemory, Workspace } from '../../src/engine/index.ts';
import { type RelativePath, stateName } from '../../src/model/index.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A workspace with a journal, whose captures are held against those of a process that knows nothing. */
export class Watched {
  readonly root: string;
  readonly workspace: Workspace;
  readonly memory: WarmMemory;

  private constructor(root: string, workspace: Workspace) {
    this.root = root;
    this.workspace = workspace;
    this.memory = new WarmMemory(workspace, { cookies: join(workspace.data, 'cookies') });
    workspace.memory = this.memory;
  }

  /** Recorded once and watched from then on. */
  static async begin(root: string): Promise<Watched> {
    process.env.RETAKE_HOME = join(temporaryDirectory(), 'data');
    const watched = new Watched(root, await Workspace.open({ directory: root }));
    onTestFinished(() => {
      watched.memory.disarm();
      watched.workspace.close();
    });
    await watched.checkpoint();
    await watched.memory.arm();
    return watched;
  }

  checkpoint() {
    return createCheckpoint(this.workspace, { name: `c${Math.random()}` });
  }

  lookAhead(): Promise<void> {
    return this.workspace.write(() => this.memory.lookAhead());
  }

  /** The state that a capture finds now; recorded nowhere. */
  async look(): Promise<string> {
    return captureIn(this.workspace);
  }

  /** What the journal makes of the workspace is what a scan makes of it. */
  async expectExact(tier: 'journal' | 'scan' = 'journal'): Promise<void> {
    expect(this.memory.tier, this.memory.problem).toBe(tier);
    const other = await Workspace.open({ directory: this.root });
    try {
      expect(await this.look()).toBe(await captureIn(other));
    } finally {
      other.close();
    }
  }
}

const captureIn = (workspace: Workspace): Promise<string> =>
  workspace.write(async () => {
    const { state, batch } = await capturePresent(workspace);
    batch.abandon();
    return stateName(state);
  });

/** Done by another process, to its end. While it runs, this one hears nothing. */
export const shell = (directory: string, script: string): void => {
  execFileSync('bash', ['-euc', script], { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
};

/** The directories that captures look at from now on. */
export const noteLooks = (workspace: Workspace): string[] => {
  const seen: string[] = [];
  workspace.memory = new Proxy(workspace.memory, {
    get: (memory, key) => {
      const value = Reflect.get(memory, key, memory);
      if (key === 'beforeLooking') return (directory: RelativePath) => seen.push(directory) && value(directory);
      return typeof value === 'function' ? value.bind(memory) : value;
    },
  });
  return seen;
};
