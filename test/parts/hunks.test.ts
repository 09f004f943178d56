import { chmodSync, lstatSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { watched } from '../daemon/exact.ts';
import { daemonScene, startDaemon } from '../daemon/support.ts';
import { played, stepsOf, write } from '../recover/played.ts';
import { type Oracle, observeWorkspace } from '../support/oracle.ts';
import { fsck } from '../support/private-store.ts';
import { put, type Scene, scene, steps, storeOf } from '../support/scene.ts';
import { content, lines, PLACES, parted } from './parted.ts';

const observe = (at: Scene): Oracle => observeWorkspace(at.workspace, { mtimes: true });

/** What two observations differ in. */
const touched = (before: Oracle, after: Oracle): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));

describe.each([
  ['without a daemon', false],
  ['by the daemon', true],
])('chosen hunks, %s', (_, hasDaemon) => {
  const prepare = async () => {
    const at = hasDaemon ? daemonScene() : scene();
    if (hasDaemon) await startDaemon(at);
    return parted(at);
  };

  test('[RST-8] they go back, nothing else does, and undo and redo are exact', async () => {
    const at = await prepare();
    const before = observe(at);
    const plan = at.retake.json(at.workspace, 'rewind', at.id, '--hunk', 'src/a.ts:2', '--hunk', 'b.txt:1,3', '--yes');
    expect(steps(plan)).toEqual(['restore b.txt', 'restore src/a.ts']);
    expect(plan.operations).toMatchObject([
      { insertions: 2, deletions: 2 },
      { insertions: 1, deletions: 1 },
    ]);
    const after = observe(at);
    expect(touched(before, after)).toEqual(['b.txt', 'src/a.ts']);
    expect([content(at, 'src/a.ts'), content(at, 'b.txt')]).toEqual([lines([3, 38]), lines([20])]);
    at.retake.json(at.workspace, 'undo', '--yes');
    expect([content(at, 'src/a.ts'), content(at, 'b.txt')]).toEqual([lines(PLACES), lines(PLACES)]);
    expect(touched(before, observe(at))).toEqual(['b.txt', 'src/a.ts']);
    at.retake.json(at.workspace, 'redo', '--yes');
    expect([content(at, 'src/a.ts'), content(at, 'b.txt')]).toEqual([lines([3, 38]), lines([20])]);
    expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
    // It was asked, and knows the workspace now.
    if (hasDaemon) expect(await watched(at)).toBeDefined();
  });

  test('[RST-8] what is there no longer as it was shown is not taken', async () => {
    const at = await prepare();
    const { expectedTree } = at.retake.json(at.workspace, 'rewind', at.id, '--dry-run', '--patch');
    // What was hunk 2 is hunk 1 now, and there is no third.
    put(at.workspace, 'b.txt', lines([20, 38]));
    const before = observe(at);
    for (const number of [1, 3]) {
      const refused = at.retake.run(at.workspace, 'rewind', at.id, '--hunk', `b.txt:${number}`, '--expect', expectedTree, '--json');
      expect(refused).toMatchObject({ code: 1, json: { error: { code: 'workspace-moved' } } });
    }
    expect(observe(at)).toEqual(before);
    expect(at.retake.json(at.workspace, 'rollbacks').rollbacks).toEqual([]);
  });
});

test.each([
  ['2', [3, 38]],
  ['1,3', [20]],
  ['3,1,1', [20]],
  ['1-2', [38]],
  ['1,2-3', []],
  ['1-3', []],
])('[RST-8] numbers %s', (numbers, left) => {
  const at = parted(scene());
  at.retake.json(at.workspace, 'rewind', at.id, '--hunk', `b.txt:${numbers}`, '--yes');
  expect(content(at, 'b.txt')).toBe(lines(left));
});

test('[RST-8] hunks of one file and others as a whole', () => {
  const at = parted(scene());
  const before = observe(at);
  const plan = at.retake.json(at.workspace, 'rewind', at.id, '--hunk', 'b.txt:3', '--hunk', 'b.txt:2-3', '--path', 'src', 'gone', '--yes');
  expect(steps(plan)).toEqual(['restore b.txt', 'create gone', 'restore src/a.ts']);
  expect([content(at, 'b.txt'), content(at, 'src/a.ts'), content(at, 'gone')]).toEqual([lines([3]), lines(), 'gone\n']);
  expect(touched(before, observe(at)).sort()).toEqual(['b.txt', 'gone', 'src/a.ts']);
  expect(at.retake.json(at.workspace, 'rollbacks').rollbacks[0]).toMatchObject({
    only: ['src', 'gone', 'b.txt'],
    hunks: [{ path: 'b.txt', count: 2 }],
  });
});

