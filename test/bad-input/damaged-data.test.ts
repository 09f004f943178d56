import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { observeDirectory, observeWorkspace } from '../support/oracle.ts';
import { fsck, operationIds } from '../support/private-store.ts';
import { expectJsonRefusal, expectRefusal } from '../support/refusal.ts';
import { dataOf, put, type Scene, scene, storeOf } from '../support/scene.ts';

interface Recorded extends Scene {
  /** Oldest first. */
  readonly ids: string[];
}

/** Three checkpoints, a note on the first, and a workspace that moved on. */
const recorded = (): Recorded => {
  const at = scene();
  const ids = ['1', '2', '3'].map((text) => {
    put(at.workspace, 'file', text);
    put(at.workspace, `dir/${text}`, text);
    return at.retake.json(at.workspace, 'checkpoint', '--name', `name ${text}`).id as string;
  });
  at.retake.json(at.workspace, 'note', 'name 1', 'a note');
  put(at.workspace, 'file', '4');
  return { ...at, ids };
};

const logged = (at: Scene): string[] => {
  const { operations } = at.retake.json(at.workspace, 'log');
  return operations
    .filter(({ kind }: { kind: string }) => kind === 'manual')
    .map(({ id }: { id: string }) => id)
    .reverse();
};

const expectWhole = (at: Recorded): void => {
  expect(logged(at)).toEqual(at.ids);
  expect(at.retake.json(at.workspace, 'show', 'name 1').note).toBe('a note');
  at.retake.json(at.workspace, 'rewind', 'name 2', '--yes');
  expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('2');
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
};

const INDEX_HARM: Record<string, (path: string) => void> = {
  'full of garbage': (path) => writeFileSync(path, 'garbage '.repeat(5000)),
  deleted: (path) => rmSync(path),
  empty: (path) => truncateSync(path, 0),
  'cut in half': (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  'garbage behind a good header': (path) => {
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 4096);
    writeFileSync(path, bytes);
  },
  'garbage in its first page': (path) => {
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 100, 4096);
    writeFileSync(path, bytes);
  },
  'with a foreign write-ahead log': (path) => writeFileSync(`${path}-wal`, 'garbage '.repeat(1000)),
};

test.each(Object.keys(INDEX_HARM))('[REL-5] [STO-1] an index that is %s is rebuilt by itself, nothing lost', (name) => {
  const at = recorded();
  INDEX_HARM[name]?.(join(dataOf(at), 'index.db'));
  expectWhole(at);
});

test('[REL-5] the index of another workspace in place of ours is noticed', () => {
  const at = recorded();
  const other = recorded();
  writeFileSync(join(dataOf(at), 'index.db'), readFileSync(join(dataOf(other), 'index.db')));
  expectWhole(at);
});

test('[REL-5] an older index catches up', () => {
  const at = recorded();
  const old = readFileSync(join(dataOf(at), 'index.db'));
  const newer = at.retake.json(at.workspace, 'checkpoint', '--name', 'newer').id;
  writeFileSync(join(dataOf(at), 'index.db'), old);
  expect(logged(at)).toEqual([...at.ids, newer]);
});

const SNAPSHOT_HARM: Record<string, (path: string) => void> = {
  garbage: (path) => writeFileSync(path, Buffer.alloc(5000, 0xa5)),
  empty: (path) => truncateSync(path, 0),
  'three bytes': (path) => truncateSync(path, 3),
  truncated: (path) => truncateSync(path, readFileSync(path).length - 20),
  deleted: (path) => rmSync(path),
};

test.each(Object.keys(SNAPSHOT_HARM))('[REL-5] a snapshot that is %s costs time, not content', (name) => {
  const at = recorded();
  SNAPSHOT_HARM[name]?.(join(dataOf(at), 'snapshot'));
  const { changed, status } = at.retake.json(at.workspace, 'checkpoint', '--name', 'after');
  expect({ changed, status }).toEqual({ changed: 1, status: 'complete' });
  at.retake.json(at.workspace, 'rewind', 'name 3', '--yes');
  expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('3');
});

