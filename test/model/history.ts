import { join } from 'node:path';
import { expect } from 'vitest';
import { createCheckpoint, resolveRedo, resolveRewind, resolveUndo, rollBack, type Workspace } from '../../src/engine/index.ts';
import { RetakeError } from '../../src/model/index.ts';
import { gitIn } from '../support/git.ts';
import { type Oracle, observeDirectory } from '../support/oracle.ts';
import { expectRewind, type Moment, momentOf } from './expectation.ts';
import type { Step } from './steps.ts';
import type { Tier } from './tiers.ts';
import type { Action, World } from './world.ts';

interface HistoryParts {
  readonly world: World;
  readonly isRepository: boolean;
  readonly tier: Tier;
  /** Changes the workspace from outside, in another process. */
  readonly change: (action: Action) => Promise<void>;
}

/** Plays steps on the real thing and on the expectation side by side. */
export class History {
  readonly #world: World;
  readonly #isRepository: boolean;
  readonly #tier: Tier;
  readonly #change: (action: Action) => Promise<void>;
  readonly #seen: Record<string, number>;
  readonly #checkpoints: { id: string; moment: Moment }[] = [];
  /**
   * Disk states before each rollback in force, and before each undo: what undo and redo have to bring back. Null once
   * something else was changed in between, because then that work has to stay.
   */
  #undo: (Oracle | null)[] = [];
  #redo: (Oracle | null)[] = [];

  constructor({ world, isRepository, tier, change }: HistoryParts, seen: Record<string, number>) {
    this.#world = world;
    this.#isRepository = isRepository;
    this.#tier = tier;
    this.#change = change;
    this.#seen = seen;
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (step.do === 'checkpoint') await this.#checkpoint();
      else if (step.do === 'rewind') {
        await this.#rewind(step.back);
        for (const which of step.afterwards) await this.#takeBack(which);
      } else if (step.do === 'undo' || step.do === 'redo') await this.#takeBack(step.do);
      else {
        await this.#change(step);
        this.#undo.fill(null);
        this.#redo.fill(null);
      }
    }
    const status = await this.#with((workspace) => Promise.resolve(workspace.isProtected ? workspace.storePath : null));
    if (status !== null) expect(gitIn(this.#world.root, '--git-dir', status, 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
  }

  async #checkpoint(): Promise<void> {
    const moment = momentOf(this.#world);
    const { checkpoint } = await this.#untouched(() =>
      this.#with((workspace) => createCheckpoint(workspace, { name: `c${this.#checkpoints.length % 40}` })),
    );
    expect(checkpoint.status).toBe('complete');
    expect(this.#world.look()).toEqual(moment.disk);
    this.#checkpoints.push({ id: checkpoint.id, moment });
    this.#seen.checkpoint = (this.#seen.checkpoint ?? 0) + 1;
  }

  async #rewind(back: number): Promise<void> {
    const target = this.#checkpoints.at(-1 - back);
    if (target === undefined) return;
    const present = momentOf(this.#world);
    const expected = expectRewind(target.moment, present);
    let changed = false;
    try {
      const result = await this.#untouched(() => this.#with((workspace) => rollBack(workspace, resolveRewind(workspace, target.id))));
      changed = result.rollback !== null;
    } catch (error) {
      if (!(error instanceof RetakeError && error.code === 'in-the-way')) throw error;
      expect(expected, error.message).toBe('refused');
      expect(this.#world.look()).toEqual(present.disk);
      this.#seen.refused = (this.#seen.refused ?? 0) + 1;
      return;
    }
    expect(this.#world.look()).toEqual(expected);
    this.#seen.rewind = (this.#seen.rewind ?? 0) + 1;
    if (!changed) return;
    this.#undo.push(present.disk);
    this.#redo = [];
  }

  /** Exact when nothing else happened since; otherwise it must still succeed or refuse, and never touch git. */
  async #takeBack(which: 'undo' | 'redo'): Promise<void> {
    const [from, to] = which === 'undo' ? [this.#undo, this.#redo] : [this.#redo, this.#undo];
    const before = this.#world.look();
    try {
      const result = await this.#untouched(() =>
        this.#with((workspace) => rollBack(workspace, which === 'undo' ? resolveUndo(workspace) : resolveRedo(workspace))),
      );
      const expected = from.pop();
      if (result.rollback === null) return;
      if (expected !== undefined && expected !== null) {
        expect(this.#world.look()).toEqual(expected);
        this.#seen[which] = (this.#seen[which] ?? 0) + 1;
      }
      to.push(before);
    } catch (error) {
      if (!(error instanceof RetakeError)) throw error;
      expect(['nothing-to-undo', 'in-the-way']).toContain(error.code);
      if (error.code === 'nothing-to-undo') expect(from).toEqual([]);
      expect(this.#world.look()).toEqual(before);
    }
  }

  #with<T>(work: (workspace: Workspace) => Promise<T>): Promise<T> {
    return this.#tier.use(work);
  }

  /** The user's repository is byte for byte the same afterwards, times included. */
  async #untouched<T>(work: () => Promise<T>): Promise<T> {
    const look = () => (this.#isRepository ? observeDirectory(join(this.#world.root, '.git'), { mtimes: true }) : undefined);
    const before = look();
    try {
      return await work();
    } finally {
      expect(look()).toEqual(before);
    }
  }
}
