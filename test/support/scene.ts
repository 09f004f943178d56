import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { type Retake, retakeIn } from './cli.ts';
import { gitIn } from './git.ts';
import { type Oracle, type OracleOptions, observeDirectory, observeWorkspace } from './oracle.ts';
import { fsck } from './private-store.ts';
import { temporaryDirectory } from './temporary.ts';

export interface Scene {
  readonly workspace: string;
  readonly retake: Retake;
}

/** A workspace and a program with a data directory of its own, both empty. */
export const scene = (env: Record<string, string> = {}): Scene => ({
  workspace: temporaryDirectory(),
  retake: retakeIn(temporaryDirectory(), env),
});

/** The same, with an empty git repository in the workspace. */
export const repositoryScene = (env: Record<string, string> = {}, ...initOptions: string[]): Scene => {
  const made = scene(env);
  gitIn(made.workspace, 'init', '-q', '-b', 'main', ...initOptions);
  return made;
};

/** Writes a file, making the directories above it. */
export const put = (root: string, path: string, content: string | Buffer = '', mode?: number): string => {
  const absolute = join(root, path);
  mkdirSync(dirname(absolute), { recursive: true });
  writeFileSync(absolute, content);
  if (mode !== undefined) chmodSync(absolute, mode);
  return absolute;
};

export const commitAll = (repository: string, message = 'commit'): void => {
  gitIn(repository, 'add', '-A');
  gitIn(repository, 'commit', '-qm', message);
};

/** Every kind of harm to everything but `.git`: files emptied of meaning, removed, made executable; links gone; new files. */
export const wreck = (root: string, spare: (path: string) => boolean = () => false): void => {
  let turn = 0;
  const visit = (directory: Buffer, relative: string): void => {
    for (const name of readdirSync(directory, { encoding: 'latin1' }).sort()) {
      const path = relative === '' ? name : `${relative}/${name}`;
      if (name === '.git' || spare(path)) continue;
      const absolute = Buffer.concat([directory, Buffer.from(`/${name}`, 'latin1')]);
      const stat = lstatSync(absolute);
      if (stat.isDirectory()) {
        visit(absolute, path);
        if (readdirSync(absolute).length === 0) rmSync(absolute, { recursive: true });
      } else if (stat.isFile() && turn++ % 3 === 0) writeFileSync(absolute, `wrecked ${turn}`);
      else if (stat.isFile() && turn % 3 === 2) chmodSync(absolute, 0o777);
      else rmSync(absolute);
    }
  };
  visit(Buffer.from(root), '');
  put(root, 'made-by-wreck/deep/file', 'new');
};

export interface RoundTrip extends OracleOptions {
  /** What happens to the workspace after the checkpoint. */
  readonly change?: () => void;
  /** A repository that none of this may touch; its `.git` directory. */
  readonly git?: string;
}

/**
 * Checkpoint, harm, rewind, undo: each state must come back exactly, and the user's repository must not notice. Leaves the
 * harm done. Returns the checkpoint.
 */
// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
export const roundTrip = ({ workspace, retake }: Scene, options: RoundTrip = {}): any => {
  const before = observeWorkspace(workspace, options);
  const git = gitState(options.git);
  const checkpoint = retake.json(workspace, 'checkpoint');
  (options.change ?? (() => wreck(workspace, options.without)))();
  const after = observeWorkspace(workspace, options);
  expect(after, 'the change changed nothing').not.toEqual(before);
  retake.json(workspace, 'rewind', checkpoint.id, '--yes');
  expect(observeWorkspace(workspace, options)).toEqual(before);
  retake.json(workspace, 'undo', '--yes');
  expect(observeWorkspace(workspace, options)).toEqual(after);
  expect(gitState(options.git)).toEqual(git);
  expect(fsck(storeOf({ workspace, retake }))).toEqual({ code: 0, alarms: [] });
  return checkpoint;
};

const stores = new WeakMap<Retake, Map<string, string>>();

/** The store of a scene's workspace, asked for once. */
export const storeOf = ({ workspace, retake }: Scene): string => {
  const known = stores.get(retake) ?? new Map<string, string>();
  stores.set(retake, known);
  const store = known.get(workspace) ?? retake.store(workspace);
  known.set(workspace, store);
  return store;
};

/** The directory that holds everything about the workspace. */
export const dataOf = (at: Scene): string => dirname(storeOf(at));

/** Contents and times of everything in a `.git` directory. */
export const gitState = (directory: string | undefined): Oracle | undefined =>
  directory === undefined ? undefined : observeDirectory(directory, { mtimes: true });

/** Omissions as `path reason`. */
export const omitted = (checkpoint: { omissions: { path: string; reason: string }[] }): string[] =>
  checkpoint.omissions.map(({ path, reason }) => `${path} ${reason}`);

/** Steps of a plan as `type path`. */
export const steps = (plan: { operations: { type: string; path: string }[] }): string[] =>
  plan.operations.map(({ type, path }) => `${type} ${path}`);
