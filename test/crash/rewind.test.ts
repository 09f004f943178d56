import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sample } from '../support/tier.ts';
import type { Arena } from './arena.ts';
import { killEverywhere } from './kill-points.ts';
import { changeRich, makeRich } from './rich-workspace.ts';
import { assertBothReachable, assertHealed, isUnderWay, type Scene, setScene } from './rollback-scene.ts';
import { expectSame, observe } from './soundness.ts';

const LONG = 1_800_000;
const NEXT = [['log'], ['status'], ['checkpoint', '--name', 'next']];

const edit = (root: string): void => writeFileSync(join(root, 'README.md'), 'only the safety checkpoint has this\n');
const rich = (arena: Arena): Promise<Scene> => setScene(arena, makeRich, changeRich, edit);

test('[RST-4] [REL-2] a rewind killed before any of its effects is finished by the next command, whichever it is', {
  timeout: LONG,
}, async () => {
  const ended = { before: 0, target: 0 };
  const count = await killEverywhere({
    name: 'rewind',
    command: ['rewind', 'target', '--yes'],
    prepare: rich,
    verify: async ({ arena, facts, at }) => {
      const underWay = isUnderWay(facts);
      const healed = await arena.run(0, NEXT[at % NEXT.length] ?? []);
      const state = await assertHealed(arena, facts, { kind: 'rollback', underWay, healed });
      ended[state]++;
      await assertBothReachable(arena, facts, state, at % 3 === 0);
    },
  });
  console.log(`rewind: ${ended.before} kills left the state before, ${ended.target} the target`);
  expect(count).toBeGreaterThan(80);
  expect(Math.min(ended.before, ended.target)).toBeGreaterThan(sample(3, 10));
});

test('[RST-4] [RST-7] an undo killed before any of its effects is finished by the next command', { timeout: LONG }, async () => {
  await killEverywhere({
    name: 'undo',
    command: ['undo', '--yes'],
    prepare: async (arena) => {
      const scene = await rich(arena);
      await arena.trace(['rewind', 'target', '--yes']);
      expectSame(observe(arena), scene.target, 'prepared');
      return { ...scene, before: scene.target, target: scene.before };
    },
    verify: async ({ arena, facts, at }) => {
      const underWay = isUnderWay(facts);
      const healed = await (at % 2 === 0 ? arena.run(0, ['status']) : arena.ask('checkpoint', '--name', 'next'));
      const state = await assertHealed(arena, facts, { kind: 'undo', underWay, healed });
      await arena.json(state === 'target' ? 'redo' : 'undo', '--yes');
      expectSame(observe(arena), state === 'target' ? facts.before : facts.target, 'the other way');
    },
  });
});
