import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { retakeIn } from '../support/cli.ts';
import { expectJsonRefusal } from '../support/refusal.ts';
import { dataOf, put, type Scene, scene, storeOf } from '../support/scene.ts';
import { fillDisk, smallDisk, whyNoMount } from '../support/small-disk.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { expectRestores, expectSoundStore, looseIn, packsIn, record } from './support.ts';

describe.skipIf(whyNoMount !== undefined)(`on a small disk ${whyNoMount === undefined ? '' : `(${whyNoMount})`}`, () => {
  const smallStore = (bytes: number): Scene & { disk: string } => {
    const disk = smallDisk(bytes);
    return { workspace: temporaryDirectory(), retake: retakeIn(temporaryDirectory(), { RETAKE_HOME: join(disk, 'retake') }), disk };
  };

  /** Content that takes as much room in the store as it has bytes. */
  const putRandom = (at: Scene, path: string, bytes: number): string => put(at.workspace, path, randomBytes(bytes));

  test('[REL-3] [STO-3] the disk fills up while git packs: said clearly, nothing lost, no half pack, and done when there is room', () => {
    const at = smallStore(8 << 20);
    // Small enough to lie in files of their own, which say nothing of how large the pack will be.
    const recorded = [1, 2].map((number) => {
      putRandom(at, `large-${number}`, 1_000_000);
      return record(at, 'file', `${number}`);
    });
    expect(packsIn(storeOf(at))).toEqual([]);
    const loose = looseIn(storeOf(at)).sort();
    const filler = fillDisk(at.disk, 1_200_000);
    const error = expectJsonRefusal(at.retake.run(at.workspace, 'gc', '--json'), 'no-space', 1);
    expect(error.message).toContain(storeOf(at));
    expect(looseIn(storeOf(at)).sort()).toEqual(loose);
    expect(packsIn(storeOf(at))).toEqual([]);
    expectSoundStore(storeOf(at));
    rmSync(filler);
    expect(at.retake.json(at.workspace, 'gc').packed).toBeGreaterThan(4);
    for (const one of recorded) expectRestores(at, one);
    expectSoundStore(storeOf(at));
  });

  test('[REL-3] [STO-3] where there is clearly no room it does not begin', () => {
    const at = smallStore(8 << 20);
    putRandom(at, 'large', 3_000_000);
    const recorded = record(at, 'file', '1');
    at.retake.json(at.workspace, 'gc');
    record(at, 'file', '2');
    const packs = packsIn(storeOf(at));
    const filler = fillDisk(at.disk, 1_000_000);
    const refused = at.retake.run(at.workspace, 'gc', '--json');
    expectJsonRefusal(refused, 'no-space', 1);
    const { details } = refused.json.error;
    expect(details.neededBytes).toBeGreaterThan(details.freeBytes);
    expect(packsIn(storeOf(at))).toEqual(packs);
    rmSync(filler);
    at.retake.json(at.workspace, 'gc');
    expectRestores(at, recorded);
    expectSoundStore(storeOf(at));
  });

  test('[REL-3] [REL-5] no space for the index: the log takes the operation all the same, and the index finds it later', () => {
    const disk = smallDisk(1 << 20);
    const at = scene();
    const first = record(at, 'file', '1');
    const index = join(dataOf(at), 'index.db');
    copyFileSync(index, join(disk, 'index.db'));
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${index}${suffix}`, { force: true });
    symlinkSync(join(disk, 'index.db'), index);
    expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
    const filler = fillDisk(disk);
    const second = record(at, 'file', '2');
    expect(at.retake.json(at.workspace, 'log').operations.map((one: { id: string }) => one.id)).toEqual([second.id, first.id]);
    rmSync(filler);
    expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(2);
    expect(existsSync(join(disk, 'index.db'))).toBe(true);
    expectRestores(at, first);
    expectRestores(at, second);
  });
});
