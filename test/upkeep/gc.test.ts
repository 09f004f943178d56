import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { collectGarbage, createCheckpoint, deleteCheckpoint, type GcProgress } from '../../src/engine/index.ts';
import { extentWorthwhile } from '../../src/engine/upkeep/extent.ts';
import type { SessionId } from '../../src/model/index.ts';
import { gitIn } from '../support/git.ts';
import { flipBit, fsck, looseFile, storedEntries } from '../support/private-store.ts';
import { commitAll, put, repositoryScene, scene, storeOf } from '../support/scene.ts';
import {
  expectRestores,
  expectSoundStore,
  has,
  hoursLater,
  looseIn,
  makeGarbage,
  openWorkspace,
  packsIn,
  record,
  straysIn,
} from './support.ts';

const recordInto = async (workspace: Awaited<ReturnType<typeof openWorkspace>>, path: string, content: string) => {
  put(workspace.root, path, content);
  return (await createCheckpoint(workspace, { name: content.slice(0, 30), session: 's' as SessionId })).checkpoint;
};

const blobOf = (store: string, operation: string, path: string): string => storedEntries(store, operation).get(path)?.id ?? '';

describe('what it comes to', () => {
  test('[STO-3] loose objects, refs and packs become one pack, and every state is there as before', () => {
    const at = scene();
    const recorded = [record(at, 'a', '1'), record(at, 'dir/b', '2')];
    for (let number = 0; number < 80; number++) put(at.workspace, `many/${number}`, `${number}`);
    recorded.push(record(at, 'many/x', '3'), record(at, 'a', '4'));
    expect(packsIn(storeOf(at))).toHaveLength(1);
    const report = at.retake.json(at.workspace, 'gc');
    expect(report).toMatchObject({ done: true, extent: 'all', packsRemoved: 1, damaged: 0, objectsRemoved: 0 });
    expect(report.packed).toBeGreaterThan(90);
    expect(report.after.files).toBeLessThan(10);
    expect(report.before.files).toBeGreaterThan(20);
    expect(report.after.bytes).toBeLessThan(report.before.bytes);
    expect(packsIn(storeOf(at))).toHaveLength(1);
    expect(looseIn(storeOf(at))).toEqual([]);
    expectSoundStore(storeOf(at));
    for (const one of recorded) expectRestores(at, one);
  });

  test('[STO-3] a second one finds nothing to do and touches no pack', () => {
    const at = scene();
    record(at, 'a', '1');
    at.retake.json(at.workspace, 'gc');
    const packs = packsIn(storeOf(at));
    expect(at.retake.json(at.workspace, 'gc')).toMatchObject({ packed: 0, packsRemoved: 0 });
    expect(packsIn(storeOf(at))).toEqual(packs);
    expect(at.retake.run(at.workspace, 'gc').stdout).toContain('packed already');
  });

  test('[STO-2] [STO-3] packs shared with the user stay, and are not copied', () => {
    const at = repositoryScene();
    for (let number = 0; number < 50; number++) put(at.workspace, `${number}`, `${'content '.repeat(2000)}${number}`);
    commitAll(at.workspace);
    gitIn(at.workspace, 'gc', '-q');
    const recorded = record(at, 'new', 'new');
    const [shared = ''] = packsIn(storeOf(at));
    expect(existsSync(join(at.workspace, '.git/objects/pack', shared))).toBe(true);
    const { packed, after } = at.retake.json(at.workspace, 'gc');
    expect(packsIn(storeOf(at))).toContain(shared);
    expect(packed).toBeLessThan(20);
    expect(after.bytes).toBeLessThan(20_000);
    expectSoundStore(storeOf(at));
    expectRestores(at, recorded);
  });
});

test('[STO-3] it tells how far it is', async () => {
  const workspace = await openWorkspace();
  for (let number = 0; number < 30; number++) put(workspace.root, `dir/${number}`, `${number}`);
  await recordInto(workspace, 'file', '1');
  const told: GcProgress[] = [];
  const { packed } = await collectGarbage(workspace, { onProgress: (progress) => told.push(progress) });
  expect(told.at(-1)).toEqual({ phase: 'writing', done: packed, total: packed });
});

