import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { collectGarbage, type LogEntry, prune, setPinned } from '../../src/engine/index.ts';
import { type OperationId, RetakeError } from '../../src/model/index.ts';
import { observeWorkspace } from '../support/oracle.ts';
import fc, { runs, SEED } from '../support/property.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { LivedIn } from './lived.ts';

const RUNS = runs(6, 25);

const EVENTS = ['step', 'step', 'step', 'prompt', 'mine', 'rewind', 'revert', 'undo', 'pin', 'fork', 'by-hand', 'prune'] as const;

const event = fc.record({
  do: fc.constantFrom(...EVENTS),
  by: fc.constantFrom('a', 'b'),
  /** Which of the records it is about, counted back. */
  back: fc.nat({ max: 12 }),
  days: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) }),
});
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** What the log says of a record, but for who did it where that can't be told any more. */
const told = ({ operation, name, note, pinned, rolledBack, stepStatus: standing }: LogEntry) => ({
  operation,
  name,
  note,
  pinned,
  rolledBack,
  state: standing?.state,
});

class Story {
  readonly #at: LivedIn;
  readonly #actors;
  /** The workspace at each record, as it was on disk. */
  readonly #truth = new Map<OperationId, ReturnType<typeof observeWorkspace>>();

  constructor(at: LivedIn) {
    this.#at = at;
    this.#actors = { a: at.stage.actor('a'), b: at.stage.actor('b') };
  }

  async begin(): Promise<void> {
    for (const actor of Object.values(this.#actors)) await actor.start();
    this.#note();
  }

  async live({ do: what, by, back, days }: Event): Promise<void> {
    const [at, actor] = [this.#at, this.#actors[by as 'a' | 'b']];
    at.pass(days);
    const checkpoints = at.log.filter(({ operation }) => operation.state !== null && 'previous' in operation).toReversed();
    const { id } = (checkpoints[back % checkpoints.length] as LogEntry).operation;
    try {
      if (what === 'step') await at.step(actor);
      else if (what === 'prompt') await actor.prompt('go on');
      else if (what === 'mine') at.write('mine.txt');
      else if (what === 'rewind') await at.stage.rewind(id);
      else if (what === 'revert') await at.stage.revert(id, 'ours');
      else if (what === 'undo') await at.stage.undo();
      else if (what === 'pin') await setPinned(at.stage.workspace, id, true);
      else if (what === 'fork') await at.forkAt((checkpoints[back % checkpoints.length] as LogEntry).operation);
      else if (what === 'by-hand') await at.byHand(`by hand ${back}`);
      else await this.prune();
    } catch (error) {
      // Nothing to undo or revert, conflicts, a name twice.
      if (!(error instanceof RetakeError)) throw error;
    }
    this.#note();
  }

  /** What was recorded just now is what is on disk. */
  #note(): void {
    const newest = this.#at.log.findLast(({ operation }) => operation.state !== null)?.operation;
    if (newest !== undefined && !this.#truth.has(newest.id)) this.#truth.set(newest.id, observeWorkspace(this.#at.stage.root));
  }

  async prune(): Promise<number> {
    const before = new Map(this.#at.log.map((entry) => [entry.operation.id, entry]));
    const { goes } = await prune(this.#at.stage.workspace);
    const after = this.#at.log;
    const gone = new Set(goes.map(({ operation }) => operation.id));
    for (const entry of after) {
      const known = before.get(entry.operation.id);
      if (known === undefined) continue;
      expect(told(entry)).toEqual(told(known));
      if (entry.by !== known.by) expect(entry.by === 'unknown' || entry.by === null, `${known.by} became ${entry.by}`).toBe(true);
    }
    const missing = [...before.keys()].filter((id) => !after.some(({ operation }) => operation.id === id));
    expect(new Set(missing)).toEqual(gone);
    for (const { operation } of goes) {
      const { pinned, name, note } = before.get(operation.id) as LogEntry;
      expect({ pinned, name, note }).toEqual({ pinned: false, name: null, note: null });
    }
    return gone.size;
  }

  /** Everything that is left goes back exactly as it was, and the undo of that too. */
  async restoreAll(): Promise<void> {
    const { stage, log } = this.#at;
    await collectGarbage(stage.workspace);
    for (const { operation } of log.filter((entry) => 'previous' in entry.operation)) {
      const truth = this.#truth.get(operation.id);
      if (truth === undefined) continue;
      const now = stage.look();
      await stage.rewind(operation.id, { allSessions: true });
      expect(stage.look()).toEqual(truth);
      if (now.size !== truth.size || [...now].some(([path, what]) => truth.get(path) !== what)) {
        await stage.undo();
        expect(stage.look()).toEqual(now);
      }
    }
  }
}

test(`[STO-3] [RST-7] what pruning leaves is told as before and restores exactly (seed ${SEED}, ${RUNS} runs)`, async () => {
  const root = temporaryDirectory();
  let [run, pruned] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 40 }), async (events) => {
      const directory = join(root, String(run++));
      mkdirSync(directory);
      const at = await LivedIn.open(directory);
      try {
        const story = new Story(at);
        await story.begin();
        for (const one of events) await story.live(one);
        at.pass(25);
        pruned += await story.prune();
        at.pass(120);
        pruned += await story.prune();
        await story.restoreAll();
      } finally {
        at.close();
        vi.unstubAllEnvs();
      }
    }),
    { seed: SEED, numRuns: RUNS, endOnFailure: true },
  );
  expect(pruned).toBeGreaterThan(RUNS);
});
