import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { retakeIn } from '../support/cli.ts';
import { gitIn } from '../support/git.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { fsck } from '../support/private-store.ts';
import { commitAll, gitState, put, repositoryScene, roundTrip, type Scene, storeOf, wreck } from '../support/scene.ts';
import { smallDisk, whyNoMount } from '../support/small-disk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A repository with three commits and files that are old enough for their stat data to be trusted. */
const history = (at: Scene): void => {
  for (const round of [1, 2, 3]) {
    for (let i = 0; i < 12; i++) put(at.workspace, `src/${i}/file`, `${i} ${round}\n${randomBytes(100).toString('hex')}\n`);
    commitAll(at.workspace, `round ${round}`);
  }
};

const packs = (store: string): string[] => readdirSync(join(store, 'objects/pack')).filter((name) => name.endsWith('.pack'));

/** Everything must still be there although the user's repository lost it. */
const expectIndependent = (at: Scene, harm: () => void): void => {
  const before = observeWorkspace(at.workspace);
  const git = gitState(join(at.workspace, '.git'));
  const { id, status } = at.retake.json(at.workspace, 'checkpoint');
  expect(status).toBe('complete');
  expect(gitState(join(at.workspace, '.git'))).toEqual(git);
  harm();
  expect(at.retake.json(at.workspace, 'check', '--full')).toMatchObject({ damage: [] });
  wreck(at.workspace);
  const after = observeWorkspace(at.workspace);
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(before);
  at.retake.json(at.workspace, 'gc');
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(after);
  expect(at.retake.json(at.workspace, 'check', '--full')).toMatchObject({ damage: [] });
};

test('[STO-2] a packed repository: its packs are linked, and the user may prune everything', () => {
  const at = repositoryScene();
  history(at);
  gitIn(at.workspace, 'gc', '-q');
  expectIndependent(at, () => {
    expect(packs(storeOf(at)).length).toBeGreaterThan(0);
    gitIn(at.workspace, 'update-ref', '-d', 'HEAD');
    gitIn(at.workspace, 'rm', '-rq', '--cached', '.');
    gitIn(at.workspace, 'reflog', 'expire', '--expire=now', '--all');
    gitIn(at.workspace, 'gc', '-q', '--prune=now');
  });
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
});

test("[STO-2] after seeding the user's .git may be deleted altogether", () => {
  const at = repositoryScene();
  history(at);
  gitIn(at.workspace, 'repack', '-adq');
  expectIndependent(at, () => rmSync(join(at.workspace, '.git'), { recursive: true }));
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
});

test('[STO-2] a repository with loose objects only', () => {
  const at = repositoryScene();
  history(at);
  expect(packs(join(at.workspace, '.git'))).toEqual([]);
  expectIndependent(at, () => rmSync(join(at.workspace, '.git'), { recursive: true }));
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
});

test('[STO-1] [STO-2] a repository half packed and half loose leaves nothing for fsck to say', () => {
  const at = repositoryScene();
  history(at);
  gitIn(at.workspace, 'repack', '-adq');
  put(at.workspace, 'src/0/file', 'newer');
  commitAll(at.workspace);
  // Packed alone: a commit whose tree stays loose.
  const commit = gitIn(at.workspace, 'rev-parse', 'HEAD').trim();
  gitIn(at.workspace, '-c', 'pack.packSizeLimit=0', 'repack', '-q');
  expect(commit).toHaveLength(40);
  roundTrip(at, { git: join(at.workspace, '.git') });
});

test('[STO-2] a shallow clone', () => {
  const source = repositoryScene();
  history(source);
  const at = repositoryScene();
  rmSync(at.workspace, { recursive: true });
  gitIn('/', 'clone', '-q', '--depth', '1', `file://${source.workspace}`, at.workspace);
  expect(existsSync(join(at.workspace, '.git/shallow'))).toBe(true);
  expectIndependent(at, () => rmSync(join(at.workspace, '.git'), { recursive: true }));
});

test('[STO-1] [STO-2] fsck has nothing to say about the store of a shallow clone', () => {
  const source = repositoryScene();
  history(source);
  const at = repositoryScene();
  rmSync(at.workspace, { recursive: true });
  gitIn('/', 'clone', '-q', '--depth', '1', `file://${source.workspace}`, at.workspace);
  at.retake.json(at.workspace, 'checkpoint');
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
});

test('[STO-2] a clone that borrows its objects from another repository', () => {
  const source = repositoryScene();
  history(source);
  gitIn(source.workspace, 'repack', '-adq');
  const at = repositoryScene();
  rmSync(at.workspace, { recursive: true });
  gitIn('/', 'clone', '-q', '--shared', source.workspace, at.workspace);
  expectIndependent(at, () => {
    rmSync(source.workspace, { recursive: true });
    rmSync(join(at.workspace, '.git'), { recursive: true });
  });
  expect(existsSync(join(storeOf(at), 'objects/info/alternates'))).toBe(false);
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
});

test("[CAP-10] linking does not change the user's objects: modes, times and contents stay", () => {
  const at = repositoryScene();
  history(at);
  gitIn(at.workspace, 'repack', '-adq');
  const git = gitState(join(at.workspace, '.git'));
  at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'src/1/file', 'changed');
  at.retake.json(at.workspace, 'checkpoint');
  at.retake.json(at.workspace, 'gc');
  at.retake.json(at.workspace, 'check', '--full');
  expect(gitState(join(at.workspace, '.git'))).toEqual(git);
  gitIn(at.workspace, 'fsck', '--full', '--strict');
});

test.skipIf(whyNoMount !== undefined)(`[STO-2] a store on another file system ${whyNoMount === undefined ? '' : `(${whyNoMount})`}`, () => {
  const disk = smallDisk(64 << 20);
  const { workspace } = repositoryScene();
  const at = { workspace, retake: retakeIn(temporaryDirectory(), { RETAKE_HOME: join(disk, 'retake') }) };
  history(at);
  gitIn(workspace, 'repack', '-adq');
  expect(statSync(disk).dev).not.toBe(statSync(workspace).dev);
  expectIndependent(at, () => rmSync(join(workspace, '.git'), { recursive: true }));
  expect(fsck(storeOf(at))).toEqual({ code: 0, alarms: [] });
});

test('[STO-2] a corrupt object in the linked pack is not trusted when the file on disk is fine', () => {
  const at = repositoryScene();
  history(at);
  const path = 'src/3/file';
  const id = gitIn(at.workspace, 'rev-parse', `HEAD:${path}`).trim();
  const loose = join(at.workspace, '.git/objects', id.slice(0, 2), id.slice(2));
  rmSync(loose);
  const checkpoint = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, path, 'changed');
  at.retake.json(at.workspace, 'rewind', checkpoint.id, '--yes');
  expect(readFileSync(join(at.workspace, path), 'utf8')).toMatch(/^3 3\n/);
});