describe('what goes, and what stays', () => {
  test('[STO-3] what nothing refers to goes after an hour, and not before', async () => {
    const workspace = await openWorkspace();
    const kept = await recordInto(workspace, 'file', 'kept');
    const store = workspace.storePath;
    const old = makeGarbage(store, 'old garbage');
    const young = makeGarbage(store, 'young garbage', { isOld: false });
    expect(await collectGarbage(workspace)).toMatchObject({ objectsRemoved: 1 });
    expect([has(store, old), has(store, young)]).toEqual([false, true]);
    expect(await collectGarbage(workspace, { now: true })).toMatchObject({ objectsRemoved: 1 });
    expect(has(store, young)).toBe(false);
    expect(has(store, kept.id)).toBe(true);
    expectSoundStore(store);
  });

  test('[STO-3] a checkpoint that was deleted a moment ago is kept an hour, loose or packed', async () => {
    const workspace = await openWorkspace();
    const store = workspace.storePath;
    const first = await recordInto(workspace, 'file', 'deleted soon');
    const blob = blobOf(store, first.id, 'file');
    await recordInto(workspace, 'file', 'stays');
    await collectGarbage(workspace);
    await deleteCheckpoint(workspace, first.id);
    await hoursLater(0.5, () => collectGarbage(workspace));
    expect([has(store, first.id), has(store, blob)]).toEqual([true, true]);
    expectSoundStore(store);
    await hoursLater(3, () => collectGarbage(workspace));
    expect([has(store, first.id), has(store, blob)]).toEqual([false, false]);
    expectSoundStore(store);
  });

  test('[STO-3] a checkpoint that was deleted a moment ago is kept an hour, however long ago it was packed', async () => {
    const workspace = await openWorkspace();
    const store = workspace.storePath;
    const first = await recordInto(workspace, 'file', 'deleted soon');
    const blob = blobOf(store, first.id, 'file');
    await recordInto(workspace, 'file', 'stays');
    await collectGarbage(workspace);
    await hoursLater(5, () => deleteCheckpoint(workspace, first.id));
    await hoursLater(5.5, () => collectGarbage(workspace));
    expect([has(store, first.id), has(store, blob)]).toEqual([true, true]);
    await hoursLater(7, () => collectGarbage(workspace));
    expect([has(store, first.id), has(store, blob)]).toEqual([false, false]);
    expectSoundStore(store);
  });

  test('[STO-3] what was deleted goes at once with now', async () => {
    const workspace = await openWorkspace();
    const store = workspace.storePath;
    const first = await recordInto(workspace, 'file', 'deleted');
    const blob = blobOf(store, first.id, 'file');
    await recordInto(workspace, 'file', 'stays');
    await deleteCheckpoint(workspace, first.id);
    await collectGarbage(workspace, { now: true });
    expect([has(store, first.id), has(store, blob)]).toEqual([false, false]);
    // It is gone, which is no damage.
    expect(await collectGarbage(workspace)).toMatchObject({ damaged: 0 });
    expectSoundStore(store);
  });

  test('[STO-3] [REL-1] what only a checkpoint had that went is stored again with the next one, although nothing changed on disk', async () => {
    const workspace = await openWorkspace();
    const store = workspace.storePath;
    const file = put(workspace.root, 'dir/file', 'only ever here');
    // Until then it would be read again for its times alone.
    await vi.waitUntil(() => Date.now() - statSync(file).ctimeMs > 200);
    const first = (await createCheckpoint(workspace, { name: 'goes' })).checkpoint;
    const blob = blobOf(store, first.id, 'dir/file');
    await deleteCheckpoint(workspace, first.id);
    await collectGarbage(workspace, { now: true });
    expect(has(store, blob)).toBe(false);
    const second = (await createCheckpoint(workspace, { name: 'again' })).checkpoint;
    expect(blobOf(store, second.id, 'dir/file')).toBe(blob);
    expect(has(store, blob)).toBe(true);
    expectSoundStore(store);
  });

  test('[REL-2] strays of killed processes go, those of living ones stay', async () => {
    const workspace = await openWorkspace();
    await recordInto(workspace, 'file', '1');
    const { data, storePath: store } = workspace;
    const dead = '2147483646';
    const strays = [
      join(data, `tmp_obj_retake_${dead}-0a0b0c0d-1`),
      join(store, `tmp_obj_retake_${dead}-0a0b0c0d-2`),
      join(store, `objects/tmp_obj_retake_${dead}-0a0b0c0d-3/pack/tmp_pack_Ab12`),
      join(store, 'objects/pack/tmp_pack_Xy34'),
      join(store, 'objects/pack/tmp_idx_Xy34'),
      join(store, 'objects/pack/.tmp-77-pack-0123.pack'),
      join(store, 'packed-refs.lock'),
      join(data, `cookies-${dead}/cookie`),
    ];
    const packOnly = join(store, `objects/pack/pack-${'0'.repeat(40)}.pack`);
    const living = join(data, `tmp_obj_retake_${process.ppid}-0a0b0c0d-1`);
    for (const path of [...strays, packOnly, living]) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, 'stray');
    }
    expect(await collectGarbage(workspace)).toMatchObject({ straysRemoved: strays.length, packsRemoved: 1 });
    expect([...strays, packOnly].filter((path) => existsSync(path))).toEqual([]);
    expect(existsSync(living)).toBe(true);
    rmSync(living);
    expect(fsck(store).alarms).toEqual([]);
  });
});

