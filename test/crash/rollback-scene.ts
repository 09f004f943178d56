import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import type { Oracle } from '../support/oracle.ts';
import type { Arena, Ended } from './arena.ts';
import {
  assertSound,
  difference,
  expectSame,
  journalBeside,
  type LoggedOperation,
  observe,
  observeAll,
  operationsIn,
  storeOf,
} from './soundness.ts';

/** A workspace in one recorded state that is about to be taken to another. */
export interface Scene {
  readonly journal: string;
  readonly before: Oracle;
  readonly target: Oracle;
  readonly reported: readonly string[];
  /** Everything but what a rollback may write: the insides of `.git`. */
  readonly rest: Oracle;
  /** The checkpoint that holds `target`. */
  readonly targetId: string;
}

const insidesOfGit = (arena: Arena): Oracle => new Map([...observeAll(arena)].filter(([path]) => /(^|\/)\.git(\/|$)/.test(path)));

/** Records `make`, changes everything, records that too, and changes one thing more that only the safety checkpoint has. */
export const setScene = async (
  arena: Arena,
  make: (root: string) => void,
  change: (root: string) => void,
  more: (root: string) => void,
): Promise<Scene> => {
  make(arena.workspace);
  const target = observe(arena);
  const targetId = JSON.parse((await arena.trace(['checkpoint', '--name', 'target', '--json'])).ended.stdout).id;
  change(arena.workspace);
  const changed = JSON.parse((await arena.trace(['checkpoint', '--name', 'changed', '--json'])).ended.stdout).id;
  more(arena.workspace);
  const store = await storeOf(arena);
  return {
    journal: journalBeside(store),
    before: observe(arena),
    target,
    targetId,
    reported: [targetId, changed],
    rest: insidesOfGit(arena),
  };
};

export const isUnderWay = ({ journal }: Scene): boolean => existsSync(journal);

/** Which of the two states the workspace is in; anything else is a mix. */
export const stateOf = (arena: Arena, scene: Scene): 'before' | 'target' => {
  const found = observe(arena);
  const fromTarget = difference(found, scene.target);
  if (fromTarget.length === 0) return 'target';
  const fromBefore = difference(found, scene.before);
  if (fromBefore.length === 0) return 'before';
  throw new Error(`a mix:\n  not as before: ${fromBefore.join('; ')}\n  not as the target: ${fromTarget.join('; ')}`);
};

export interface Expected {
  readonly kind: 'rollback' | 'undo';
  /** There was a journal when the process died. */
  readonly underWay: boolean;
  readonly healed: Pick<Ended, 'code' | 'stdout' | 'stderr'>;
  /** How many operations of this kind the log had before. */
  readonly already?: number;
}

const newOnes = async (arena: Arena, { reported }: Scene, { kind, already = 0 }: Expected): Promise<LoggedOperation[]> => {
  const all = (await assertSound(arena, reported)).filter((one) => one.kind === kind);
  return all.slice(0, all.length - already);
};

/** After a kill and one more command: one whole state, said on stderr, and the log agrees (RST-4). */
export const assertHealed = async (arena: Arena, scene: Scene, expected: Expected): Promise<'before' | 'target'> => {
  const { healed, underWay } = expected;
  expect(healed.code, healed.stdout + healed.stderr).toBe(0);
  expect(isUnderWay(scene), 'the journal is closed').toBe(false);
  const state = stateOf(arena, scene);
  expectSame(insidesOfGit(arena), scene.rest, 'the insides of .git');
  const operations = await newOnes(arena, scene, expected);
  expect(operations.map(({ status }) => status)).toEqual(state === 'target' ? ['complete'] : []);
  const said = /A rollback that was cut short was (finished in part|finished|taken back)/.exec(healed.stderr)?.[1];
  expect(said, healed.stderr).toBe(underWay ? 'finished' : undefined);
  if (underWay) expect(state).toBe('target');
  return state;
};

/** Both states can still be had exactly: by undo, by rewinding forth, and by the safety checkpoint (RST-7). */
export const assertBothReachable = async (arena: Arena, scene: Scene, state: 'before' | 'target', thoroughly = true): Promise<void> => {
  const go = async (...args: string[]): Promise<void> => {
    await arena.json(...args, '--yes');
  };
  if (state === 'target') {
    await go('undo');
    expectSame(observe(arena), scene.before, 'after undo');
    if (!thoroughly) return;
    await go('rewind', scene.targetId);
    expectSame(observe(arena), scene.target, 'rewound again');
  }
  const safety = (await operationsIn(arena)).findLast(({ kind }) => kind === 'safety');
  if (safety === undefined) return;
  await go('rewind', safety.id);
  expectSame(observe(arena), scene.before, 'rewound to the safety checkpoint');
  if (state === 'target' || !thoroughly) return;
  await go('rewind', scene.targetId);
  expectSame(observe(arena), scene.target, 'rewound to the target');
};
