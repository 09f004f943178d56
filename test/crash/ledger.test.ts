import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { Conversation, type LoggedCheckpoint, operationsIn } from '../daemon/claude-code.ts';
import { hermeticEnvironment } from '../support/git.ts';
import { sample } from '../support/tier.ts';
import type { Arena, Ended } from './arena.ts';
import { chosenOf } from './chosen-points.ts';
import { assertKilledOrOver, type Kill, killEverywhere } from './kill-points.ts';
import { makeLean } from './rich-workspace.ts';
import { assertSound, storeOf } from './soundness.ts';

const LONG = 1_800_000;

const talk = new Conversation('s', '/not-looked-at');

/** Three events: each is written down, the first two are put in their places by what comes next, the last one by nobody. */
const COMMAND = [
  'edited=zero\n',
  talk.before('t1', 'Edit'),
  'edited=one\n',
  talk.after('t1', 'Edit'),
  'settle',
  'edited=two\n',
  talk.stop(),
];
const EVENTS = ['Before Edit', 'Edit', 'End of turn'];

interface Facts {
  /** The index as it was before. */
  readonly index: Buffer | undefined;
  readonly reported: readonly string[];
}

const idsSaid = ({ stdout }: Ended): string[] => [...stdout.matchAll(/^reported ([0-9a-f]+)$/gm)].map(([, id = '']) => id);

const descriptions = (operations: readonly { description: string }[]): string[] => operations.map(({ description }) => description);

const begin = async (arena: Arena, events: readonly string[]): Promise<Facts> => {
  makeLean(arena.workspace);
  if (events.length === 0) return { index: undefined, reported: [] };
  const { ended } = await asRecorder(arena, () => arena.trace(events));
  expect(ended.code, ended.stderr).toBe(0);
  return { index: readFileSync(join(dirname(await storeOf(arena)), 'index.db')), reported: idsSaid(ended) };
};

const asRecorder = async <T>(arena: Arena, work: () => Promise<T>): Promise<T> => {
  arena.program = 'recorder';
  try {
    return await work();
  } finally {
    arena.program = 'faulty';
  }
};

/** An operation exists from the instant at which its entry is whole; the observer sees each write twice, before and in its middle. */
const appendedBefore = (at: number, effects: readonly string[]): number =>
  Math.floor(effects.slice(0, at - 1).filter((effect) => /^write .*\/retake-ledger$/.test(effect)).length / 2);

