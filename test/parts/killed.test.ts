import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Arena } from '../crash/arena.ts';
import { killEverywhere } from '../crash/kill-points.ts';
import { assertHealed, isUnderWay, type Scene, setScene } from '../crash/rollback-scene.ts';
import { expectSame, observe } from '../crash/soundness.ts';
import { lines, PLACES } from './parted.ts';

const LONG = 1_800_000;

const write = (changed: readonly number[]) => (root: string) => writeFileSync(join(root, 'file'), lines(changed));

/** The target has one of three hunks taken: a content that no record has yet. */
const prepare = async (arena: Arena): Promise<Scene> => {
  write([3, 38])(arena.workspace);
  const target = observe(arena);
  return { ...(await setScene(arena, write([]), write([3]), write(PLACES))), target };
};

test('[RST-4] [RST-8] a rewind of hunks killed before any of its effects is finished by the next command', { timeout: LONG }, async () => {
  const ended = { before: 0, target: 0 };
  await killEverywhere({
    name: 'rewind of hunks',
    command: ['rewind', 'target', '--hunk', 'file:2', '--yes'],
    prepare,
    verify: async ({ arena, facts, at }) => {
      const underWay = isUnderWay(facts);
      const healed = await (at % 2 === 0 ? arena.run(0, ['status']) : arena.ask('checkpoint', '--name', 'next'));
      const state = await assertHealed(arena, facts, { kind: 'rollback', underWay, healed });
      ended[state]++;
      if (state === 'target') await arena.json('undo', '--yes');
      expectSame(observe(arena), facts.before, 'undone');
    },
  });
  expect(Math.min(ended.before, ended.target)).toBeGreaterThan(5);
});
