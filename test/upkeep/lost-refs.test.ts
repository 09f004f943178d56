import { cpSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectGarbage, planPrune, Workspace } from '../../src/engine/index.ts';
import { gitIn } from '../support/git.ts';
import { operationIds } from '../support/private-store.ts';
import { expectJsonRefusal } from '../support/refusal.ts';
import { dataOf, put, type Scene, scene, storeOf } from '../support/scene.ts';
import { expectSoundStore, packsIn } from './support.ts';

interface Recorded extends Scene {
  readonly ids: readonly string[];
}

/** Four checkpoints, all of them packed. */
const packed = (): Recorded => {
  const at = scene();
  const ids = [1, 2, 3, 4].map((number) => {
    put(at.workspace, 'f', `${number}\n`);
    return at.retake.json(at.workspace, 'checkpoint', '--name', `c${number}`).id;
  });
  at.retake.json(at.workspace, 'gc', '--now');
  return { ...at, ids };
};

const loseRefs = (at: Scene): void => {
  for (const name of ['refs', 'packed-refs']) rmSync(join(storeOf(at), name), { recursive: true, force: true });
};

/** Of operations that refs hold. */
const numbers = (at: Scene): number[] =>
  gitIn(storeOf(at), 'for-each-ref', '--sort=refname', '--format=%(refname:lstrip=-1)', 'refs/retake/ops').trim().split('\n').map(Number);

/** Nobody deletes anything, everybody says so, and a repair brings all of it back. */
const expectNoSilentLoss = (at: Recorded): void => {
  const packs = packsIn(storeOf(at));
  expect(at.retake.json(at.workspace, 'status').missing).toMatchObject({ operations: 4 });
  expect(at.retake.run(at.workspace, 'status').stdout).toContain('4 operations are missing from the log');
  expect(at.retake.json(at.workspace, 'health').store).toMatchObject({ verdict: 'critical' });
  expectJsonRefusal(at.retake.run(at.workspace, 'check', '--json'), 'store-damaged', 1);
  expectJsonRefusal(at.retake.run(at.workspace, 'gc', '--now', '--json'), 'store-damaged', 1);
  expectJsonRefusal(at.retake.run(at.workspace, 'gc', '--dry-run', '--json'), 'store-damaged', 1);
  expect(packsIn(storeOf(at))).toEqual(packs);
  expect(at.retake.json(at.workspace, 'repair', '--yes')).toMatchObject({ lost: [], lostOperations: [], untraced: 0 });
  expect(operationIds(storeOf(at))).toEqual(expect.arrayContaining([...at.ids]));
  expect(at.retake.json(at.workspace, 'status')).toMatchObject({ missing: null, storeHealth: null });
  at.retake.json(at.workspace, 'gc', '--now');
  at.retake.json(at.workspace, 'check', '--full');
  expectSoundStore(storeOf(at));
  for (const [position, id] of at.ids.entries()) {
    at.retake.json(at.workspace, 'rewind', id, '--yes');
    expect(readFileSync(join(at.workspace, 'f'), 'utf8')).toBe(`${position + 1}\n`);
  }
};

test('[REL-5] [STO-3] all refs are lost: gc deletes nothing, status and check tell, and a repair finds the operations again', () => {
  const at = packed();
  loseRefs(at);
  expectNoSilentLoss(at);
  expect(numbers(at).slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
});

test.each([
  ['a checkpoint', ['checkpoint', '--name', 'c5']],
  ['a rewind', ['rewind', 'c1', '--yes']],
])('[REL-5] %s after the loss of all refs goes on above the numbers that were given, and hides nothing', (_, command) => {
  const at = packed();
  put(at.workspace, 'f', '5\n');
  loseRefs(at);
  at.retake.json(at.workspace, ...command);
  expect(numbers(at)[0]).toBe(5);
  expectNoSilentLoss(at);
});

test('[REL-5] the index is lost with the refs: the objects tell how far the log went', () => {
  const at = packed();
  loseRefs(at);
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataOf(at), `index.db${suffix}`), { force: true });
  put(at.workspace, 'f', '5\n');
  at.retake.json(at.workspace, 'checkpoint');
  expect(numbers(at)).toEqual([5]);
  expectNoSilentLoss(at);
});

