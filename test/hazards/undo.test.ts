import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { observeDirectory, observeWorkspace } from '../support/oracle.ts';
import { expectRefusal } from '../support/refusal.ts';
import { put, repositoryScene, type Scene, scene, steps } from '../support/scene.ts';

const content = (at: Scene, path: string): string => readFileSync(join(at.workspace, path), 'utf8');

test('[RST-7] undo keeps new work in other files, and says so', () => {
  const at = scene();
  put(at.workspace, 'a', 'then');
  put(at.workspace, 'b', 'then');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'a', 'now');
  put(at.workspace, 'made/x', 'now');
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  put(at.workspace, 'b', 'work after the rewind');
  put(at.workspace, 'new/file', 'work after the rewind');
  const undone = at.retake.json(at.workspace, 'undo', '--yes');
  expect([content(at, 'a'), content(at, 'made/x')]).toEqual(['now', 'now']);
  expect([content(at, 'b'), content(at, 'new/file')]).toEqual(['work after the rewind', 'work after the rewind']);
  expect(undone.warnings.join('\n')).toMatch(/not touched/);
});

test('[RST-7] undo over new work in the same file keeps that work in its safety checkpoint', () => {
  const at = scene();
  put(at.workspace, 'a', 'then');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'a', 'now');
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  put(at.workspace, 'a', 'later work');
  const undone = at.retake.json(at.workspace, 'undo', '--yes');
  expect(content(at, 'a')).toBe('now');
  expect(undone.warnings.join('\n')).toMatch(/changed after the rollback/);
  at.retake.json(at.workspace, 'rewind', undone.safetyCheckpoint, '--yes');
  expect(content(at, 'a')).toBe('later work');
});

test('[RST-7] undo to depth three, redo all the way, and undo again', () => {
  const at = scene();
  const checkpoints = ['one', 'two', 'three'].map((text) => {
    put(at.workspace, 'file', text);
    put(at.workspace, `only-${text}`, text);
    return at.retake.json(at.workspace, 'checkpoint').id as string;
  });
  put(at.workspace, 'file', 'four');
  const states = [observeWorkspace(at.workspace)];
  for (const id of checkpoints.reverse()) {
    at.retake.json(at.workspace, 'rewind', id, '--yes');
    states.push(observeWorkspace(at.workspace));
  }
  for (const depth of [2, 1, 0]) {
    at.retake.json(at.workspace, 'undo', '--yes');
    expect(observeWorkspace(at.workspace), `undo to ${depth}`).toEqual(states[depth]);
  }
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['undo', '--yes'], 'nothing-to-undo');
  for (const depth of [1, 2, 3]) {
    at.retake.json(at.workspace, 'redo', '--yes');
    expect(observeWorkspace(at.workspace), `redo to ${depth}`).toEqual(states[depth]);
  }
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['redo', '--yes'], 'nothing-to-undo');
  for (const depth of [2, 1, 0]) {
    at.retake.json(at.workspace, 'undo', '--yes');
    expect(observeWorkspace(at.workspace), `second undo to ${depth}`).toEqual(states[depth]);
  }
});

test('[RST-7] what was undone before a newer rollback is not redone on top of it', () => {
  const at = scene();
  const [first, second] = ['first', 'second'].map((text) => {
    put(at.workspace, 'file', text);
    return at.retake.json(at.workspace, 'checkpoint').id as string;
  });
  put(at.workspace, 'file', 'now');
  at.retake.json(at.workspace, 'rewind', first ?? '', '--yes');
  at.retake.json(at.workspace, 'undo', '--yes');
  at.retake.json(at.workspace, 'rewind', second ?? '', '--yes');
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['redo', '--yes'], 'nothing-to-undo');
  expect(content(at, 'file')).toBe('second');
});

