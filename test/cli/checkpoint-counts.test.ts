import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { put, scene } from '../support/scene.ts';

test('[CKP-5] a checkpoint and the log tell the same number of changed files, from the first record on', () => {
  const at = scene();
  const newest = () => at.retake.json(at.workspace, 'log').operations[0];
  for (let number = 0; number < 203; number++) put(at.workspace, `d${number % 7}/f${number}`, `${number}\n`);
  const first = at.retake.json(at.workspace, 'checkpoint');
  expect(first).toMatchObject({ changed: 0, files: 203 });
  expect(newest().files.changed).toBe(first.changed);
  expect(at.retake.run(at.workspace, 'log').stdout).toContain('first record');
  expect(at.retake.run(at.workspace, 'show', '@-1').stdout).toMatch(/changed +first record/);
  // What came, went and changed; a directory alone is no file.
  put(at.workspace, 'd0/f0', 'other\n');
  put(at.workspace, 'new/file', 'new\n', 0o755);
  rmSync(join(at.workspace, 'd1'), { recursive: true });
  const second = at.retake.json(at.workspace, 'checkpoint');
  expect(second).toMatchObject({ changed: 31, files: 175 });
  expect(newest().files.changed).toBe(second.changed);
  rmSync(join(at.workspace, 'new'), { recursive: true });
  put(at.workspace, 'new', 'a file now\n');
  expect(newest().files.changed).toBe(31);
  const third = at.retake.json(at.workspace, 'checkpoint');
  expect(newest().files.changed).toBe(third.changed);
  expect(at.retake.json(at.workspace, 'show', '@-1').changes).toHaveLength(third.changed);
});

test('[CKP-5] people are told that the first one has nothing to differ from', () => {
  const at = scene();
  put(at.workspace, 'a', 'a\n');
  put(at.workspace, 'b', 'b\n');
  expect(at.retake.run(at.workspace, 'checkpoint').stdout).toMatch(/^Checkpoint \w+: 2 files, the first record$/m);
  put(at.workspace, 'a', 'other\n');
  expect(at.retake.run(at.workspace, 'checkpoint').stdout).toMatch(/^Checkpoint \w+: 1 file changed$/m);
});
