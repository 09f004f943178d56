import { appendFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import { flipBit, looseFile, storedEntries } from '../support/private-store.ts';
import { commitAll, dataOf, put, repositoryScene, type Scene, scene, storeOf } from '../support/scene.ts';

/** Everything of a directory that looking at it could change. */
const footprint = (directory: string): Map<string, string> =>
  new Map(
    ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })].sort().map((name) => {
      const path = join(directory, name);
      const { mode, size, mtimeMs, ctimeMs, ino } = lstatSync(path);
      const content = lstatSync(path).isFile() ? readFileSync(path, 'latin1') : '';
      return [name, [mode, size, mtimeMs, ctimeMs, ino, content].join(' ')];
    }),
  );

interface Recorded extends Scene {
  readonly first: string;
  readonly second: string;
}

const recorded = (): Recorded => {
  const at = repositoryScene();
  put(at.workspace, 'kept', 'kept\n');
  put(at.workspace, 'changed', 'one\n');
  commitAll(at.workspace);
  const first = at.retake.json(at.workspace, 'checkpoint').id;
  put(at.workspace, 'changed', 'two\n');
  const second = at.retake.json(at.workspace, 'checkpoint').id;
  return { ...at, first, second };
};

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
const damageOf = (at: Scene, ...args: string[]): any[] => {
  const run = at.retake.run(at.workspace, 'check', '--json', ...args);
  expect(run.code).toBe(1);
  expect(run.json.error.code).toBe('store-damaged');
  return run.json.error.details.damage;
};

const SCENES: Record<string, (at: Recorded) => void> = {
  'as it is': () => {},
  'with a rollback cut short': (at) => writeFileSync(join(dataOf(at), 'journal.json'), '{"id": "x", '),
  'with an operation only written down': (at) => writeFileSync(join(storeOf(at), 'retake-ledger'), Buffer.alloc(20, 1)),
  'with its objects, refs and configuration harmed': (at) => {
    flipBit(storeOf(at), at.first);
    writeFileSync(join(storeOf(at), 'packed-refs'), 'garbage\n');
    writeFileSync(join(storeOf(at), 'refs/heads/last'), '');
    writeFileSync(join(storeOf(at), 'config'), '');
  },
  'with its database harmed': (at) => writeFileSync(join(dataOf(at), 'index.db'), 'no database'),
  'half gone': (at) => {
    for (const name of ['refs', 'objects/pack', 'HEAD', 'config']) rmSync(join(storeOf(at), name), { recursive: true });
    rmSync(join(dataOf(at), 'lock'));
  },
};

test.each(Object.keys(SCENES))('[STO-3] check and a dry repair change nothing of a store %s: no byte, no time, no file', (name) => {
  const at = recorded();
  SCENES[name]?.(at);
  const before = footprint(dataOf(at));
  for (const line of [['check'], ['check', '--full'], ['check', '--full', '--json'], ['repair', '--dry-run'], ['repair', '--json']]) {
    const { code, stderr } = at.retake.run(at.workspace, ...line);
    expect(stderr).not.toMatch(/undefined|is not a function|Unexpected/);
    if (name === 'as it is' && line[0] === 'check') expect(code).toBe(0);
  }
  expect(footprint(dataOf(at))).toEqual(before);
});

test('[STO-3] the quick look finds a missing object and names who needs it, by path', () => {
  const at = recorded();
  const object = storedEntries(storeOf(at), at.second).get('changed')?.id ?? '';
  rmSync(looseFile(storeOf(at), object));
  expect(damageOf(at)).toMatchObject([{ kind: 'object', object, problem: 'missing', operations: [at.second] }]);
  const plain = at.retake.run(at.workspace, 'check');
  expect(plain.code).toBe(1);
  expect(plain.stdout).toMatch(/files\/changed/);
  expect(plain.stdout).toMatch(/Checkpoint/);
});

