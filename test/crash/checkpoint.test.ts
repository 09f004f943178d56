import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import type { Arena } from './arena.ts';
import { type Kill, killEverywhere } from './kill-points.ts';
import { changeRich, makeRich, makeSmallRepository } from './rich-workspace.ts';
import { assertSound, expectSame, observe, observeAll, operationsIn } from './soundness.ts';

const LONG = 1_800_000;

/** Taking a checkpoint, whether it succeeds or dies, changes nothing of the user's; the next one holds everything. */
const assertNextCheckpointHolds = async (
  { arena, at }: Kill<unknown>,
  reported: readonly string[],
  untouched: ReturnType<typeof observeAll>,
) => {
  expectSame(observeAll(arena), untouched, 'the killed checkpoint changed the workspace');
  // Looking must work too, before anybody has written again.
  if (at % 2 === 0) expect((await arena.ask('log')).code).toBe(0);
  const { id, status } = await arena.json('checkpoint', '--name', 'next');
  expect(status).toBe('complete');
  const operations = await assertSound(arena, [...reported, id]);
  expectSame(observeAll(arena), untouched, 'the next checkpoint changed the workspace');
  // It may have come to exist before its process died, or not: either is the truth, once.
  const killed = operations.filter(({ name }) => name === 'killed');
  expect(killed.length).toBeLessThanOrEqual(1);
  const wanted = observe(arena);
  for (const target of [...(at % 4 === 0 ? [id] : []), ...killed.map((one) => one.id)]) {
    writeFileSync(join(arena.workspace, 'spoilt'), 'spoilt');
    await arena.json('rewind', target, '--yes');
    expectSame(observe(arena), wanted, `rewound to ${target}`);
  }
};

test('[REL-2] [STO-1] the first checkpoint, killed before any of its effects, leaves nothing in the way of the next', {
  timeout: LONG,
}, async () => {
  const count = await killEverywhere({
    name: 'first checkpoint',
    command: ['checkpoint', '--name', 'killed'],
    prepare: async (arena) => {
      makeSmallRepository(arena.workspace);
      return undefined;
    },
    // The index speaks of files by their inode numbers, which a copy does not have.
    complete: ({ workspace }) => gitIn(workspace, 'update-index', '-q', '--refresh'),
    verify: async (kill) => {
      const { arena } = kill;
      const found = observeAll(arena);
      await assertNextCheckpointHolds(kill, [], found);
    },
  });
  expect(count).toBeGreaterThan(80);
});

const recordTwo = async (arena: Arena): Promise<string[]> => {
  makeRich(arena.workspace);
  const { ended } = await arena.trace(['checkpoint', '--name', 'one', '--json']);
  writeFileSync(join(arena.workspace, 'README.md'), 'hello again\n');
  const second = await arena.trace(['checkpoint', '--name', 'two', '--json']);
  return [ended, second.ended].map(({ stdout }) => JSON.parse(stdout).id as string);
};

test('[REL-2] a later checkpoint, killed before any of its effects, costs no earlier one', { timeout: LONG }, async () => {
  await killEverywhere({
    name: 'second checkpoint',
    command: ['checkpoint', '--name', 'killed'],
    prepare: async (arena) => {
      const reported = await recordTwo(arena);
      changeRich(arena.workspace);
      return { reported, untouched: observeAll(arena) };
    },
    verify: (kill) => assertNextCheckpointHolds(kill, kill.facts.reported, kill.facts.untouched),
  });
});

test('[REL-2] [STO-2] a checkpoint with many new objects, killed while its pack is written, costs no earlier one', {
  timeout: LONG,
}, async () => {
  const count = await killEverywhere({
    name: 'checkpoint that writes a pack',
    command: ['checkpoint', '--name', 'killed'],
    prepare: async (arena) => {
      const reported = await recordTwo(arena);
      for (let number = 0; number < 80; number++) writeFileSync(join(arena.workspace, `many-${number}`), `content ${number}\n`);
      return { reported, untouched: observeAll(arena) };
    },
    verify: (kill) => assertNextCheckpointHolds(kill, kill.facts.reported, kill.facts.untouched),
  });
  expect(count).toBeLessThan(80);
});

test('[REL-2] [CKP-4] note, pin and delete, killed before any of their effects, happen or do not', { timeout: LONG }, async () => {
  const prepare = async (arena: Arena) => {
    const reported = await recordTwo(arena);
    await arena.ask('note', 'one', 'first note');
    await arena.ask('pin', 'two');
    // With refs packed, deleting one means rewriting the file that holds them all.
    await arena.ask('gc');
    return { reported, untouched: observeAll(arena) };
  };
  const commands = [
    ['note', 'two', 'second note'],
    ['pin', 'one'],
    ['delete', 'one'],
    ['delete', 'two'],
  ];
  for (const command of commands) {
    await killEverywhere({
      name: command.join(' '),
      command,
      prepare,
      verify: async (kill) => {
        const { arena, facts, at } = kill;
        expectSame(observeAll(arena), facts.untouched, 'workspace');
        const [verb, target] = command;
        const done = (await operationsIn(arena)).filter(({ kind }) => kind === verb).length;
        const existed = done > (verb === 'delete' ? 0 : 1);
        const kept = verb === 'delete' && existed ? facts.reported.filter((_, index) => ['one', 'two'][index] !== target) : facts.reported;
        // Once by looking only, once by writing: both must find the same.
        if (at % 2 === 0) await arena.json('checkpoint', '--name', 'next');
        const operations = await assertSound(arena, kept);
        expect(operations.filter(({ kind }) => kind === verb)).toHaveLength(done);
        const one = operations.find(({ name }) => name === 'one');
        const two = operations.find(({ name }) => name === 'two');
        if (verb === 'delete') expect(operations.some(({ name }) => name === target)).toBe(!existed);
        if (verb !== 'delete' || target === 'two') expect(one).toMatchObject({ note: 'first note', pinned: verb === 'pin' && existed });
        if (verb !== 'delete' || target === 'one')
          expect(two).toMatchObject({ note: verb === 'note' && existed ? 'second note' : null, pinned: true });
        // The index is made from the log: made anew it says the same.
        await arena.json('rebuild');
        expect(await operationsIn(arena)).toEqual(operations);
        await arena.json('checkpoint', '--name', 'last');
        expect((await operationsIn(arena)).slice(1)).toEqual(operations);
        await arena.json('rebuild');
        expect((await operationsIn(arena)).slice(1)).toEqual(operations);
      },
    });
  }
});

test('[REL-2] [STO-3] gc, killed before any of its effects, costs nothing', { timeout: LONG }, async () => {
  await killEverywhere({
    name: 'gc',
    command: ['gc'],
    prepare: async (arena) => {
      const reported = await recordTwo(arena);
      return { reported, untouched: observeAll(arena) };
    },
    verify: (kill) => assertNextCheckpointHolds(kill, kill.facts.reported, kill.facts.untouched),
  });
});
