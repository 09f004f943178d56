import { existsSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../src/engine/index.ts';
import { now } from '../../src/host/index.ts';
import { LOCAL_SESSION, type OperationId, type Prune } from '../../src/model/index.ts';
import { gitIn } from '../support/git.ts';
import { observeDirectory, observeWorkspace } from '../support/oracle.ts';
import { flipBit, fsck, looseFile, operationIds, storedEntries } from '../support/private-store.ts';
import { expectJsonRefusal } from '../support/refusal.ts';
import { commitAll, dataOf, put, repositoryScene, type Scene, scene, storeOf } from '../support/scene.ts';

interface Recorded extends Scene {
  readonly first: string;
  readonly second: string;
}

const unlike = (seed: string): string => Array.from({ length: 40 }, (_, at) => `${seed} ${at} ${Math.sin(at + seed.length)}\n`).join('');

/** Two checkpoints that differ in one file, and a third state on disk. */
const recorded = (): Recorded => {
  const at = scene();
  put(at.workspace, 'dir/steady', unlike('steady'));
  put(at.workspace, 'changed', unlike('one'));
  const first = at.retake.json(at.workspace, 'checkpoint', '--name', 'first').id;
  put(at.workspace, 'changed', unlike('the second'));
  const second = at.retake.json(at.workspace, 'checkpoint', '--name', 'second').id;
  put(at.workspace, 'changed', unlike('present'));
  return { ...at, first, second };
};

const objectAt = (at: Scene, id: string, path: string): string => storedEntries(storeOf(at), id).get(path)?.id ?? 'none';

const expectSound = (at: Scene): void => {
  expect(at.retake.json(at.workspace, 'check', '--full').damage).toEqual([]);
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
};

test('[STO-3] what is on disk heals the checkpoints that have it', () => {
  const at = recorded();
  for (const path of ['dir/steady', 'dir']) rmSync(looseFile(storeOf(at), objectAt(at, at.first, path)));
  const { healed, lost } = at.retake.json(at.workspace, 'repair', '--yes');
  expect([healed.length, lost]).toEqual([1, []]);
  expectSound(at);
});

test('[STO-3] what the user’s git has heals too', () => {
  const at = repositoryScene();
  put(at.workspace, 'file', unlike('committed'));
  commitAll(at.workspace);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'file', unlike('present'));
  const object = objectAt(at, id, 'file');
  expect(gitIn(at.workspace, 'rev-parse', 'HEAD:file').trim()).toBe(object);
  rmSync(looseFile(storeOf(at), object));
  expect(at.retake.json(at.workspace, 'repair', '--yes')).toMatchObject({ healed: [{ object }], lost: [] });
  expectSound(at);
});

test('[STO-3] an operation that is lost is made again from the index, with its root', () => {
  const at = recorded();
  const root = gitIn(storeOf(at), 'rev-parse', `${at.first}^{tree}`).trim();
  const note = at.retake.json(at.workspace, 'note', at.second, 'of no tree');
  expect(note.id).toBe(at.second);
  const before = operationIds(storeOf(at));
  for (const id of [...before, root]) rmSync(looseFile(storeOf(at), id));
  const { lost, lostOperations } = at.retake.json(at.workspace, 'repair', '--yes');
  expect([lost, lostOperations]).toEqual([[], []]);
  expect(operationIds(storeOf(at))).toEqual(before);
  expectSound(at);
});

test('[STO-3] an index that is lost too leaves the operation lost, told by name as long as somebody knows it', () => {
  const at = recorded();
  flipBit(storeOf(at), at.first);
  rmSync(join(dataOf(at), 'index.db'));
  const { lost } = at.retake.json(at.workspace, 'repair', '--yes');
  expect(lost).toMatchObject([{ kind: 'operation', object: at.first, operations: [at.first] }]);
  at.retake.json(at.workspace, 'rewind', at.second, '--yes');
  expect(readFileSync(join(at.workspace, 'changed'), 'utf8')).toBe(unlike('the second'));
});

/** Without the ref of its first operation, which is all that the log knows of it. */
const withoutFirst = (): Recorded => {
  const at = recorded();
  rmSync(join(dataOf(at), 'index.db'));
  rmSync(join(storeOf(at), 'refs/retake/ops/local/0000000001'));
  return at;
};

test('[STO-3] while the ref of an operation is missing gc gives up nothing, and a repair brings it back', () => {
  const at = withoutFirst();
  at.retake.run(at.workspace, 'gc', '--now');
  expect(at.retake.json(at.workspace, 'repair', '--yes').lost).toEqual([]);
  expect(operationIds(storeOf(at))).toContain(at.first);
  expectSound(at);
});

test('[STO-3] an operation of which no trace is left is missed until a repair writes down the loss', () => {
  const at = withoutFirst();
  rmSync(looseFile(storeOf(at), at.first));
  expect(at.retake.run(at.workspace, 'check').code).toBe(1);
  expect(at.retake.json(at.workspace, 'repair', '--yes')).toMatchObject({ lost: [], untraced: 1 });
  expect(at.retake.json(at.workspace, 'log').operations[0]).toMatchObject({ kind: 'prune', description: '1 lost' });
  expectSound(at);
});