describe('with damage', () => {
  test('[REL-5] [STO-3] a damaged object stops nothing: the rest is packed, nothing else is lost, and it is told', () => {
    const at = scene();
    const first = record(at, 'file', 'first content\n');
    const second = record(at, 'file', 'second content\n');
    const garbage = makeGarbage(storeOf(at), 'garbage');
    const broken = blobOf(storeOf(at), first.id, 'file');
    flipBit(storeOf(at), broken);
    const bytes = readFileSync(looseFile(storeOf(at), broken));
    expect(at.retake.json(at.workspace, 'gc')).toMatchObject({ damaged: 1 });
    expect(readFileSync(looseFile(storeOf(at), broken))).toEqual(bytes);
    expect(looseIn(storeOf(at)).sort()).toEqual([broken, garbage].sort());
    expect(straysIn(join(storeOf(at), '..'))).toEqual([]);
    expectRestores(at, second);
    expect(at.retake.json(at.workspace, 'gc', '--now')).toMatchObject({ damaged: 1 });
    expect(has(storeOf(at), garbage)).toBe(true);
  });

  test('[REL-5] [STO-3] a pack with a damaged object stays, and so does all that is behind a tree that can not be read', () => {
    const at = scene();
    const first = record(at, 'dir/file', 'behind the tree\n');
    at.retake.json(at.workspace, 'gc');
    const tree = blobOf(storeOf(at), first.id, 'dir');
    const behind = blobOf(storeOf(at), first.id, 'dir/file');
    const [damaged = ''] = packsIn(storeOf(at));
    rmSync(join(at.workspace, 'dir'), { recursive: true });
    const second = record(at, 'other', 'without dir\n');
    const pack = join(storeOf(at), 'objects/pack', damaged);
    const whole = readFileSync(pack);
    flipBit(storeOf(at), tree);
    const report = at.retake.json(at.workspace, 'gc');
    expect(report.damaged).toBeGreaterThan(0);
    expect(packsIn(storeOf(at))).toContain(damaged);
    expect(has(storeOf(at), behind)).toBe(true);
    expect(looseIn(storeOf(at))).toEqual([]);
    expectRestores(at, second);
    // Mended, everything is back.
    writeFileSync(pack, whole);
    expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
    expectRestores(at, first);
  });

  test('[REL-5] [STO-3] a ref that is torn lets nothing go that it may have held', () => {
    const at = scene();
    const first = record(at, 'file', 'first\n');
    const second = record(at, 'file', 'second\n');
    const ref = join(storeOf(at), 'refs/retake/ops/local/0000000001');
    const good = readFileSync(ref);
    writeFileSync(ref, '');
    expect(at.retake.run(at.workspace, 'gc', '--now', '--json').code).toBe(1);
    writeFileSync(ref, good);
    expect(fsck(storeOf(at)).alarms).toEqual([]);
    expectRestores(at, first);
    expectRestores(at, second);
  });

  test('[REL-5] [STO-3] a pack whose index is lost is not taken for a stray: a repair still brings all back', () => {
    const at = scene();
    const first = record(at, 'file', 'first\n');
    at.retake.json(at.workspace, 'gc');
    const [name = ''] = packsIn(storeOf(at));
    rmSync(join(storeOf(at), 'objects/pack', name.replace(/pack$/, 'idx')));
    at.retake.run(at.workspace, 'gc', '--now');
    expect(packsIn(storeOf(at))).toContain(name);
    at.retake.json(at.workspace, 'repair', '--yes');
    expectRestores(at, first);
    expect(at.retake.run(at.workspace, 'check', '--full').code).toBe(0);
  });

  test('[REL-5] a pack that is cut short is read as far as possible, and stays', () => {
    const at = scene();
    const first = record(at, 'file', 'first\n');
    at.retake.json(at.workspace, 'gc');
    const [name = ''] = packsIn(storeOf(at));
    const path = join(storeOf(at), 'objects/pack', name);
    const whole = readFileSync(path);
    chmodSync(path, 0o600);
    writeFileSync(path, whole.subarray(0, whole.length - 10));
    const second = record(at, 'file', 'second\n');
    at.retake.json(at.workspace, 'gc');
    writeFileSync(path, whole);
    expect(fsck(storeOf(at)).alarms).toEqual([]);
    expectRestores(at, second);
    expectRestores(at, first);
  });
});

