import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { observeDirectory, observeWorkspace } from '../support/oracle.ts';
import { fsck } from '../support/private-store.ts';
import { put, type Scene, scene, steps, storeOf } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Everything that can stand at a path. */
const KINDS: Record<string, (at: Scene, path: string, outside: string) => void> = {
  nothing: () => {},
  file: ({ workspace }, path) => put(workspace, path, `file at ${path}`),
  'executable file': ({ workspace }, path) => put(workspace, path, '#!/bin/sh\n', 0o755),
  'empty directory': ({ workspace }, path) => mkdirSync(join(workspace, path), { recursive: true }),
  'private directory': ({ workspace }, path) => {
    put(workspace, `${path}/a`, 'a');
    put(workspace, `${path}/deep/b`, 'b');
    chmodSync(join(workspace, path), 0o700);
  },
  'read-only directory': ({ workspace }, path) => {
    put(workspace, `${path}/a`, 'other a', 0o400);
    symlinkSync('a', join(workspace, path, 'deep'));
    chmodSync(join(workspace, path), 0o555);
  },
  'link to a file': ({ workspace }, path) => symlinkSync('steady', join(workspace, path)),
  'link to a directory outside': ({ workspace }, path, outside) => symlinkSync(outside, join(workspace, path)),
  'dangling link': ({ workspace }, path) => symlinkSync('nowhere', join(workspace, path)),
};

const names = Object.keys(KINDS);

test('[RST-1] [RST-7] everything swapped for everything else, there and back', () => {
  const at = scene();
  const outside = temporaryDirectory();
  put(outside, 'a', 'outside');
  put(at.workspace, 'steady', 'steady');
  const untouched = observeDirectory(outside, { mtimes: true });
  const pairs = names.flatMap((from) => names.map((to) => [from, to] as const));
  const place = (index: number): string => `p${index % 7}/x${index}`;
  for (let i = 0; i < 7; i++) mkdirSync(join(at.workspace, `p${i}`));
  pairs.forEach(([from], index) => {
    KINDS[from]?.(at, place(index), outside);
  });
  const before = observeWorkspace(at.workspace);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  pairs.forEach(([, to], index) => {
    rmSync(join(at.workspace, place(index)), { recursive: true, force: true });
    KINDS[to]?.(at, place(index), outside);
  });
  const after = observeWorkspace(at.workspace);
  const there = at.retake.json(at.workspace, 'checkpoint').id;

  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(before);
  at.retake.json(at.workspace, 'rewind', there, '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(after);
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(before);
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(after);
  expect(observeDirectory(outside, { mtimes: true })).toEqual(untouched);
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
});

test('[RST-1] a whole workspace emptied and filled again', () => {
  const at = scene();
  for (let i = 0; i < 300; i++) put(at.workspace, `a/${i % 10}/b/${i}`, `${i}`);
  const before = observeWorkspace(at.workspace);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  rmSync(join(at.workspace, 'a'), { recursive: true });
  const empty = at.retake.json(at.workspace, 'checkpoint').id;
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(before);
  at.retake.json(at.workspace, 'rewind', empty, '--yes');
  expect(observeWorkspace(at.workspace).size).toBe(0);
});

test('[RST-1] a file that became a directory of the same name, one part of it wanted back', () => {
  const at = scene();
  put(at.workspace, 'x', 'file');
  put(at.workspace, 'y', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  rmSync(join(at.workspace, 'x'));
  put(at.workspace, 'x/inside', 'i');
  put(at.workspace, 'y', '2');
  const plan = at.retake.json(at.workspace, 'rewind', id, '--path', 'x', '--yes');
  expect(steps(plan)).toEqual(['retype x', 'delete x/inside']);
  expect(readFileSync(join(at.workspace, 'x'), 'utf8')).toBe('file');
  expect(readFileSync(join(at.workspace, 'y'), 'utf8')).toBe('2');
});

test('[RST-3] a rewind that changes nothing records nothing', () => {
  const at = scene();
  put(at.workspace, 'file', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  const result = at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(result).toMatchObject({ operations: [], rollbackId: null, safetyCheckpoint: null });
  expect(at.retake.json(at.workspace, 'log').operations).toHaveLength(1);
});