test('[STO-3] content that is there but wrong takes the full look', () => {
  const at = recorded();
  const object = storedEntries(storeOf(at), at.second).get('changed')?.id ?? '';
  flipBit(storeOf(at), object);
  at.retake.json(at.workspace, 'check');
  expect(damageOf(at, '--full')).toMatchObject([{ kind: 'object', object, operations: [at.second] }]);
});

test('[STO-3] a damaged file whose content is elsewhere too is told, and affects nobody', () => {
  const at = recorded();
  const object = storedEntries(storeOf(at), at.second).get('changed')?.id ?? '';
  const loose = readFileSync(looseFile(storeOf(at), object));
  at.retake.json(at.workspace, 'gc');
  mkdirSync(join(storeOf(at), 'objects', object.slice(0, 2)), { recursive: true });
  writeFileSync(looseFile(storeOf(at), object), loose.subarray(0, 9));
  expect(damageOf(at, '--full')).toMatchObject([{ kind: 'copy', object, operations: [] }]);
});

test.each([
  ['a name', "UPDATE operations SET description = 'another' WHERE sequence = 1"],
  ['an operation', 'DELETE FROM operations WHERE sequence = 1'],
  ['what it says', "UPDATE operations SET body = replace(body, 'manual', 'manuel') WHERE sequence = 2"],
])('[STO-1] the quick look finds that the index differs from the log in %s; a rebuild is all it takes', (_, sql) => {
  const at = recorded();
  const database = new DatabaseSync(join(dataOf(at), 'index.db'));
  database.exec(sql);
  database.close();
  expect(damageOf(at)).toMatchObject([{ kind: 'index', file: 'index.db' }]);
  at.retake.json(at.workspace, 'rebuild');
  at.retake.json(at.workspace, 'check', '--full');
});

test('[STO-3] the ref of an operation that is gone is missed, also by the quick look; that of a deleted one is not', () => {
  const at = recorded();
  const third = at.retake.json(at.workspace, 'checkpoint', '--name', 'third').id;
  at.retake.json(at.workspace, 'delete', third);
  at.retake.json(at.workspace, 'check', '--full');
  rmSync(join(storeOf(at), 'refs/retake/ops/local/0000000001'));
  expect(damageOf(at)).toMatchObject([{ kind: 'ref' }]);
  expect(damageOf(at, '--full')).toMatchObject([{ kind: 'ref', operations: [at.first] }]);
});

test('[STO-3] locks of git that nobody will release are told; one that was just made is not', () => {
  const at = scene();
  put(at.workspace, 'file', '1');
  at.retake.json(at.workspace, 'checkpoint');
  const lock = join(storeOf(at), 'packed-refs.lock');
  writeFileSync(lock, '');
  at.retake.json(at.workspace, 'check');
  utimesSync(lock, 0, 0);
  expect(damageOf(at)).toMatchObject([{ kind: 'lock', file: 'store.git/packed-refs.lock' }]);
});

test('[STO-3] what is held of the user’s repository is looked at too', () => {
  const at = recorded();
  put(at.workspace, 'kept', 'staged\n');
  gitIn(at.workspace, 'add', '-A');
  at.retake.json(at.workspace, 'checkpoint');
  const objects = join(dataOf(at), 'held.git/objects');
  const loose = readdirSync(objects, { recursive: true, encoding: 'utf8' }).find((name) => /^[0-9a-f]{2}\/./.test(name)) as string;
  rmSync(join(objects, loose));
  writeFileSync(join(objects, loose), 'no object');
  at.retake.json(at.workspace, 'check');
  expect(damageOf(at, '--full')).toMatchObject([{ kind: 'held' }]);
});

test('[STO-3] strays of killed processes are remarks, no damage', () => {
  const at = recorded();
  writeFileSync(join(storeOf(at), 'objects/tmp_obj_retake_2147483646-a-0'), 'x');
  appendFileSync(join(dataOf(at), 'tmp_obj_retake_2147483646-a-1'), 'x');
  expect(at.retake.json(at.workspace, 'check', '--full').remarks).toHaveLength(2);
});
