import { chmodSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { put, type Scene, scene } from '../support/scene.ts';

/** Since its checkpoint one directory is gone, one is new and one has other permissions; none has a file that tells so. */
const changed = (): Scene => {
  const at = scene();
  for (const name of ['gone', 'mode']) mkdirSync(join(at.workspace, name));
  chmodSync(join(at.workspace, 'mode'), 0o755);
  put(at.workspace, 'mode/file', '1');
  at.retake.json(at.workspace, 'checkpoint');
  rmdirSync(join(at.workspace, 'gone'));
  mkdirSync(join(at.workspace, 'new/empty'), { recursive: true });
  chmodSync(join(at.workspace, 'mode'), 0o700);
  return at;
};

const DIRECTORIES = [
  { path: 'gone', status: 'deleted' },
  { path: 'mode', status: 'mode' },
  { path: 'new/empty', status: 'added' },
];

test('[CLI] [RST-1] directories that differ by themselves are told, as the plan to go back has them', () => {
  const at = changed();
  const { files, directories, stats } = at.retake.json(at.workspace, 'diff', '@-1');
  expect({ files, directories, stats }).toEqual({ files: [], directories: DIRECTORIES, stats: { files: 0, insertions: 0, deletions: 0 } });
  const { stdout, stderr } = at.retake.run(at.workspace, 'diff', '@-1');
  expect(stdout).toBe('deleted  folder  gone\nmode     folder  mode\nadded    folder  new/empty\n');
  expect(stderr).not.toContain('No differences');
  const patch = at.retake.run(at.workspace, 'diff', '@-1', '--patch');
  expect([patch.stdout, patch.stderr]).toEqual(['', expect.stringContaining('3 folders')]);
  at.retake.json(at.workspace, 'rewind', '@-1', '--yes');
  expect(at.retake.run(at.workspace, 'diff', '@-1').stderr).toContain('No differences');
});

test('[CLI] a directory whose files tell that it is new is not told beside them, nor one outside the paths that are asked about', () => {
  const at = changed();
  put(at.workspace, 'new/empty/file', '1');
  const { files, directories } = at.retake.json(at.workspace, 'diff', '@-1', '--path', 'new', 'mode');
  expect(files).toMatchObject([{ path: 'new/empty/file', status: 'added' }]);
  expect(directories).toEqual([{ path: 'mode', status: 'mode' }]);
});
