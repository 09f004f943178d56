import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { Workspace } from '../../src/engine/index.ts';
import { setClock } from '../../src/host/index.ts';
import { type Oracle, observeWorkspace } from '../support/oracle.ts';
import { fsck } from '../support/private-store.ts';
import { put, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A workspace in this process, with a data directory of its own. */
export const openWorkspace = async (directory = temporaryDirectory(), home = join(temporaryDirectory(), 'data')): Promise<Workspace> => {
  process.env.RETAKE_HOME = home;
  const workspace = await Workspace.open({ directory });
  onTestFinished(() => workspace.close());
  return workspace;
};

/** Runs at a time that is so much later: what was made before is so much older then. */
export const hoursLater = async <T>(hours: number, work: () => T): Promise<Awaited<T>> => {
  setClock(() => new Date(Date.now() + hours * 3_600_000));
  try {
    return await work();
  } finally {
    setClock(() => new Date());
  }
};

export const packsIn = (store: string): string[] =>
  readdirSync(join(store, 'objects/pack'))
    .filter((name) => name.endsWith('.pack'))
    .sort();

export const looseIn = (store: string): string[] =>
  readdirSync(join(store, 'objects'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /^[0-9a-f]{2}\/[0-9a-f]{38}$/.test(path))
    .map((path) => path.replace('/', ''));

/** What nobody should find in a store when no process works on it. */
export const straysIn = (data: string): string[] =>
  readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((path) => /(^|\/)(tmp_|\.tmp-)|\.lock$/.test(path));

/** An object that nothing refers to; old enough to go, unless told otherwise. */
export const makeGarbage = (store: string, content: string, { isOld = true } = {}): string => {
  const { stdout } = spawnSync('git', ['--git-dir', store, 'hash-object', '-w', '--stdin'], { input: content });
  const id = stdout.toString().trim();
  if (isOld) utimesSync(join(store, 'objects', id.slice(0, 2), id.slice(2)), 1_600_000_000, 1_600_000_000);
  return id;
};

export const has = (store: string, id: string): boolean => spawnSync('git', ['--git-dir', store, 'cat-file', '-e', id]).status === 0;

/** A PATH with a git that runs a script before or after it makes a pack; `$GIT` is the real one. */
export const meddlingGit = (script: { readonly before?: string; readonly after?: string }): string => {
  const directory = temporaryDirectory();
  const real = spawnSync('sh', ['-c', 'command -v git']).stdout.toString().trim();
  const wrapper = `#!/bin/bash
export GIT='${real}'
meddle() { unset GIT_OBJECT_DIRECTORY; PATH='${process.env.PATH}'; eval "$1"; }
case " $* " in
*" pack-objects "*)
  (meddle "$BEFORE") </dev/null >/dev/null 2>&1
  '${real}' "$@"; code=$?
  (meddle "$AFTER") </dev/null >/dev/null 2>&1
  exit $code ;;
*) exec '${real}' "$@" ;;
esac
`;
  const quoted = (text = ''): string => `'${text.replaceAll("'", "'\\''")}'`;
  const named = wrapper.replace('"$BEFORE"', () => quoted(script.before)).replace('"$AFTER"', () => quoted(script.after));
  writeFileSync(join(directory, 'git'), named);
  chmodSync(join(directory, 'git'), 0o755);
  return `${directory}:${process.env.PATH}`;
};

/** Plain git finds nothing wrong, and nothing is left that somebody would have to clear away. */
export const expectSoundStore = (store: string): void => {
  expect(fsck(store)).toEqual({ code: 0, alarms: [] });
  expect(straysIn(join(store, '..'))).toEqual([]);
};

export interface RecordedState {
  readonly id: string;
  readonly state: Oracle;
}

/** Writes a file, records it, and tells what the workspace was then. */
export const record = (at: Scene, path: string, content: string): RecordedState => {
  put(at.workspace, path, content);
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  return { id, state: observeWorkspace(at.workspace) };
};

export const expectRestores = (at: Scene, { id, state }: RecordedState): void => {
  at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(state);
};