test('[RST-7] an older rollback is undone by its id, a newer one stays', () => {
  const at = scene();
  put(at.workspace, 'a', 'then');
  put(at.workspace, 'b', 'then');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'a', 'now');
  put(at.workspace, 'b', 'now');
  const first = at.retake.json(at.workspace, 'rewind', id, '--path', 'a', '--yes').rollbackId;
  const second = at.retake.json(at.workspace, 'rewind', id, '--path', 'b', '--yes').rollbackId;
  const undone = at.retake.json(at.workspace, 'undo', first.slice(0, 12), '--yes').rollbackId;
  expect([content(at, 'a'), content(at, 'b')]).toEqual(['now', 'then']);
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['undo', first, '--yes'], 'nothing-to-undo');
  at.retake.json(at.workspace, 'undo', undone, '--yes');
  expect([content(at, 'a'), content(at, 'b')]).toEqual(['then', 'then']);
  const history = at.retake.json(at.workspace, 'rollbacks').rollbacks;
  expect(history.map((one: { id: string }) => one.id)).toContain(second);
  expect(history).toHaveLength(4);
  expect(history.find((one: { id: string }) => one.id === undone)).toMatchObject({ undoes: first, outcome: 'complete' });
});

test('[RST-7] the history tells type, from, to, scope, time, undone when and by which', () => {
  const at = scene();
  put(at.workspace, 'a', 'then\n');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'a', 'now\n');
  const done = at.retake.json(at.workspace, 'rewind', id, '--yes');
  const undone = at.retake.json(at.workspace, 'undo', '--yes');
  const [undo, rollback] = at.retake.json(at.workspace, 'rollbacks').rollbacks;
  expect(rollback).toMatchObject({
    id: done.rollbackId,
    type: 'rollback',
    from: done.safetyCheckpoint,
    to: id,
    scope: 'code',
    undoneBy: undone.rollbackId,
    undoneAt: undo.createdAt,
    files: { changed: 1, insertions: 1, deletions: 1 },
  });
  expect(undo).toMatchObject({ id: undone.rollbackId, type: 'undo', undoes: done.rollbackId, undoneBy: null });
  expect(Number.isNaN(Date.parse(rollback.createdAt))).toBe(false);
});

test('[RST-7] a redo is listed as what it is, wherever it is told of', () => {
  const at = scene();
  put(at.workspace, 'a', 'then\n');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'a', 'now\n');
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  const undo = at.retake.json(at.workspace, 'undo', '--yes').rollbackId;
  // By its own verb, and as the undo of an undo; then the undo of a redo.
  at.retake.json(at.workspace, 'redo', '--yes');
  at.retake.json(at.workspace, 'undo', '--yes');
  const types = () => at.retake.json(at.workspace, 'rollbacks').rollbacks.map(({ type }: { type: string }) => type);
  expect(types()).toEqual(['undo', 'redo', 'undo', 'rollback']);
  const [last] = at.retake.json(at.workspace, 'rollbacks').rollbacks;
  at.retake.json(at.workspace, 'undo', last.id, '--yes');
  expect(types()).toEqual(['redo', 'undo', 'redo', 'undo', 'rollback']);
  const rollbacks = at.retake
    .json(at.workspace, 'log')
    .operations.filter(({ kind }: { kind: string }) => !['manual', 'safety'].includes(kind));
  expect(rollbacks.map(({ kind }: { kind: string }) => kind)).toEqual(types());
  expect(at.retake.run(at.workspace, 'rollbacks').stdout).toMatch(/redo .* Redo of/);
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['undo', undo, '--yes'], 'nothing-to-undo');
});

test('[RST-7] the safety checkpoint of a rollback can not be deleted while it can be undone; its target can, and what was left stays so', () => {
  const at = scene();
  put(at.workspace, 'a', 'then');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'a', 'between');
  at.retake.json(at.workspace, 'checkpoint', '--name', 'left');
  put(at.workspace, 'a', 'now');
  const { safetyCheckpoint } = at.retake.json(at.workspace, 'rewind', id, '--yes');
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['delete', safetyCheckpoint], 'needed');
  at.retake.json(at.workspace, 'delete', id);
  at.retake.json(at.workspace, 'rebuild');
  const left = at.retake.json(at.workspace, 'log').operations.filter(({ name }: { name: string }) => name === 'left');
  expect(left).toMatchObject([{ rolledBack: 'code' }]);
  at.retake.json(at.workspace, 'gc');
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(content(at, 'a')).toBe('now');
  expect(at.retake.run(at.workspace, 'check', '--full').code).toBe(0);
});