test('[STO-1] a store of a newer version is refused by every verb, and not changed', () => {
  const at = recorded();
  const config = join(storeOf(at), 'config');
  writeFileSync(config, readFileSync(config, 'utf8').replace(/format = 2$/m, 'format = 3'));
  const store = observeDirectory(storeOf(at), { mtimes: true });
  const workspace = observeWorkspace(at.workspace, { mtimes: true });
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['log'], 'store-newer');
  for (const line of [['checkpoint'], ['rewind', 'name 1', '--yes'], ['check'], ['gc'], ['rebuild'], ['status']]) {
    expect(expectJsonRefusal(at.retake.run(at.workspace, ...line, '--json'), 'store-newer', 1).hint).toContain('Update');
  }
  expect(observeDirectory(storeOf(at), { mtimes: true })).toEqual(store);
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(workspace);
});

test.each([
  ['garbage', '\x00\xff garbage'],
  ['empty', ''],
])('[REL-5] a store whose configuration is %s is refused with a way out', (_, text) => {
  const at = recorded();
  const config = join(storeOf(at), 'config');
  const good = readFileSync(config);
  writeFileSync(config, text);
  for (const line of [['log'], ['checkpoint']]) {
    expect(expectRefusal((...args) => at.retake.run(at.workspace, ...args), line, 'store-damaged').hint).toContain(config);
  }
  writeFileSync(config, good);
  expectWhole(at);
});

const opsDirectory = (at: Scene): string => join(storeOf(at), 'refs/retake/ops/local');

test.each([
  ['empty', ''],
  ['cut short', '0123456789abcdef'],
  ['zeroes', '\0'.repeat(41)],
])(
  '[REL-5] the ref of an operation that is %s is named by check; the other operations are whole and the workspace can be used',
  (_, text) => {
    const at = recorded();
    const [, second = ''] = readdirSync(opsDirectory(at)).sort();
    writeFileSync(join(opsDirectory(at), second), text);
    at.retake.json(at.workspace, 'rebuild');
    expect(logged(at)).toEqual(expect.arrayContaining([at.ids[0], at.ids[2]]));
    at.retake.json(at.workspace, 'checkpoint', '--name', 'after');
    at.retake.json(at.workspace, 'rewind', 'name 1', '--yes');
    expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('1');
    const check = at.retake.run(at.workspace, 'check');
    expect(check.code).toBe(1);
    expect(check.stdout).toContain(second);
  },
);

test.each([
  ['loose', (_: Scene) => {}],
  [
    'with an older one packed',
    (at: Scene) => {
      at.retake.json(at.workspace, 'gc');
      put(at.workspace, 'file', 'after gc');
      at.retake.json(at.workspace, 'checkpoint', '--name', 'after gc');
    },
  ],
])('[STO-6] [REL-5] a torn `last` ref (%s) makes no new operation take the place of an old one', (_, prepare) => {
  const at = recorded();
  prepare(at);
  const before = operationIds(storeOf(at));
  writeFileSync(join(storeOf(at), 'refs/heads/last'), '');
  put(at.workspace, 'file', '5');
  at.retake.run(at.workspace, 'checkpoint', '--name', 'after the tear');
  put(at.workspace, 'file', '6');
  at.retake.run(at.workspace, 'checkpoint', '--name', 'after the tear, again');
  expect(operationIds(storeOf(at))).toEqual(expect.arrayContaining(before));
  at.retake.json(at.workspace, 'rebuild');
  expect(logged(at)).toEqual(expect.arrayContaining(at.ids));
});

test.each([
  ['garbage', '{"id": "x", '],
  ['empty', ''],
  ['of another shape', '{"steps": 5}'],
  ['null', 'null'],
])('[RST-4] [REL-6] a journal that is %s does not lock the user out, and is reported', (_, text) => {
  const at = recorded();
  const journal = join(dataOf(at), 'journal.json');
  writeFileSync(journal, text);
  const workspace = observeWorkspace(at.workspace, { mtimes: true });
  const run = at.retake.run(at.workspace, 'status');
  expect(run.stdout + run.stderr).toMatch(/journal|rollback/i);
  expect(run.stderr).not.toMatch(/JSON at position|Unexpected|undefined|not iterable|is not a function/);
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(workspace);
  expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(4);
  expect(at.retake.json(at.workspace, 'checkpoint', '--name', 'goes on').changed).toBe(1);
});

test('[REL-5] a damaged workspace.json changes nothing', () => {
  const at = recorded();
  writeFileSync(join(dataOf(at), 'workspace.json'), 'garbage');
  expectWhole(at);
  expect(existsSync(dataOf(at))).toBe(true);
});