test.each([
  ['nothing', { looseObjects: 999, packs: 19, operations: 1000, forgotten: 100 }],
  ['loose', { looseObjects: 1000, packs: 1, operations: 10, forgotten: 0 }],
  ['all', { looseObjects: 0, packs: 20, operations: 10, forgotten: 0 }],
  ['all', { looseObjects: 0, packs: 1, operations: 1000, forgotten: 101 }],
] as const)('[STO-3] what nobody asked for is done as far as it pays: %s', (extent, condition) => {
  expect(extentWorthwhile(condition)).toBe(extent);
});

test('[STO-3] [PRF-6] as needed, loose objects go into one more pack and the old ones stay', async () => {
  const workspace = await openWorkspace();
  const ids: string[] = [];
  for (let number = 0; number < 80; number++) put(workspace.root, `begin/${number}`, `${number}`);
  ids.push((await recordInto(workspace, 'begin/file', 'begin')).id);
  const [old = ''] = packsIn(workspace.storePath);
  for (let round = 0; round < 18; round++) {
    for (let number = 0; number < 55; number++) put(workspace.root, `dir/${number}`, `${round} ${number}`);
    ids.push((await recordInto(workspace, 'round', `${round}`)).id);
  }
  const garbage = makeGarbage(workspace.storePath, 'garbage');
  expect(looseIn(workspace.storePath).length).toBeGreaterThan(1000);
  const report = await collectGarbage(workspace, { asNeeded: true });
  expect(report).toMatchObject({ extent: 'loose', packsRemoved: 0, objectsRemoved: 0 });
  expect(packsIn(workspace.storePath)).toHaveLength(2);
  expect(packsIn(workspace.storePath)).toContain(old);
  expect(looseIn(workspace.storePath)).toEqual([garbage]);
  expect(await collectGarbage(workspace, { asNeeded: true })).toMatchObject({ extent: 'nothing' });
  for (const id of ids) expect(storedEntries(workspace.storePath, id).size).toBeGreaterThan(80);
  expectSoundStore(workspace.storePath);
});