test('[RST-7] undo of a rewind that removed a directory brings it back though its place was taken since', () => {
  const at = scene();
  put(at.workspace, 'steady', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'dir/a', 'a');
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(existsSync(join(at.workspace, 'dir'))).toBe(false);
  put(at.workspace, 'dir', 'a file took the place');
  const undone = at.retake.json(at.workspace, 'undo', '--yes');
  expect(content(at, 'dir/a')).toBe('a');
  rmSync(join(at.workspace, 'steady'));
  at.retake.json(at.workspace, 'rewind', undone.safetyCheckpoint, '--yes');
  expect(content(at, 'dir')).toBe('a file took the place');
});

const HIDDEN: Record<string, { earlier: (root: string) => void; now: (root: string) => void; steps: string[] }> = {
  'empty directories below what was a file, by info/exclude': {
    earlier: (root) => mkdirSync(join(root, 'A/e/g'), { recursive: true }),
    now: (root) => {
      rmSync(join(root, 'A'), { recursive: true });
      put(root, 'A', 'file');
      put(root, '.git/info/exclude', 'e/\n');
    },
    steps: ['retype A', 'rmdir A/e', 'rmdir A/e/g'],
  },
  'an empty directory beside rules that hide everything': {
    earlier: (root) => {
      mkdirSync(join(root, 'A/a'), { recursive: true });
      put(root, 'A/f', '1');
    },
    now: (root) => {
      rmSync(join(root, 'A/a'), { recursive: true });
      put(root, 'A/.gitignore', '*\n');
    },
    steps: ['rmdir A/a'],
  },
  'files and links, with the directories they are in': {
    earlier: (root) => {
      put(root, 'A/b/f', '1');
      symlinkSync('f', join(root, 'A/b/link'));
    },
    now: (root) => {
      rmSync(join(root, 'A'), { recursive: true });
      put(root, '.gitignore', 'A/\n');
      put(root, '.git/info/exclude', '/A/\n');
    },
    steps: ['create .gitignore', 'rmdir A', 'rmdir A/b', 'delete A/b/f', 'delete A/b/link'],
  },
  'a directory that was there with other permissions': {
    earlier: (root) => {
      mkdirSync(join(root, 'A'));
      chmodSync(join(root, 'A'), 0o700);
    },
    now: (root) => {
      chmodSync(join(root, 'A'), 0o755);
      put(root, '.git/info/exclude', 'A/\n');
    },
    steps: ['chmod A'],
  },
  'the pointer of a worktree in a directory that is ignored': {
    earlier: (root) => void put(root, 'A/.git', 'gitdir: /nowhere\n'),
    now: (root) => {
      rmSync(join(root, 'A'), { recursive: true });
      put(root, '.git/info/exclude', 'A/\n');
    },
    steps: ['rmdir A', 'delete A/.git'],
  },
};

test.each(Object.keys(HIDDEN))('[RST-7] undo takes back what the rewind made where ignore rules hide it: %s', (name) => {
  const at = repositoryScene();
  const { earlier, now, steps: expected } = HIDDEN[name] as (typeof HIDDEN)[string];
  const look = () => observeDirectory(at.workspace, { without: (path) => path === '.git' });
  earlier(at.workspace);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  now(at.workspace);
  const before = look();
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  const rewound = look();
  expect(rewound).not.toEqual(before);
  const undone = at.retake.json(at.workspace, 'undo', '--yes');
  expect(look()).toEqual(before);
  expect(steps(undone)).toEqual(expected);
  expect(undone.warnings).toEqual([]);
  at.retake.json(at.workspace, 'redo', '--yes');
  expect(look()).toEqual(rewound);
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(look()).toEqual(before);
});

test('[RST-5] undo leaves what was put since into an ignored directory that the rewind made', () => {
  const at = repositoryScene();
  mkdirSync(join(at.workspace, 'A/e'), { recursive: true });
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  rmSync(join(at.workspace, 'A'), { recursive: true });
  put(at.workspace, '.git/info/exclude', 'A/\n');
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  put(at.workspace, 'A/mine', 'ignored, and not recorded');
  const undone = at.retake.json(at.workspace, 'undo', '--yes');
  expect(steps(undone)).toEqual(['rmdir A/e']);
  expect(undone.kept).toEqual([{ path: 'A', reason: 'holds what is not part of the rollback: mine' }]);
  expect(content(at, 'A/mine')).toBe('ignored, and not recorded');
});