test('[REL-5] the newest operation is lost with `last`: that one is missed, and comes back', () => {
  const at = packed();
  const [newest] = operationIds(storeOf(at)).slice(-1);
  const lines = readFileSync(join(storeOf(at), 'packed-refs'), 'utf8').split('\n');
  writeFileSync(join(storeOf(at), 'packed-refs'), lines.filter((line) => !line.startsWith(newest as string)).join('\n'));
  rmSync(join(storeOf(at), 'refs/heads/last'));
  put(at.workspace, 'f', '5\n');
  at.retake.json(at.workspace, 'checkpoint');
  expect(at.retake.json(at.workspace, 'status').missing).toMatchObject({ operations: 1, known: [{ id: newest, description: 'c4' }] });
  expectJsonRefusal(at.retake.run(at.workspace, 'gc', '--now', '--json'), 'store-damaged', 1);
  expect(at.retake.json(at.workspace, 'repair', '--yes').lost).toEqual([]);
  expect(operationIds(storeOf(at))).toContain(newest);
});

test('[REL-5] a store that is put back to an older copy lacks what came after: it is named, and missed no more after a repair', () => {
  const at = packed();
  const copy = join(dataOf(at), 'copy');
  cpSync(storeOf(at), copy, { recursive: true });
  at.retake.json(at.workspace, 'rewind', 'c1', '--yes');
  const rollback = at.retake.json(at.workspace, 'log').operations[0].id;
  rmSync(storeOf(at), { recursive: true });
  renameSync(copy, storeOf(at));
  expect(at.retake.json(at.workspace, 'status').missing).toMatchObject({ operations: 2, known: [{ id: rollback }, {}] });
  expectJsonRefusal(at.retake.run(at.workspace, 'rebuild', '--json'), 'store-damaged', 1);
  at.retake.json(at.workspace, 'checkpoint', '--name', 'c5');
  expect(numbers(at)).toEqual([1, 2, 3, 4, 7]);
  expect(at.retake.json(at.workspace, 'repair', '--dry-run').damage).toContainEqual(
    expect.objectContaining({ kind: 'operation', object: rollback }),
  );
  expect(at.retake.json(at.workspace, 'repair', '--yes')).toMatchObject({ lostOperations: [{ id: rollback }], untraced: 0 });
  expect(at.retake.json(at.workspace, 'status').missing).toBeNull();
  expect(at.retake.json(at.workspace, 'check', '--full').damage).toEqual([]);
});

test('[REL-1] [REL-5] what is recorded in a store that was put back to an older copy is whole, although the last capture knew of more', async () => {
  const at = packed();
  const copy = join(dataOf(at), 'copy');
  cpSync(storeOf(at), copy, { recursive: true });
  const { ctimeMs } = statSync(put(at.workspace, 'later', 'recorded after the copy\n'));
  // What was only just written is read again in any case.
  await expect.poll(() => Date.now() - ctimeMs, { timeout: 60_000 }).toBeGreaterThan(3000);
  at.retake.json(at.workspace, 'checkpoint', '--name', 'c5');
  rmSync(storeOf(at), { recursive: true });
  renameSync(copy, storeOf(at));
  const { id } = at.retake.json(at.workspace, 'checkpoint', '--name', 'c6');
  rmSync(join(at.workspace, 'later'));
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(readFileSync(join(at.workspace, 'later'), 'utf8')).toBe('recorded after the copy\n');
});

test('[REL-5] the engine prunes and packs nothing either, whoever asks it', async () => {
  const at = packed();
  loseRefs(at);
  process.env.RETAKE_HOME = at.retake.home;
  const workspace = await Workspace.open({ directory: at.workspace });
  try {
    expect(() => planPrune(workspace)).toThrow('missing from the log');
    await expect(collectGarbage(workspace, { now: true })).rejects.toThrow('missing from the log');
    await expect(collectGarbage(workspace, { asNeeded: true })).rejects.toThrow('missing from the log');
  } finally {
    workspace.close();
  }
});
