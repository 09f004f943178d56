import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Arena } from './arena.ts';
import { killEverywhere } from './kill-points.ts';
import { assertSound } from './soundness.ts';

const LONG = 1_800_000;

const put = (arena: Arena, path: string, content: string): void => writeFileSync(join(arena.workspace, path), content);
const files = (arena: Arena): string[] => ['a', 'b'].map((path) => readFileSync(join(arena.workspace, path), 'utf8'));

const BEFORE = ['mine\n', 'b\n'];
const MARKED = ['<<<<<<< now\nmine\n||||||| without first\nzero\n=======\nfirst\n>>>>>>> first\n', 'b\n'];
const AFTER = ['finished\n', 'second\n'];
const COMMAND = ['recover', 'first', 'second', '--on-conflict', 'manual', '--yes'];

/** Two changes with something else between them were rolled back, and the first is in conflict with the present. */
const prepare = async (arena: Arena): Promise<readonly string[]> => {
  const reported: string[] = [];
  const record = async (name: string, path: string, content: string): Promise<void> => {
    put(arena, path, content);
    reported.push((await arena.json('checkpoint', '--name', name)).id);
  };
  put(arena, 'b', 'b\n');
  await record('base', 'a', 'zero\n');
  await record('first', 'a', 'first\n');
  await record('between', 'other', 'other\n');
  await record('second', 'b', 'second\n');
  await arena.json('rewind', 'base', '--yes');
  put(arena, 'a', 'mine\n');
  return reported;
};

test('[GIT-6] [RST-4] a recovery that is killed can be begun, gone on with, or taken back', { timeout: LONG }, async () => {
  const seen = { before: 0, marked: 0 };
  await killEverywhere({
    name: 'recover with something to finish by hand',
    command: COMMAND,
    prepare,
    verify: async ({ arena, facts: reported, at }) => {
      // Whoever comes next finishes what was cut short.
      await arena.json('status');
      const isBefore = files(arena)[0] === BEFORE[0];
      seen[isBefore ? 'before' : 'marked']++;
      expect(files(arena)).toEqual(isBefore ? BEFORE : MARKED);
      if (isBefore) await arena.json(...COMMAND);
      expect(files(arena)).toEqual(MARKED);
      if (at % 2 === 0) {
        put(arena, 'a', 'finished\n');
        await arena.json('recover', '--continue', '--yes');
        expect(files(arena)).toEqual(AFTER);
      } else {
        await arena.json('recover', '--abort', '--yes');
        expect(files(arena)).toEqual(BEFORE);
      }
      await assertSound(arena, reported);
    },
  });
  expect(seen.before).toBeGreaterThan(0);
  expect(seen.marked).toBeGreaterThan(0);
});
