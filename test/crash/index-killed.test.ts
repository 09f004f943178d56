import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Arena } from './arena.ts';
import { chosenOf } from './chosen-points.ts';
import { makeLean } from './rich-workspace.ts';
import { assertSound, expectSame, observeAll, operationsIn } from './soundness.ts';
import { canTrace, killedAtCall, tracedCalls } from './strace.ts';

const LONG = 1_800_000;

/** How SQLite, which no observer of ours sees, changes a disk; and how directories are removed whole. */
const CALLS = 'pwrite64,ftruncate,fallocate,unlink,rmdir';

const CASES = [
  { name: 'the first checkpoint', command: ['checkpoint', '--name', 'killed'], checkpoints: 0 },
  { name: 'a later checkpoint', command: ['checkpoint', '--name', 'killed'], checkpoints: 2 },
  { name: 'rebuild', command: ['rebuild'], checkpoints: 2 },
];

test.skipIf(!canTrace()).each(CASES)(
  '[REL-2] [REL-5] $name, killed at any write of SQLite, leaves an index that follows the log',
  { timeout: LONG },
  async ({ name, command, checkpoints }) => {
    const arena = await Arena.open();
    makeLean(arena.workspace);
    for (let number = 0; number < checkpoints; number++) {
      writeFileSync(join(arena.workspace, 'edited'), `content ${number}\n`);
      await arena.json('checkpoint', '--name', `number ${number}`);
    }
    writeFileSync(join(arena.workspace, 'edited'), 'not recorded yet\n');
    const untouched = observeAll(arena);
    const reported = (await operationsIn(arena)).map(({ id }) => id);
    arena.save();
    arena.reset();
    const calls = join(arena.workspace, '../../calls');
    arena.through = tracedCalls(CALLS, calls);
    expect(await arena.run(0, command)).toMatchObject({ code: 0 });
    let kills = 0;
    const failures: string[] = [];
    for (const nth of chosenOf(readFileSync(calls, 'utf8').trimEnd().split('\n'))) {
      arena.reset();
      arena.through = killedAtCall(CALLS, nth);
      const { signal, code, stderr } = await arena.run(0, command);
      if (signal !== 'SIGKILL') {
        // One call more or less is a matter of chance.
        expect(code, stderr).toBe(0);
        continue;
      }
      kills++;
      try {
        if (nth % 2 === 0) expect((await arena.ask('log')).code).toBe(0);
        const { id } = await arena.json('checkpoint', '--name', 'next');
        const operations = await assertSound(arena, [...reported, id]);
        expectSame(observeAll(arena), untouched, 'the workspace');
        expect(operations.filter((one) => one.name === 'killed').length).toBeLessThanOrEqual(1);
        await arena.json('rebuild');
        expect(await operationsIn(arena), 'the index made anew says the same').toEqual(operations);
      } catch (error) {
        failures.push(`killed at call ${nth}: ${error instanceof Error ? error.message : error}`);
      }
    }
    console.log(`${name}: killed at ${kills} system calls of SQLite, ${failures.length} failures`);
    expect(failures).toEqual([]);
    expect(kills).toBeGreaterThan(2);
  },
);