test.each([
  ['gone', () => {}],
  ['garbage', (index: string) => writeFileSync(index, 'garbage')],
])('[STO-3] the index of a pack that is %s is made anew', (_, harm) => {
  const at = recorded();
  at.retake.json(at.workspace, 'gc');
  const packs = join(storeOf(at), 'objects/pack');
  const index = join(packs, readdirSync(packs).find((name) => name.endsWith('.idx')) as string);
  const good = readFileSync(index);
  rmSync(index);
  harm(index);
  expect(at.retake.run(at.workspace, 'check').code).toBe(1);
  expect(at.retake.json(at.workspace, 'repair', '--yes').lost).toEqual([]);
  expect(readFileSync(index)).toEqual(good);
  expectSound(at);
});

test('[STO-3] [REL-5] of a damaged pack all that reads is kept; what is lost is named by path, and the other paths can be restored', () => {
  const at = recorded();
  at.retake.json(at.workspace, 'gc');
  const object = objectAt(at, at.first, 'changed');
  const present = observeWorkspace(at.workspace);
  flipBit(storeOf(at), object);
  put(at.workspace, 'dir/steady', 'changed since');
  const { lost, affected, moved, movedTo } = at.retake.json(at.workspace, 'repair', '--yes');
  expect(lost).toMatchObject([{ kind: 'object', object, operations: [at.first] }]);
  expect(affected).toMatchObject([{ id: at.first, description: 'first', paths: [{ path: 'files/changed', object }] }]);
  for (const name of moved) expect(existsSync(join(movedTo, name))).toBe(true);
  expect(moved.some((name: string) => name.endsWith('.pack'))).toBe(true);
  expect(at.retake.json(at.workspace, 'log').operations.map(({ id }: { id: string }) => id)).toEqual([at.second, at.first]);
  at.retake.json(at.workspace, 'rewind', at.first, '--path', 'dir', '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(present);
  at.retake.json(at.workspace, 'rewind', at.second, '--yes');
  expect(readFileSync(join(at.workspace, 'changed'), 'utf8')).toBe(unlike('the second'));
});

test('[STO-3] all refs, the configuration and HEAD are made again from the operations; what was deleted stays deleted', () => {
  const at = recorded();
  at.retake.json(at.workspace, 'gc');
  const doomed = at.retake.json(at.workspace, 'checkpoint', '--name', 'doomed').id;
  at.retake.json(at.workspace, 'delete', doomed);
  at.retake.json(at.workspace, 'rewind', at.first, '--yes');
  const log = at.retake.json(at.workspace, 'log');
  for (const name of ['refs', 'packed-refs', 'config', 'HEAD']) rmSync(join(storeOf(at), name), { recursive: true });
  rmSync(join(dataOf(at), 'index.db'));
  expect(at.retake.run(at.workspace, 'log').code).toBe(1);
  expect(at.retake.json(at.workspace, 'repair', '--yes').lost).toEqual([]);
  expect(at.retake.json(at.workspace, 'log')).toEqual(log);
  expectSound(at);
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(readFileSync(join(at.workspace, 'changed'), 'utf8')).toBe(unlike('present'));
});

test('[STO-3] what a record of pruning names does not come back', async () => {
  const at = recorded();
  process.env.RETAKE_HOME = at.retake.home;
  const workspace = await Workspace.open({ directory: at.workspace });
  const targets = [at.first as OperationId];
  const pruned = {
    kind: 'prune',
    targets,
    toldOf: 0,
    session: LOCAL_SESSION,
    createdAt: now().toISOString(),
    description: 'Prune',
  } as const;
  await workspace.write(() => {
    workspace.record((store) => store.log.append<Prune>(store.objects.begin(), pruned, null));
    workspace.store.log.forget(targets);
  });
  workspace.close();
  at.retake.json(at.workspace, 'rebuild');
  const before = operationIds(storeOf(at));
  expect(before).not.toContain(at.first);
  expectSound(at);
  rmSync(join(storeOf(at), 'refs'), { recursive: true });
  at.retake.json(at.workspace, 'repair', '--yes');
  expect(operationIds(storeOf(at))).toEqual(before);
});

test('[STO-3] a lock of git without an owner, one of ours that is no lock, and lists that can not be read are moved aside', () => {
  const at = recorded();
  const lock = join(storeOf(at), 'packed-refs.lock');
  writeFileSync(lock, 'x');
  utimesSync(lock, 0, 0);
  writeFileSync(join(dataOf(at), 'lock'), 'garbage');
  writeFileSync(join(dataOf(at), 'named-files.json'), '{');
  writeFileSync(join(dataOf(at), 'workspace.json'), '{');
  const { moved, lost } = at.retake.json(at.workspace, 'repair', '--yes');
  expect(lost).toEqual([]);
  expect(moved.toSorted()).toEqual(['lock', 'named-files.json', 'store.git/packed-refs.lock', 'workspace.json']);
  expectSound(at);
  expect(JSON.parse(readFileSync(join(dataOf(at), 'workspace.json'), 'utf8'))).toMatchObject({ root: at.workspace });
});

test('[STO-3] what is held of the user’s repository is mended from it', () => {
  const at = repositoryScene();
  put(at.workspace, 'file', 'committed\n');
  commitAll(at.workspace);
  put(at.workspace, 'file', 'staged\n');
  gitIn(at.workspace, 'add', '-A');
  at.retake.json(at.workspace, 'checkpoint');
  const objects = join(dataOf(at), 'held.git/objects');
  const loose = readdirSync(objects, { recursive: true, encoding: 'utf8' }).filter((name) => /^[0-9a-f]{2}\/./.test(name));
  expect(loose.length).toBeGreaterThan(0);
  for (const name of loose) {
    rmSync(join(objects, name));
    writeFileSync(join(objects, name), 'no object');
  }
  expect(at.retake.json(at.workspace, 'repair', '--yes').lost).toEqual([]);
  expectSound(at);
});

test('[STO-3] repair asks: with --json it needs --yes, without a terminal it needs --yes, and a dry run is the plan', () => {
  const at = recorded();
  renameSync(looseFile(storeOf(at), objectAt(at, at.first, 'changed')), join(dataOf(at), 'elsewhere'));
  const before = observeDirectory(dataOf(at), { mtimes: true });
  expectJsonRefusal(at.retake.run(at.workspace, 'repair', '--json'), 'needs-confirmation', 1);
  expect(at.retake.run(at.workspace, 'repair').code).toBe(1);
  const plan = at.retake.json(at.workspace, 'repair', '--dry-run');
  expect(plan.damage).toMatchObject([{ kind: 'object', operations: [at.first], repair: expect.stringContaining('your git') }]);
  expect(observeDirectory(dataOf(at), { mtimes: true })).toEqual(before);
});

test.each([
  ['a torn ref', (store: string) => writeFileSync(join(store, 'refs/retake/ops/local/0000000003'), '')],
  ['garbage among the packed ones', (store: string) => writeFileSync(join(store, 'packed-refs'), 'garbage\n')],
])('[REL-5] gc clears nothing away as long as there is %s', (_, harm) => {
  const at = recorded();
  at.retake.json(at.workspace, 'gc');
  for (const name of ['third', 'fourth']) at.retake.json(at.workspace, 'checkpoint', '--name', name);
  const before = operationIds(storeOf(at));
  harm(storeOf(at));
  expectJsonRefusal(at.retake.run(at.workspace, 'gc', '--json'), 'store-damaged', 1);
  at.retake.json(at.workspace, 'repair', '--yes');
  at.retake.json(at.workspace, 'gc');
  expect(operationIds(storeOf(at))).toEqual(before);
  expectSound(at);
});

test.each(['files/other', 'manifest', 'meta'])(
  '[REL-5] without %s of a checkpoint, other paths of it can still be gone back to',
  (part) => {
    const at = recorded();
    put(at.workspace, 'other/file', unlike('other'), 0o600);
    const { id } = at.retake.json(at.workspace, 'checkpoint', '--name', 'third');
    put(at.workspace, 'other/file', 'changed since');
    put(at.workspace, 'dir/steady', 'changed since');
    rmSync(looseFile(storeOf(at), gitIn(storeOf(at), 'rev-parse', `${id}:${part}`).trim()));
    at.retake.json(at.workspace, 'repair', '--yes');
    at.retake.json(at.workspace, 'rewind', id, '--path', 'dir', '--yes');
    expect(readFileSync(join(at.workspace, 'dir/steady'), 'utf8')).toBe(unlike('steady'));
    expect(readFileSync(join(at.workspace, 'other/file'), 'utf8')).toBe('changed since');
  },
);

test('[REL-5] what was recorded in between being damaged does not stand in the way of going back', () => {
  const at = recorded();
  put(at.workspace, 'other/file', unlike('in between'));
  const { id } = at.retake.json(at.workspace, 'checkpoint', '--name', 'in between');
  const tree = objectAt(at, id, 'other');
  put(at.workspace, 'other/file', unlike('since then'));
  at.retake.json(at.workspace, 'checkpoint', '--name', 'since then');
  const before = observeWorkspace(at.workspace);
  rmSync(looseFile(storeOf(at), tree));
  at.retake.json(at.workspace, 'rewind', at.first, '--yes');
  expect(readFileSync(join(at.workspace, 'changed'), 'utf8')).toBe(unlike('one'));
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(before);
});

test('[STO-3] a sound store is left alone', () => {
  const at = recorded();
  const before = observeDirectory(dataOf(at), { mtimes: true });
  expect(at.retake.json(at.workspace, 'repair', '--yes')).toMatchObject({ healed: [], lost: [], moved: [], movedTo: null });
  expect(observeDirectory(dataOf(at), { mtimes: true })).toEqual(before);
});
