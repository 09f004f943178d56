import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { diffStates } from '../../src/diff/index.ts';
import {
  createCheckpoint,
  type RollbackResult,
  resolveRedo,
  resolveRewind,
  resolveUndo,
  rollBack,
  Workspace,
} from '../../src/engine/index.ts';
import { type Recorded, RetakeError } from '../../src/model/index.ts';
import { gitIn } from '../support/git.ts';
import type { Oracle } from '../support/oracle.ts';
import fc, { runs, SEED } from '../support/property.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { type AttributedChange, RuledWorld, type Rules } from './ruled-world.ts';

const RUNS = runs(15, 1200);
const LONGEST = 3_600_000;

const DIRECTORIES = ['A', 'A/e', 'A/e/g', 'B', 'B/A'];
const PLACES = [...DIRECTORIES, ...['', ...DIRECTORIES].flatMap((directory) => ['f', 'x.log', 'e'].map((name) => join(directory, name)))];
const text = fc.constantFrom('', 'one\n', 'two\n', 'other\n');
const rules = fc.constantFrom('e\n', 'e/\n', '*\n', '*.log\n', 'A/\n', '*\n!f\n', '.gitignore\n*.log\n', 'g\nf\n', '/A/e/\n', '# none\n');
const path = fc.constantFrom(...PLACES);
const directory = fc.constantFrom(...DIRECTORIES);
const mode = fc.constantFrom(0o644, 0o755, 0o600);

const anyRules: fc.Arbitrary<Rules> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('exclude' as const), path: fc.constantFrom('', ...DIRECTORIES), text: rules }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('global' as const), text: rules }) },
);
const anyAttributed: fc.Arbitrary<AttributedChange> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), path, text, mode }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('mkdir' as const), path: fc.constantFrom(...DIRECTORIES, 'f', 'A/f', 'e') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('delete' as const), path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('link' as const), path, target: fc.constantFrom('f', '../B', 'nowhere') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rename' as const), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('chmod' as const), path, mode }) },
  {
    weight: 3,
    arbitrary: fc
      .record({ at: fc.constantFrom('', ...DIRECTORIES), text: rules })
      .map(({ at, text }) => ({ do: 'write' as const, path: join(at, '.gitignore'), text, mode: 0o644 })),
  },
  { weight: 2, arbitrary: anyRules },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('repository' as const, 'pointer' as const), path: directory }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('track' as const, 'track' as const, 'untrack' as const), path }) },
);

const BEGINNING: readonly AttributedChange[] = [
  ...DIRECTORIES.map((directory) => ({ do: 'mkdir' as const, path: directory })),
  ...['f', 'x.log', 'A/f', 'A/x.log', 'B/f'].map((file) => ({ do: 'write' as const, path: file, text: 'begin\n', mode: 0o644 })),
];

/** Every path that a record holds. */
const heldBy = ({ store }: Workspace, { state }: Pick<Recorded, 'state'>): Set<string> =>
  new Set(diffStates(store.objects, null, state).map(({ path }) => path));

const using = async <T>(world: RuledWorld, work: (workspace: Workspace) => Promise<T>): Promise<T> => {
  const workspace = await Workspace.open({ directory: world.root });
  return work(workspace).finally(() => workspace.close());
};

/** Only these paths, as they are in each. */
const only = (oracle: Oracle, isMeant: (path: string) => boolean): Oracle => new Map([...oracle].filter(([path]) => isMeant(path)));

const record = async (world: RuledWorld): Promise<{ id: string; disk: Oracle; held: Set<string> }> => {
  const [disk, wanted] = [world.look(), world.wanted()];
  return using(world, async (workspace) => {
    const { checkpoint } = await createCheckpoint(workspace, { name: 'target' });
    const held = heldBy(workspace, checkpoint);
    expect(checkpoint.status).toBe('complete');
    expect(
      [...wanted].filter((path) => !held.has(path)),
      'git does not ignore these, or tracks them',
    ).toEqual([]);
    return { id: checkpoint.id, disk: only(disk, (path) => held.has(path)), held };
  });
};

/** What takes the workspace back and forth; null when it would have to destroy what is not recorded. */
const rewind = async (world: RuledWorld, target: { id: string; disk: Oracle }): Promise<RollbackResult | null> => {
  const before = world.look();
  return using(world, async (workspace) => {
    try {
      const result = await rollBack(workspace, resolveRewind(workspace, target.id));
      const after = world.look();
      expect(
        only(after, (path) => target.disk.has(path)),
        'what was recorded comes back',
      ).toEqual(target.disk);
      const held = result.safety === null ? new Set(before.keys()) : heldBy(workspace, result.safety);
      const unheld = only(before, (path) => !held.has(path));
      expect(
        only(after, (path) => unheld.has(path)),
        'what is not recorded stays as it is',
      ).toEqual(unheld);
      return result;
    } catch (error) {
      if (!(error instanceof RetakeError && error.code === 'in-the-way')) throw error;
      expect(world.look(), 'a refusal changes nothing').toEqual(before);
      return null;
    }
  });
};

test(
  `[RST-5] [RST-7] [CAP-2] [CAP-3] ${RUNS} rewinds among random ignore rules bring back what was recorded, and undo brings back everything`,
  async () => {
    const base = temporaryDirectory();
    gitIn(base, 'init', '-q', '-b', 'main', 'template');
    const before = { ...process.env };
    onTestFinished(() => void Object.assign(process.env, before));
    const seen = { played: 0, rewound: 0, refused: 0, nothing: 0 };
    const attributedChanges = (maxLength: number) => fc.array(anyAttributed, { minLength: 2, maxLength, size: 'max' });
    await fc.assert(
      fc.asyncProperty(attributedChanges(8), attributedChanges(8), fc.array(anyRules, { maxLength: 2 }), async (first, second, between) => {
        const home = join(base, String(seen.played++));
        mkdirSync(home);
        const world = new RuledWorld(home, join(base, 'template/.git'));
        Object.assign(process.env, world.environment, { RETAKE_HOME: join(home, 'data') });
        for (const attributed of [...BEGINNING, ...first]) world.perform(attributed);
        const target = await record(world);
        for (const attributed of second) world.perform(attributed);
        const changed = world.look();
        const result = await rewind(world, target);
        if (result === null) seen.refused++;
        else if (result.rollback === null) seen.nothing++;
        else {
          seen.rewound++;
          const back = world.look();
          for (const one of between) world.perform(one);
          for (const [request, expected] of [
            [resolveUndo, changed],
            [resolveRedo, back],
            [resolveUndo, changed],
          ] as const) {
            const { plan } = await using(world, (workspace) => rollBack(workspace, request(workspace)));
            expect(world.look(), `${plan.verb}: ${plan.kept.map(({ path, reason }) => `${path} ${reason}`)}`).toEqual(expected);
            expect(plan.disturbed, 'nobody changed anything in between').toBe(0);
          }
        }
        rmSync(home, { recursive: true });
      }),
      { numRuns: RUNS, seed: SEED },
    );
    console.log(`ignore rules, seed ${SEED}: ${JSON.stringify(seen)}`);
    expect(seen.rewound).toBeGreaterThan(RUNS / 2);
  },
  LONGEST,
);
