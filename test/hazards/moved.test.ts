import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createCheckpoint, storedPlaces, Workspace } from '../../src/engine/index.ts';
import { BIN, type Retake, retakeIn } from '../support/cli.ts';
import { gitIn } from '../support/git.ts';
import { expectRefusal } from '../support/refusal.ts';
import { commitAll, put, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const below = (name: string, base = temporaryDirectory(), retake: Retake = retakeIn(temporaryDirectory())): Scene & { base: string } => {
  mkdirSync(join(base, name), { recursive: true });
  return { base, workspace: join(base, name), retake };
};

const names = ({ retake, workspace }: Scene): (string | null)[] =>
  retake.json(workspace, 'log').operations.map(({ name }: { name: string | null }) => name);

const offered = ({ retake, workspace }: Scene): string[] =>
  retake.json(workspace, 'status').adoptable.map(({ because }: { because: string }) => because);

/** One checkpoint of a directory that is called otherwise then. */
const moved = () => {
  const old = below('old');
  put(old.workspace, 'file', '1');
  old.retake.json(old.workspace, 'checkpoint', '--name', 'one');
  const at = { ...old, workspace: join(old.base, 'new') };
  renameSync(old.workspace, at.workspace);
  return { old, at };
};

test('[STO-1] a workspace that was moved says where its records are, and goes on from them when it adopts them', () => {
  const { old, at } = moved();
  expect(names(at)).toEqual([]);
  expect(offered(at)).toEqual(['moved']);
  for (const verb of ['status', 'log']) {
    const { stdout, stderr } = at.retake.run(at.workspace, verb);
    expect(stdout + stderr, verb).toContain(old.workspace);
    expect(stdout + stderr, verb).toContain('retake adopt');
  }
  put(at.workspace, 'file', '2');
  expect(at.retake.json(at.workspace, 'adopt')).toMatchObject({ root: old.workspace, because: 'moved', checkpoints: 1, setAside: null });
  expect(names(at)).toEqual(['one']);
  at.retake.json(at.workspace, 'rewind', 'one', '--yes');
  expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('1');
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('2');
  expect(at.retake.json(at.workspace, 'check', '--full').damage).toEqual([]);
  expect(offered(at)).toEqual([]);
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['adopt'], 'unknown-id');
});

test('[STO-1] another directory at the old place inherits nothing, before and after, and may go on from it if it is told to', () => {
  const { old, at } = moved();
  put(old.workspace, 'other', '1');
  expect(names(old)).toEqual([]);
  expect(offered(old)).toEqual(['replaced']);
  old.retake.json(old.workspace, 'checkpoint', '--name', 'other');
  expect(names(old)).toEqual(['other']);
  expect(offered(old)).toEqual([]);
  expect(names(at)).toEqual([]);
  at.retake.json(at.workspace, 'adopt');
  expect(names(at)).toEqual(['one']);
  expect(names(old)).toEqual(['other']);
  // A third one, made where the second was deleted.
  rmSync(old.workspace, { recursive: true });
  mkdirSync(old.workspace);
  expect(names(old)).toEqual([]);
  expectRefusal((...args) => old.retake.run(old.workspace, ...args), ['adopt'], 'needs-confirmation');
  old.retake.json(old.workspace, 'adopt', '--yes');
  old.retake.json(old.workspace, 'rewind', 'other', '--yes');
  expect(existsSync(join(old.workspace, 'other'))).toBe(true);
});

test('[STO-1] what was recorded here in between is set aside, and can be adopted again', () => {
  const { at } = moved();
  at.retake.json(at.workspace, 'checkpoint', '--name', 'in between');
  expect(offered(at)).toEqual(['moved']);
  expectRefusal((...args) => at.retake.run(at.workspace, ...args), ['adopt'], 'needs-confirmation');
  const { setAside } = at.retake.json(at.workspace, 'adopt', '--yes');
  expect(names(at)).toEqual(['one']);
  expect(offered(at)).toEqual([]);
  expect(existsSync(join(setAside, 'store.git'))).toBe(true);
  at.retake.json(at.workspace, 'adopt', setAside.slice(setAside.lastIndexOf('/') + 1), '--yes');
  expect(names(at)).toEqual(['in between']);
  expect(at.retake.json(at.workspace, 'adopt', '--dry-run').adoptable).toMatchObject([{ because: 'set-aside', checkpoints: 1 }]);
});