/** The index was not written to before the process died, however far the log had come. */
const forgetIndexing = async (arena: Arena, { index }: Facts): Promise<void> => {
  const path = join(dirname(await storeOf(arena)), 'index.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  if (index !== undefined) writeFileSync(path, index);
};

/** Looked at by a process that knows nothing: what was written down is there, once, and sound. */
const assertThere = async (arena: Arena, expected: readonly string[], reported: readonly string[]): Promise<LoggedCheckpoint[]> => {
  const listed = await assertSound(arena, reported);
  const operations = operationsIn(await storeOf(arena));
  expect(descriptions(operations)).toEqual(expected);
  expect(listed.map(({ id }) => id).reverse()).toEqual(operations.map(({ id }) => id));
  expect(operations.map(({ sequence }) => sequence)).toEqual(expected.map((_, index) => index + 1));
  return operations;
};

/** All events come once more, as they do from the spool: what was lost is recorded, and what was not is not recorded twice. */
const assertRepeatable = async (arena: Arena, prefix: readonly string[], reported: readonly string[]): Promise<void> => {
  const again = await asRecorder(arena, () => arena.run(0, COMMAND));
  expect(again.code, again.stderr).toBe(0);
  const operations = await assertThere(arena, [...prefix, ...EVENTS], [...reported, ...idsSaid(again)]);
  const [before, after, end] = operations.slice(prefix.length) as [LoggedCheckpoint, LoggedCheckpoint, LoggedCheckpoint];
  expect(after.event?.began, 'when the step began').toBe(before.sequence);
  const store = await storeOf(arena);
  const read = ({ id }: LoggedCheckpoint): string =>
    execFileSync('git', ['--git-dir', store, 'cat-file', 'blob', `${id}:files/edited`], { env: hermeticEnvironment('/') }).toString();
  expect([before, after, end].map(read)).toEqual(['zero\n', 'one\n', 'two\n']);
};

const verifyKill = async (kill: Kill<Facts>, prefix: readonly string[]): Promise<void> => {
  const { arena, facts, at, effects, ended } = kill;
  const appended = appendedBefore(at, effects);
  const said = idsSaid(ended);
  expect(said.length, 'nothing is reported before it exists').toBeLessThanOrEqual(appended);
  const reported = [...facts.reported, ...said];
  if (prefix.length + appended > 0) {
    if (at % 2 === 0) await forgetIndexing(arena, facts);
    await assertThere(arena, [...prefix, ...EVENTS.slice(0, appended)], reported);
  }
  await assertRepeatable(arena, prefix, reported);
};

/** Until the second event is being written down: what comes then is more of the same. */
const untilSecond = (effects: readonly string[]): number[] =>
  effects.map((_, index) => index + 1).filter((at) => appendedBefore(at - 1, effects) < 2);

const PREFIX = [talk.prompt('p1', 'First')];

const recorder =
  <F>(prepare: (arena: Arena) => Promise<F>) =>
  async (arena: Arena): Promise<F> => {
    const facts = await prepare(arena);
    arena.program = 'recorder';
    return facts;
  };

test('[REL-2] [STO-1] events put off, killed before any effect: what was reported is there once, and nothing else is damaged', {
  timeout: LONG,
}, async () => {
  const count = await killEverywhere<Facts>({
    name: 'events put off',
    command: COMMAND,
    prepare: recorder((arena) => begin(arena, PREFIX)),
    verify: (kill) => verifyKill(kill, ['First']).finally(() => (kill.arena.program = 'recorder')),
  });
  expect(count).toBeGreaterThan(40);
});

test('[REL-2] [STO-1] the first events of a workspace, put off and killed before any effect', { timeout: LONG }, async () => {
  await killEverywhere<Facts>({
    name: 'first events put off',
    command: COMMAND,
    points: untilSecond,
    prepare: recorder((arena) => begin(arena, [])),
    verify: (kill) => verifyKill(kill, []).finally(() => (kill.arena.program = 'recorder')),
  });
});

/** Effects without what differs from run to run. */
const words = (effects: readonly string[]): string =>
  effects.map((effect) => effect.replaceAll(/tmp_obj_retake_\S+/g, 'temporary').replaceAll(/\/\S+\/workspaces\/[^/]+\//g, '')).join('\n');

test('[REL-2] catching up, killed before any effect, is finished by the next process', { timeout: LONG }, async () => {
  const seen = new Set<string>();
  let kills = 0;
  await killEverywhere<Facts>({
    name: 'events put off, to be killed again',
    command: COMMAND,
    points: untilSecond,
    prepare: recorder((arena) => begin(arena, PREFIX)),
    verify: async ({ arena, facts, at, effects, ended }) => {
      arena.program = 'faulty';
      try {
        const ledger = join(await storeOf(arena), 'retake-ledger');
        if (!existsSync(ledger) || statSync(ledger).size === 0) return;
        const expected = ['First', ...EVENTS.slice(0, appendedBefore(at, effects))];
        const reported = [...facts.reported, ...idsSaid(ended)];
        arena.save('killed once');
        const healing = (await arena.trace(['log'])).effects;
        if (seen.has(words(healing))) return;
        seen.add(words(healing));
        for (const again of chosenOf(healing)) {
          arena.reset('killed once');
          assertKilledOrOver(await arena.run(again, ['log']), again, healing);
          kills++;
          try {
            await assertThere(arena, expected, reported);
          } catch (error) {
            const effect = healing[again - 1];
            throw new Error(`catching up killed before effect ${again} (${effect}): ${error instanceof Error ? error.message : error}`);
          }
        }
      } finally {
        arena.program = 'recorder';
      }
    },
  });
  console.log(`catching up: ${seen.size} states, ${kills} double kills`);
  expect(kills).toBeGreaterThan(sample(8, 20));
});
