import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aimRedo, aimRewind, aimUndo, createCheckpoint, rollBack, type Workspace } from '../../src/engine/index.ts';
import { RetakeError } from '../../src/model/index.ts';
import { gitIn } from '../support/git.ts';
import { type Oracle, observeDirectory } from '../support/oracle.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { expectRewind, type Moment, momentOf } from './expectation.ts';
import { Neighbour } from './neighbour.ts';
import { JournalTier, ScanTier, type Tier } from './tiers.ts';
import { type Action, World } from './world.ts';

const RUNS = Number(process.env.RETAKE_MODEL_RUNS ?? 250);
/** The same for both tiers; printed, so that a run can be repeated. */
const SEED = Number(process.env.RETAKE_MODEL_SEED ?? Date.now() % 2 ** 31);

const DIRECTORIES = ['a', 'a/b', 'c', 'ign', 'a/ign'];
const NAMES = ['f', 'g.ign', '.env', 'new\nline', 'bad\xff\xfe', '-dash', '*', '.GIT', 'keep.ign'];
const POOL = [
  ...DIRECTORIES,
  ...['', ...DIRECTORIES].flatMap((directory) => NAMES.map((name) => (directory === '' ? name : `${directory}/${name}`))),
];
const RULES = ['*.ign\n', 'ign/\n', '*.ign\n!keep.ign\n', '/a/\n', '.env\n*.ign\n', '# nothing\n', 'f\n', '.gitignore\n*.ign\n'];

const BEGINNING: readonly Action[] = [
  ...DIRECTORIES.map((directory) => ({ do: 'mkdir' as const, path: directory })),
  ...['f', 'a/f', 'a/b/f', 'c/g.ign', 'ign/f', '.env'].map((file) => ({ do: 'write' as const, path: file, text: 'begin\n', mode: 0o644 })),
];

type Step =
  | Action
  | { do: 'checkpoint' }
  | { do: 'rewind'; back: number; afterwards: readonly ('undo' | 'redo')[] }
  | { do: 'undo' }
  | { do: 'redo' };

const path = fc.constantFrom(...POOL);
const text = fc.constantFrom('', 'x', 'one\n', 'one\ntwo\n', 'y'.repeat(5000), '\0binary', 'same-size-1', 'same-size-2');
const mode = fc.constantFrom(0o644, 0o755, 0o600, 0o664, 0o444);
const edit: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('write' as const), path, text, mode }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('append' as const), path, text, mode }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('truncate' as const, 'delete' as const), path }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('mkdir' as const), path: fc.constantFrom(...DIRECTORIES, 'f', 'a/f') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rename' as const), path, to: path }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('chmod' as const), path, mode }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('link' as const), path, target: fc.constantFrom('f', '../c', '/etc', 'a', 'nowhere\xff') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('git-init' as const), path: fc.constantFrom('a', 'c', 'a/b', 'ign') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('track' as const), path }) },
  {
    weight: 2,
    arbitrary: fc
      .record({ directory: fc.constantFrom('', 'a', 'a/b', 'c'), rules: fc.constantFrom(...RULES) })
      .map(({ directory, rules }) => ({
        do: 'write' as const,
        path: directory === '' ? '.gitignore' : `${directory}/.gitignore`,
        text: rules,
        mode: 0o644,
      })),
  },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: edit },
  { weight: 3, arbitrary: fc.constant({ do: 'checkpoint' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('rewind' as const),
      back: fc.nat({ max: 3 }),
      afterwards: fc.array(fc.constantFrom('undo' as const, 'redo' as const), { maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom({ do: 'undo' as const }, { do: 'redo' as const }) },
);

const TIERS = {
  scan: (directory: string): Tier => new ScanTier(directory),
  journal: (directory: string, seen: Record<string, number>): Tier => new JournalTier(directory, seen),
};

test.each(Object.entries(TIERS))(
  `[RST-1] [RST-3] [RST-5] [RST-7] [CAP-1] [CAP-10] %s tier: ${RUNS} random histories go back, undo and redo exactly`,
  async (name, tierOf) => {
    const base = temporaryDirectory();
    const neighbour = new Neighbour();
    let count = 0;
    const seen: Record<string, number> = { checkpoint: 0, rewind: 0, refused: 0, undo: 0, redo: 0 };
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }), async (isRepository, steps) => {
        const home = join(base, String(count++));
        mkdirSync(home);
        process.env.RETAKE_HOME = join(home, 'data');
        const world = World.make(join(home, 'workspace'), isRepository);
        for (const action of BEGINNING) world.perform(action);
        const tier = tierOf(world.root, seen);
        const change = (action: Action) => neighbour.perform(world.root, isRepository, action);
        await new History({ world, isRepository, tier, change }, seen).play(steps).finally(() => tier.close());
      }),
      { numRuns: RUNS, seed: SEED },
    );
    console.log(`model test, ${name} tier: ${RUNS} histories, seed ${SEED}: ${JSON.stringify(seen)}`);
    expect(seen.rewind).toBeGreaterThan(0);
    expect(seen.undo).toBeGreaterThan(0);
    expect(seen.redo).toBeGreaterThan(0);
  },
);

interface HistoryParts {
  readonly world: World;
  readonly isRepository: boolean;
  readonly tier: Tier;
  /** Changes the workspace from outside, in another process. */
  readonly change: (action: Action) => Promise<void>;
}

/** Plays steps on the real thing and on the expectation side by side. */
class History {
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
      const result = await this.#untouched(() => this.#with((workspace) => rollBack(workspace, aimRewind(workspace, target.id))));
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
        this.#with((workspace) => rollBack(workspace, which === 'undo' ? aimUndo(workspace) : aimRedo(workspace))),
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