test('[STO-1] a clone in the place of a deleted one is the same project, also somewhere else; a repository of another project is none', () => {
  const source = below('source');
  gitIn(source.workspace, 'init', '-q', '-b', 'main');
  put(source.workspace, 'file', '1');
  commitAll(source.workspace, 'first');
  const at = below('clone', source.base, source.retake);
  const clone = (directory: string): void => {
    rmSync(directory, { recursive: true, force: true });
    gitIn(source.base, 'clone', '-q', source.workspace, directory);
  };
  clone(at.workspace);
  at.retake.json(at.workspace, 'checkpoint', '--name', 'one');
  clone(at.workspace);
  expect(names(at)).toEqual(['one']);
  at.retake.json(at.workspace, 'checkpoint', '--name', 'two');
  expect(names(at)).toEqual(['two', 'one']);

  const elsewhere = { ...at, workspace: join(at.base, 'elsewhere') };
  clone(elsewhere.workspace);
  expect(offered(elsewhere)).toEqual([]);
  rmSync(at.workspace, { recursive: true });
  expect(offered(elsewhere)).toEqual(['same-repository']);

  mkdirSync(at.workspace);
  gitIn(at.workspace, 'init', '-q', '-b', 'main');
  put(at.workspace, 'file', 'of another project');
  commitAll(at.workspace, 'another first');
  expect(names(at)).toEqual([]);
});

test('[STO-1] records and directory brought back together from a backup belong together', () => {
  const at = below('project');
  put(at.workspace, 'file', '1');
  at.retake.json(at.workspace, 'checkpoint', '--name', 'one');
  for (const path of [at.workspace, at.retake.home]) {
    cpSync(path, `${path}-backup`, { recursive: true });
    rmSync(path, { recursive: true });
    cpSync(`${path}-backup`, path, { recursive: true });
  }
  expect(names(at)).toEqual(['one']);
  at.retake.json(at.workspace, 'checkpoint', '--name', 'two');
  // From then on they are told apart again.
  renameSync(at.workspace, `${at.workspace}-moved`);
  mkdirSync(at.workspace);
  expect(names(at)).toEqual([]);
});

test('[STO-1] [REL-1] nobody records another directory in the records of the one before it, and nothing begun there is ended here', async () => {
  const { old, at } = moved();
  put(old.workspace, 'other', '1');
  process.env.RETAKE_HOME = at.retake.home;
  const [place] = storedPlaces();
  if (place === undefined) throw new Error('no records');
  const workspace = await Workspace.openAt(place, {});
  try {
    await expect(createCheckpoint(workspace, {})).rejects.toMatchObject({ code: 'workspace-missing' });
  } finally {
    workspace.close();
  }
  expect(dirname(place.data)).toBe(join(at.retake.home, 'workspaces'));
  expect(names(old)).toEqual([]);
});

test('[STO-1] of several records the one that is meant has to be named', () => {
  const { old, at } = moved();
  const second = below('second', old.base, old.retake);
  put(second.workspace, 'file', '2');
  second.retake.json(second.workspace, 'checkpoint', '--name', 'of the second');
  rmSync(second.workspace, { recursive: true });
  renameSync(at.workspace, second.workspace);
  expect(offered(second)).toEqual(['moved', 'replaced']);
  second.retake.json(second.workspace, 'adopt', second.workspace, '--yes');
  expect(names(second)).toEqual(['of the second']);
  expect(offered(second)).toEqual(['moved']);
  second.retake.json(second.workspace, 'adopt', old.workspace, '--yes');
  expect(names(second)).toEqual(['one']);
});

test('[STO-1] [CAP-8] [REL-6] a name that is not UTF-8 is found again, and what is written of a directory may be damaged', () => {
  const at = below('now');
  const named = Buffer.from(`${at.base}/b\xffd`, 'latin1');
  put(at.workspace, 'file', '1');
  renameSync(at.workspace, named);
  execFileSync('sh', ['-c', `cd "$(printf 'b\\377d')" && "${BIN}" checkpoint --name one`], {
    cwd: at.base,
    env: at.retake.env,
    stdio: 'ignore',
  });
  renameSync(named, at.workspace);
  expect(offered(at)).toEqual(['moved']);
  const { data } = at.retake.json(at.workspace, 'adopt');
  const written = JSON.parse(readFileSync(join(data, 'workspace.json'), 'utf8'));
  for (const harm of [{ directory: null }, { directory: { inode: 5 } }, { data: 7 }, { directory: [], firstCommit: {} }]) {
    writeFileSync(join(data, 'workspace.json'), JSON.stringify({ ...written, ...harm }));
    expect(names(at)).toEqual(['one']);
  }
});