test('[RST-8] paths are those of where one stands, and may have colons', () => {
  const at = parted(scene());
  put(at.workspace, 'src/x:1', lines([20]));
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'src/x:1', lines());
  at.retake.json(join(at.workspace, 'src'), 'rewind', id, '--hunk', 'x:1:1', '--yes');
  expect(content(at, 'src/x:1')).toBe(lines([20]));
  at.retake.json(join(at.workspace, 'src'), 'rewind', at.id, '--hunk', './a.ts:1', '../b.txt:3', '--yes');
  expect([content(at, 'src/a.ts'), content(at, 'b.txt')]).toEqual([lines([20, 38]), lines([3, 20])]);
});

test.each([
  ['lines that end in CRLF', lines([], '\r\n'), lines(PLACES, '\r\n'), lines([3, 38], '\r\n')],
  [
    'CRLF that was only there then',
    lines([], '\r\n').replace('line 20\r', 'line 20'),
    lines([], '\r\n'),
    lines([], '\r\n').replace('line 20\r', 'line 20'),
    '1',
  ],
  ['no final newline then', lines().slice(0, -1), lines([3]), lines([3]).slice(0, -1)],
  ['no final newline now', lines(), lines([3]).slice(0, -1), lines([3])],
  ['none on either side', lines().slice(0, -1), lines([3, 20]).slice(0, -1), lines([3]).slice(0, -1)],
  [
    'bytes that are no text in any encoding',
    lines().replace('line 20', '\xff\xfe\x80'),
    lines([3]),
    lines([3]).replace('line 20', '\xff\xfe\x80'),
  ],
  ['nothing there now', lines(), '', lines(), '1'],
  ['nothing there then', '', lines(), '', '1'],
])('[RST-8] exact bytes: %s', (_, then, now, wanted, number = '2') => {
  const at = scene();
  put(at.workspace, 'file', Buffer.from(then, 'latin1'));
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'file', Buffer.from(now, 'latin1'));
  at.retake.json(at.workspace, 'rewind', id, '--hunk', `file:${number}`, '--yes');
  expect(content(at, 'file')).toBe(wanted);
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(content(at, 'file')).toBe(now);
});

test('[RST-8] permission bits stay as they are when hunks alone go back, and go back with the whole file', () => {
  const at = parted(scene());
  const bits = (): number => lstatSync(join(at.workspace, 'b.txt')).mode & 0o7777;
  const then = bits();
  chmodSync(join(at.workspace, 'b.txt'), 0o750);
  at.retake.json(at.workspace, 'rewind', at.id, '--hunk', 'b.txt:1-3', '--yes');
  expect([content(at, 'b.txt'), bits()]).toEqual([lines(), 0o750]);
  at.retake.json(at.workspace, 'rewind', at.id, '--path', 'b.txt', '--yes');
  expect(bits()).toBe(then);
});

test('[RST-8] a part of one file needs no confirmation, parts of two do', () => {
  const at = parted(scene());
  const two = at.retake.run(at.workspace, 'rewind', at.id, '--hunk', 'b.txt:1', 'src/a.ts:1', '--json');
  expect(two).toMatchObject({ code: 1, json: { error: { code: 'needs-confirmation' } } });
  expect(content(at, 'b.txt')).toBe(lines(PLACES));
  const one = at.retake.run(at.workspace, 'rewind', at.id, '--hunk', 'b.txt:1,2');
  expect(one).toMatchObject({ code: 0, stdout: expect.stringMatching(/^restore +\+2 -2 +b\.txt \(2 hunks\)$/m) });
  expect(content(at, 'b.txt')).toBe(lines([38]));
});

test('[RST-8] a hunk that is gone back to is not there any more; the others have new numbers', () => {
  const at = parted(scene());
  for (const left of [[20, 38], [38], []]) {
    utimesSync(join(at.workspace, 'b.txt'), 1, 1);
    at.retake.json(at.workspace, 'rewind', at.id, '--hunk', 'b.txt:1', '--yes');
    expect(content(at, 'b.txt')).toBe(lines(left));
  }
});

test('[RST-8] steps of an agent are not rolled back by a part of them', async () => {
  const game = await played({ 'a.txt': lines() });
  const { at, session } = game;
  await session.prompt('change it');
  await write(game, 'a.txt', lines(PLACES));
  await session.answer('done');
  const standing = () => stepsOf(at).map(({ rolledBack, state }) => ({ rolledBack, state }));
  const before = standing();
  expect(before).toMatchObject([{ rolledBack: null }]);
  at.retake.json(at.workspace, 'rewind', 't1', '--hunk', 'a.txt:1', '--yes');
  expect(standing()).toEqual(before);
  at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'code', '--yes');
  expect(standing()).toMatchObject([{ rolledBack: 'code' }]);
});
