import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { RollbackResult } from '../../src/engine/index.ts';
import type { OperationId } from '../../src/model/index.ts';
import fc, { runs, SEED } from '../support/property.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { filesIn, OWNERS, OwnedFiles, type Owner, type PendingLoad } from './owned-files.ts';
import { type Actor, type Call, refused, Stage } from './stage.ts';

const RUNS = runs(8, 20);

type Agent = Exclude<Owner, 'me'>;

type Event =
  | { readonly do: 'mine'; readonly loads: readonly PendingLoad[] }
  | { readonly do: 'prompt'; readonly by: Agent }
  /** A tool that can change anything. */
  | { readonly do: 'shell'; readonly by: Agent; readonly loads: readonly PendingLoad[] }
  /** Tools that name their files, at the same time; the person may do something else meanwhile. */
  | {
      readonly do: 'edit';
      readonly by: Agent;
      readonly file: number;
      readonly loads: readonly PendingLoad[];
      readonly beside: readonly PendingLoad[];
      readonly mine: readonly PendingLoad[];
    };

const kind = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('insert' as const, 'change' as const, 'delete' as const) },
  { weight: 1, arbitrary: fc.constantFrom('create' as const, 'remove' as const) },
);
const wish: fc.Arbitrary<PendingLoad> = fc.record({
  file: fc.nat({ max: 2 }),
  kind,
  meddles: fc.oneof({ weight: 15, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom(...OWNERS) }),
  line: fc.nat({ max: 4 }),
});
const loads = (minLength: number) => fc.array(wish, { minLength, maxLength: 3 });
const by = fc.constantFrom<Agent>('a', 'b');
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('mine' as const), loads: loads(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('prompt' as const), by }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('shell' as const), by, loads: loads(1) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      by,
      file: fc.nat({ max: 2 }),
      loads: loads(1),
      beside: fc.oneof(fc.constant([]), loads(1)),
      mine: fc.oneof(fc.constant([]), loads(1)),
    }),
  },
);

/** Two agents, of two sessions or of one, and what their steps are recorded as. */
class Scene {
  readonly stage: Stage;
  readonly files: OwnedFiles;
  readonly steps: Readonly<Record<Agent, OperationId[]>> = { a: [], b: [] };
  readonly #isSubagent: boolean;
  readonly #actors: Readonly<Record<Agent, Actor>>;

  constructor(stage: Stage, files: OwnedFiles, isSubagent: boolean) {
    this.stage = stage;
    this.files = files;
    this.#isSubagent = isSubagent;
    const a = stage.actor('session-a');
    this.#actors = { a, b: isSubagent ? a : stage.actor('session-b') };
  }

  async play(events: readonly Event[]): Promise<OperationId> {
    await this.#actors.a.start();
    const { id } = await this.#actors.a.prompt('first');
    if (!this.#isSubagent) await this.#actors.b.prompt('first');
    for (const one of events) await this.#happen(one);
    return id;
  }

  async #happen(one: Event): Promise<void> {
    if (one.do === 'mine') this.#fulfil('me', one.loads);
    else if (one.do === 'prompt') await this.#actors[one.by].prompt('next');
    else if (one.do === 'shell') {
      const end = await this.#begin(one.by);
      this.#fulfil(one.by, one.loads);
      await end();
    } else await this.#edit(one);
  }

