import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { observeWorkspace } from '../support/oracle.ts';
import { fsck } from '../support/private-store.ts';
import { omitted, put, repositoryScene, type Scene, scene, steps, storeOf } from '../support/scene.ts';

const fifo = (at: Scene, path: string): void => {
  execFileSync('mkfifo', [join(at.workspace, path)]);
};

const SERVER = `require('node:net').createServer().listen(process.argv[1], () => process.stdout.write('up'))`;

/** A socket held open by another process. */
const socket = async (at: Scene, path: string): Promise<void> => {
  const child = spawn(process.execPath, ['-e', SERVER, join(at.workspace, path)], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
};

test('[CAP-5] FIFOs and sockets make a checkpoint partial, each listed with its reason', async () => {
  const at = repositoryScene();
  put(at.workspace, 'sub/file', '1');
  fifo(at, 'pipe');
  fifo(at, 'sub/pipe');
  await socket(at, 'sub/sock');
  const checkpoint = at.retake.json(at.workspace, 'checkpoint');
  expect(checkpoint.status).toBe('partial');
  expect(omitted(checkpoint)).toEqual(['pipe fifo', 'sub/pipe fifo', 'sub/sock socket']);
  expect(omitted(at.retake.json(at.workspace, 'show', checkpoint.id))).toEqual(omitted(checkpoint));

  put(at.workspace, 'sub/file', '2');
  const plan = at.retake.json(at.workspace, 'rewind', checkpoint.id, '--yes');
  expect(steps(plan)).toEqual(['restore sub/file']);
  expect(plan.warnings.join('\n')).toMatch(/partial/);
  for (const path of ['pipe', 'sub/pipe']) expect(lstatSync(join(at.workspace, path)).isFIFO()).toBe(true);
  expect(lstatSync(join(at.workspace, 'sub/sock')).isSocket()).toBe(true);
});

const mayMakeDevices = spawnSync('sh', ['-c', 't=$(mktemp -u) && mknod $t c 1 3 && rm $t']).status === 0;

test.skipIf(!mayMakeDevices)('[CAP-5] devices are listed and never read', () => {
  const at = scene();
  execFileSync('mknod', [join(at.workspace, 'zero'), 'c', '1', '5']);
  execFileSync('mknod', [join(at.workspace, 'block'), 'b', '7', '200']);
  const checkpoint = at.retake.json(at.workspace, 'checkpoint');
  expect(omitted(checkpoint)).toEqual(['block device', 'zero device']);
});

test.each(['.gitignore', '.gitattributes', '.env', '.gitmodules'])('[CAP-5] a FIFO named %s does not hang anything', (name) => {
  const at = repositoryScene();
  put(at.workspace, 'file', '1');
  fifo(at, name);
  const first = at.retake.json(at.workspace, 'checkpoint');
  expect(omitted(first)).toEqual([`${name} fifo`]);
  put(at.workspace, 'file', '2');
  at.retake.json(at.workspace, 'checkpoint');
  at.retake.json(at.workspace, 'rewind', first.id, '--yes');
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('2');
  expect(lstatSync(join(at.workspace, name)).isFIFO()).toBe(true);
});

test('[CAP-5] FIFOs in place of info/exclude and the global excludes do not hang a checkpoint', () => {
  const at = repositoryScene();
  put(at.workspace, 'file', '1');
  rmSync(join(at.workspace, '.git/info'), { recursive: true, force: true });
  execFileSync('mkdir', [join(at.workspace, '.git/info')]);
  fifo(at, '.git/info/exclude');
  fifo(at, '.git/info/attributes');
  const excludes = put(join(at.retake.home, '..'), '.config/git/placeholder', '');
  execFileSync('mkfifo', [excludes.replace('placeholder', 'ignore')]);
  expect(at.retake.json(at.workspace, 'checkpoint').status).toBe('complete');
});

test('[CAP-5] a path that could not be captured is not taken for absent: rewinding does not delete what stands there later', () => {
  const at = scene();
  put(at.workspace, 'file', '1');
  fifo(at, 'pipe');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  rmSync(join(at.workspace, 'pipe'));
  put(at.workspace, 'pipe', 'a file now');
  put(at.workspace, 'file', '2');
  const plan = at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(plan.kept.map(({ path }: { path: string }) => path)).toEqual(['pipe']);
  expect(readFileSync(join(at.workspace, 'pipe'), 'utf8')).toBe('a file now');
});

test('[RST-5] a FIFO where the target has a file is refused, and nothing is changed', () => {
  const at = scene();
  put(at.workspace, 'a', '1');
  put(at.workspace, 'b', '1');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'a', '2');
  rmSync(join(at.workspace, 'b'));
  fifo(at, 'b');
  const before = observeWorkspace(at.workspace);
  const run = at.retake.run(at.workspace, 'rewind', id, '--yes', '--json');
  expect(run.json.error?.code).toBe('in-the-way');
  expect(run.code).toBe(1);
  expect(observeWorkspace(at.workspace)).toEqual(before);
});

test('[CAP-5] a file over capture.maxFileBytes is listed, one of exactly that size is captured', () => {
  const at = scene({ RETAKE_CAPTURE_MAX_FILE_BYTES: '1000' });
  put(at.workspace, 'exact', Buffer.alloc(1000, 1));
  put(at.workspace, 'over', Buffer.alloc(1001, 1));
  put(at.workspace, 'sparse');
  truncateSync(join(at.workspace, 'sparse'), 2 ** 40);
  const first = at.retake.json(at.workspace, 'checkpoint');
  expect(first.status).toBe('partial');
  expect(omitted(first)).toEqual(['over too-large', 'sparse too-large']);

  rmSync(join(at.workspace, 'sparse'));
  put(at.workspace, 'over', Buffer.alloc(999, 2));
  const second = at.retake.json(at.workspace, 'checkpoint');
  expect(second.status).toBe('complete');
  // The target never held it, so it is not taken away.
  at.retake.json(at.workspace, 'rewind', first.id, '--yes');
  expect(readFileSync(join(at.workspace, 'over'))).toHaveLength(999);
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
});
