import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { observeWorkspace } from '../support/oracle.ts';
import { flipBit, looseFile, storedEntries } from '../support/private-store.ts';
import { expectJsonRefusal, expectPlainRefusal } from '../support/refusal.ts';
import { put, type Scene, scene, storeOf } from '../support/scene.ts';

/** Content that compresses to nothing else's delta. */
const unlike = (): string => randomBytes(600).toString('hex');

const blobOf = (at: Scene, id: string, path: string): string => storedEntries(storeOf(at), id).get(path)?.id ?? 'none';

interface Damaged extends Scene {
  readonly first: string;
  readonly second: string;
  readonly third: string;
  readonly object: string;
}

/** Three checkpoints; the object that only the first two need for the file `broken` is harmed. */
const damagedScene = (harm: (store: string, object: string) => void, packed: boolean): Damaged => {
  const at = scene();
  put(at.workspace, 'broken', unlike());
  put(at.workspace, 'dir/fine', unlike());
  const first = at.retake.json(at.workspace, 'checkpoint').id;
  put(at.workspace, 'dir/fine', unlike());
  const second = at.retake.json(at.workspace, 'checkpoint').id;
  put(at.workspace, 'broken', unlike());
  const third = at.retake.json(at.workspace, 'checkpoint').id;
  put(at.workspace, 'broken', unlike());
  put(at.workspace, 'dir/fine', unlike());
  const object = blobOf(at, first, 'broken');
  if (packed) at.retake.json(at.workspace, 'gc');
  harm(storeOf(at), object);
  return { ...at, first, second, third, object };
};

test.each([
  ['missing', false, (store: string, object: string) => rmSync(looseFile(store, object))],
  ['bit-flipped', false, flipBit],
  ['bit-flipped and packed', true, flipBit],
])('[RST-2] [REL-5] a %s object: refused by name, nothing touched; the other checkpoints work', (_, packed, harm) => {
  const at = damagedScene(harm, packed);
  const before = observeWorkspace(at.workspace, { mtimes: true });
  for (const id of [at.first, at.second]) {
    const error = expectJsonRefusal(at.retake.run(at.workspace, 'rewind', id, '--yes', '--json'), 'store-damaged', 1);
    expect(error.message).toContain(at.object);
  }
  expectPlainRefusal(at.retake.run(at.workspace, 'rewind', at.first, '--yes'), 1);
  expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(before);
  expect(at.retake.json(at.workspace, 'rollbacks').rollbacks).toEqual([]);

  const log = at.retake.json(at.workspace, 'log').operations;
  expect(log.map(({ id }: { id: string }) => id)).toEqual([at.third, at.second, at.first]);
  at.retake.json(at.workspace, 'rewind', at.second, '--path', 'dir', '--yes');
  at.retake.json(at.workspace, 'rewind', at.third, '--yes');
  at.retake.json(at.workspace, 'undo', '--yes');
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(
    new Map([...before].map(([path, value]) => [path, value.startsWith('file') ? value.replace(/ \d+(\.\d+)?$/, '') : value])),
  );
});

test.each([
  ['missing', false, (store: string, object: string) => rmSync(looseFile(store, object))],
  ['bit-flipped and packed', true, flipBit],
])('[STO-3] check names the operations that need a %s object, in one JSON document, and exits 1', (_, packed, harm) => {
  const at = damagedScene(harm, packed);
  const plain = at.retake.run(at.workspace, 'check', '--full');
  expect(plain.code).toBe(1);
  expect(plain.stdout).toContain(at.object);
  const run = at.retake.run(at.workspace, 'check', '--full', '--json');
  expect(run.code).toBe(1);
  expect(run.stdout).toContain(at.object);
  expect(() => JSON.parse(run.stdout)).not.toThrow();
  const report = run.json.error?.details ?? run.json;
  const objects = report.damage.filter(({ kind }: { kind: string }) => kind === 'object');
  expect(objects).toMatchObject([{ object: at.object, operations: [at.first, at.second] }]);
  expect(report.damage.filter(({ kind }: { kind: string }) => kind !== 'object' && kind !== 'pack')).toEqual([]);
});

test('[REL-5] capturing the same content again mends a damaged object', () => {
  const at = scene();
  const content = unlike();
  put(at.workspace, 'file', content);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  flipBit(storeOf(at), blobOf(at, id, 'file'));
  put(at.workspace, 'copy', content);
  at.retake.json(at.workspace, 'checkpoint');
  expect(at.retake.run(at.workspace, 'check', '--full').code).toBe(0);
});

test.each([
  ['a few files, and it is missing', 3, (store: string, object: string) => rmSync(looseFile(store, object))],
  ['a few files, and it is bit-flipped', 3, flipBit],
  ['more files than a plan measures', 2100, (store: string, object: string) => rmSync(looseFile(store, object))],
])('[RST-5] [REL-1] nothing is deleted whose record is damaged: %s', async (_, count, harm) => {
  const at = scene();
  put(at.workspace, 'steady', '1');
  const { id: start } = at.retake.json(at.workspace, 'checkpoint');
  const precious = put(at.workspace, 'precious', 'only here');
  // Until then it would be read again for its times alone, and its record mended by that.
  await vi.waitUntil(() => Date.now() - statSync(precious).ctimeMs > 200);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  for (let i = 0; i < count; i++) put(at.workspace, `many/${i % 50}/${i}`, `${i}`);
  at.retake.json(at.workspace, 'checkpoint');
  const before = observeWorkspace(at.workspace);
  harm(storeOf(at), blobOf(at, id, 'precious'));
  // The file on disk is fine, only the store lost its copy: refuse, or record it anew, but do not lose it.
  const run = at.retake.run(at.workspace, 'rewind', start, '--yes', '--json');
  if (run.code === 0) at.retake.json(at.workspace, 'undo', '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(before);
});

test('[REL-5] a damaged operation is named by check, and does not hide the others', () => {
  const at = scene();
  const ids = ['1', '2', '3'].map((content) => {
    put(at.workspace, 'file', content);
    return at.retake.json(at.workspace, 'checkpoint').id;
  });
  const [first = '', second = '', third = ''] = ids;
  rmSync(looseFile(storeOf(at), second));
  const run = at.retake.run(at.workspace, 'check', '--full');
  expect(run.code).toBe(1);
  expect(run.stdout).toContain(second);
  at.retake.json(at.workspace, 'rebuild');
  at.retake.json(at.workspace, 'rewind', first, '--yes');
  expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('1');
  at.retake.json(at.workspace, 'rewind', third, '--yes');
  expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('3');
});

test('[REL-5] the newest operation damaged: new ones get new numbers and nothing recorded before is overwritten', () => {
  const at = scene();
  const ids = ['1', '2', '3'].map((content) => {
    put(at.workspace, 'file', content);
    return at.retake.json(at.workspace, 'checkpoint').id;
  });
  rmSync(looseFile(storeOf(at), ids[2] ?? ''));
  put(at.workspace, 'file', '4');
  const fourth = at.retake.json(at.workspace, 'checkpoint').id;
  at.retake.json(at.workspace, 'rebuild');
  const listed = at.retake.json(at.workspace, 'log').operations.map(({ id }: { id: string }) => id);
  expect(listed).toEqual([fourth, ids[1], ids[0]]);
});
