import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { killEverywhere } from '../crash/kill-points.ts';
import { assertSound, operationsIn, storeOf as storeIn } from '../crash/soundness.ts';
import { observeDirectory } from '../support/oracle.ts';
import { fsck } from '../support/private-store.ts';
import { dataOf, put, type Scene, scene, storeOf } from '../support/scene.ts';
import { LOG_OF_FORMAT_1, placeFormat1 } from './format-1.ts';

const old = (): Scene => {
  const at = scene();
  put(at.workspace, 'present', 'now\n');
  at.retake.json(at.workspace, 'checkpoint');
  placeFormat1(storeOf(at));
  return at;
};

const formatOf = (at: Scene): string | undefined => /format = (\d+)/.exec(readFileSync(join(storeOf(at), 'config'), 'utf8'))?.[1];

/** What people go by, whichever version wrote it. */
const essence = ({ id, kind, description, name, note, pinned, createdAt, files }: (typeof LOG_OF_FORMAT_1)[number]) => ({
  id,
  kind,
  description,
  name,
  note,
  pinned,
  createdAt,
  files,
});

const START = LOG_OF_FORMAT_1.find(({ name }) => name === 'start').id;

test('[STO-1] a store of format 1 is read as it is, without being changed', () => {
  const at = old();
  const before = observeDirectory(storeOf(at), { mtimes: true });
  expect(at.retake.json(at.workspace, 'log').operations.map(essence)).toEqual(LOG_OF_FORMAT_1.map(essence));
  at.retake.json(at.workspace, 'show', START);
  at.retake.json(at.workspace, 'check', '--full');
  expect(observeDirectory(storeOf(at), { mtimes: true })).toEqual(before);
  expect(existsSync(join(dataOf(at), 'backup-format-1'))).toBe(false);
});

test('[STO-1] the first write migrates it, with a copy of exactly what is changed, and everything recorded can be gone back to', () => {
  const at = old();
  const before = observeDirectory(storeOf(at));
  const config = readFileSync(join(storeOf(at), 'config'));
  at.retake.json(at.workspace, 'note', START, 'seen by a later version');
  expect(formatOf(at)).toBe('2');
  expect([...observeDirectory(join(dataOf(at), 'backup-format-1')).keys()]).toEqual(['config']);
  expect(readFileSync(join(dataOf(at), 'backup-format-1/config'))).toEqual(config);
  const changed = [...before].filter(([path, was]) => observeDirectory(storeOf(at)).get(path) !== was).map(([path]) => path);
  expect(changed).toEqual(['config', 'refs/heads/last']);
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
  at.retake.json(at.workspace, 'rewind', START, '--yes');
  expect(readFileSync(join(at.workspace, 'src/a.txt'), 'utf8')).toBe('one\n');
  expect(readFileSync(join(at.workspace, 'src/deep/b.txt'), 'utf8')).toBe('deep\n');
  at.retake.json(at.workspace, 'check', '--full');
});

test('[STO-1] the copy leads back', () => {
  const at = old();
  at.retake.json(at.workspace, 'note', START, 'seen by a later version');
  cpSync(join(dataOf(at), 'backup-format-1/config'), join(storeOf(at), 'config'));
  expect(formatOf(at)).toBe('1');
  expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(LOG_OF_FORMAT_1.length + 1);
});

test('[REL-2] killed at any effect of the migration, the store opens, is whole, and the next write migrates it', async () => {
  await killEverywhere({
    name: 'migration',
    command: ['note', START, 'after'],
    prepare: async (arena) => {
      put(arena.workspace, 'present', 'now\n');
      await arena.json('checkpoint');
      placeFormat1(await storeIn(arena));
    },
    points: (effects) => {
      const done = effects.findIndex((effect) => effect.startsWith('rename') && effect.endsWith('store.git/config'));
      expect(done).toBeGreaterThan(2);
      return effects.slice(0, done + 2).map((_, index) => index + 1);
    },
    verify: async ({ arena }) => {
      const before = await operationsIn(arena);
      expect(before.map(({ id }) => id)).toEqual(LOG_OF_FORMAT_1.map(({ id }) => id));
      await arena.json('note', START, 'again');
      await assertSound(
        arena,
        before.map(({ id }) => id),
      );
      const store = await storeIn(arena);
      expect(readFileSync(join(store, 'config'), 'utf8')).toContain('format = 2');
      expect(readFileSync(join(dirname(store), 'backup-format-1/config'), 'utf8')).toContain('format = 1');
    },
  });
});
