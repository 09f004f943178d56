import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { killEverywhere } from '../crash/kill-points.ts';
import { assertSound, operationsIn, storeOf } from '../crash/soundness.ts';
import { flipBit, storedEntries } from '../support/private-store.ts';
import { put } from '../support/scene.ts';

test('[STO-3] [REL-2] a repair that is killed anywhere is finished by the next one, and nothing is lost by it', async () => {
  await killEverywhere({
    name: 'repair',
    command: ['repair', '--yes'],
    prepare: async (arena) => {
      for (const content of ['one', 'two', 'three']) {
        put(arena.workspace, 'file', content.repeat(300));
        put(arena.workspace, `only-in-${content}`, content.repeat(100));
        await arena.json('checkpoint');
      }
      await arena.json('gc');
      put(arena.workspace, 'file', 'four');
      await arena.json('checkpoint');
      const operations = (await operationsIn(arena)).map(({ id }) => id);
      const store = await storeOf(arena);
      // The content is on disk, so that everything can come back.
      flipBit(store, storedEntries(store, operations[0] ?? '').get('only-in-two')?.id ?? '');
      writeFileSync(join(store, 'packed-refs'), 'garbage\n');
      writeFileSync(join(store, 'config'), '');
      for (const name of readdirSync(join(store, 'refs/retake/ops/local'))) rmSync(join(store, 'refs/retake/ops/local', name));
      rmSync(join(dirname(store), 'index.db'));
      return operations;
    },
    verify: async ({ arena, facts }) => {
      const { lost } = await arena.json('repair', '--yes');
      expect(lost).toEqual([]);
      const operations = await assertSound(arena, facts);
      expect(operations.map(({ id }) => id)).toEqual(facts);
    },
  });
});