  async #edit({ by, file, loads, beside, mine }: Event & { do: 'edit' }): Promise<void> {
    const other = by === 'a' ? 'b' : 'a';
    const end = await this.#begin(by, OwnedFiles.fileAt(file));
    const endOfOther = beside.length === 0 ? undefined : await this.#begin(other, OwnedFiles.fileAt(file + 1));
    this.#fulfil(by, loads, OwnedFiles.fileAt(file));
    this.#fulfil(other, beside, OwnedFiles.fileAt(file + 1));
    this.#fulfil('me', mine, OwnedFiles.fileAt(file + 2));
    await end();
    await endOfOther?.();
  }

  #fulfil(owner: Owner, loads: readonly PendingLoad[], file?: string): void {
    for (const one of loads) this.files.do(this.stage.root, owner, one, file);
  }

  async #begin(by: Agent, file?: string): Promise<() => Promise<void>> {
    const call: Call = { file, agentId: by === 'b' && this.#isSubagent ? 'helper-1' : undefined };
    const end = await this.#actors[by].begin(call);
    return async () => {
      const step = await end();
      if (step !== null) this.steps[by].push(step.id);
    };
  }

  /** The ways to have some do nothing, each in one go. */
  ways(start: OperationId): { gone: readonly Owner[]; go: (rest: 'ours' | null) => Promise<RollbackResult> }[] {
    const { stage } = this;
    const choice = (rest: 'ours' | null) => ({ choices: [], rest });
    const { id: session } = this.#actors.a;
    const agents = this.#isSubagent ? (['a', 'b'] as const) : (['a'] as const);
    return [
      { gone: ['a'], go: (rest) => stage.revert('claude-code', rest, session) },
      { gone: ['b'], go: (rest) => (this.#isSubagent ? stage.revert('helper-1', rest) : stage.discard('session-b', rest)) },
      { gone: agents, go: (rest) => stage.discard(session, rest) },
      { gone: agents, go: (rest) => stage.rewind(start, { keepMine: true, choice: choice(rest) }) },
      { gone: this.#isSubagent ? OWNERS : ['a', 'me'], go: (rest) => stage.rewind(start, { choice: choice(rest) }) },
      { gone: ['a', 'b'], go: (rest) => stage.rewind(start, { keepMine: true, allSessions: true, choice: choice(rest) }) },
      { gone: OWNERS, go: (rest) => stage.rewind(start, { allSessions: true, choice: choice(rest) }) },
    ];
  }
}

/** Who did nothing is not known, or has nothing to be taken out. */
const NOTHING = ['nothing-to-revert', 'nothing-to-discard', 'unknown-id'];

const linesOf = ({ stage }: Scene, file: string): string[] => (filesIn(stage.root).get(file) ?? '').split('\n');

/** What others wrote is there. */
const expectNoLoss = (scene: Scene, gone: readonly Owner[]): void => {
  for (const file of scene.files.names) {
    const { present } = scene.files.claims(file, gone);
    expect(linesOf(scene, file), `lost in ${file} without ${gone}`).toEqual(expect.arrayContaining(present));
  }
};

/** What has to be there when some did nothing, but for conflicts. */
const check = (scene: Scene, gone: readonly Owner[], conflicts: readonly string[]): void => {
  const { files, stage } = scene;
  const [now, wanted] = [filesIn(stage.root), files.without(gone)];
  expectNoLoss(scene, gone);
  for (const file of files.names) {
    const isOpen = conflicts.some((conflict) => conflict.startsWith(`${file} `));
    if (files.isApart(file, gone)) {
      expect(isOpen, `conflict in ${file} without ${gone}`).toBe(false);
      expect(now.get(file), `${file} without ${gone}`).toBe(wanted.get(file));
    }
    const { absent } = files.claims(file, gone);
    const left = isOpen ? [] : linesOf(scene, file).filter((line) => absent.includes(line));
    expect(left, `left in ${file} without ${gone}`).toEqual([]);
  }
};

const seen = { exact: 0, conflicts: 0, stepwise: 0, stepConflicts: 0 };

/** The first one meets what nobody has recorded yet. */
const inOneGo = async (scene: Scene, start: OperationId, first: number): Promise<void> => {
  const { stage } = scene;
  const now = stage.look();
  const ways = scene.ways(start);
  for (const { gone, go } of [...ways.slice(first), ...ways.slice(0, first)]) {
    const refusal = await refused(
      go(null).then(async (done) => {
        check(scene, gone, []);
        seen.exact++;
        if (done.rollback !== null) await stage.undo();
      }),
    );
    expect(stage.look()).toEqual(now);
    if (refusal === null) continue;
    if (NOTHING.includes(refusal.code)) {
      check(scene, gone, []);
      continue;
    }
    expect(refusal.code).toBe('conflicts');
    seen.conflicts++;
    const { rollback } = await go('ours');
    check(scene, gone, refusal.conflicts);
    if (rollback !== null) await stage.undo();
    expect(stage.look()).toEqual(now);
  }
};

/** The newest first, which is exact; or in another order, where what one step did and a later one took away may come back. */
const stepByStep = async (scene: Scene, agent: Agent, order: readonly number[] | null): Promise<void> => {
  const { stage, files } = scene;
  const now = stage.look();
  const steps = scene.steps[agent].map((id, at) => ({ id, place: order === null ? -at : (order[at] ?? at) }));
  const undos: OperationId[] = [];
  let isOpen = false;
  for (const { id } of steps.sort((a, b) => a.place - b.place)) {
    const refusal = await refused(stage.revert(id).then(({ rollback }) => rollback !== null && undos.push(rollback.id)));
    if (refusal === null || NOTHING.includes(refusal.code)) continue;
    expect(refusal.code).toBe('conflicts');
    isOpen = true;
  }
  if (!isOpen && order === null) check(scene, [agent], []);
  else expectNoLoss(scene, [agent]);
  if (order === null && isOpen) expect(files.names.every((file) => files.isApart(file, [agent]))).toBe(false);
  seen[isOpen ? 'stepConflicts' : 'stepwise']++;
  for (const id of undos.toReversed()) await stage.undo(id);
  expect(stage.look()).toEqual(now);
};

test(`[RST-8] [RST-9] [RST-10] [RST-11] ${RUNS} random histories of two agents and a person: each can be taken out, nothing of another's is lost`, async () => {
  const base = temporaryDirectory();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(event, { minLength: 3, maxLength: 9, size: 'max' }),
      fc.option(fc.array(fc.nat({ max: 99 }), { minLength: 12, maxLength: 12 })),
      fc.nat({ max: 6 }),
      async (isSubagent, events, order, first) => {
        const at = join(base, String(count++));
        mkdirSync(at);
        const files = new OwnedFiles();
        const stage = await Stage.open(at, (root) => {
          mkdirSync(join(root, 'd'));
          files.writeTo(root);
        });
        try {
          const scene = new Scene(stage, files, isSubagent);
          const start = await scene.play(events);
          await inOneGo(scene, start, first);
          for (const agent of ['a', 'b'] as const) await stepByStep(scene, agent, order);
        } finally {
          stage.workspace.close();
        }
      },
    ),
    { numRuns: RUNS, seed: SEED },
  );
  vi.unstubAllEnvs();
  console.log(`owners: ${RUNS} histories, seed ${SEED}: ${JSON.stringify(seen)}`);
  expect(Math.min(seen.exact, seen.stepwise)).toBeGreaterThan(0);
});
