import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlayedSession } from '../conversation/played-session.ts';
import { forkScene } from '../forks/forked.ts';
import { gitIn } from '../support/git.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { commitAll, put, type Scene } from '../support/scene.ts';

/** A repository with one commit, and an agent's session that has begun in it. */
export const keepScene = async (
  files: Readonly<Record<string, string>> = { 'a.txt': 'one\ntwo\nthree\n' },
  { init = [], env, prepare }: { init?: readonly string[]; env?: Record<string, string>; prepare?: (at: Scene) => void } = {},
): Promise<{ at: Scene; session: PlayedSession }> => {
  const at = forkScene(env);
  gitIn(at.workspace, 'init', '-q', '-b', 'main', ...init);
  for (const [path, content] of Object.entries(files)) put(at.workspace, path, content);
  if (Object.keys(files).length > 0) commitAll(at.workspace, 'begin');
  prepare?.(at);
  const session = new PlayedSession(at);
  await session.start();
  return { at, session };
};

export const git = (at: Scene, ...args: string[]): string => gitIn(at.workspace, ...args);

export const status = (at: Scene): string[] =>
  git(at, 'status', '--porcelain', '-uall')
    .split('\n')
    .filter((line) => line !== '');

/** The messages of the commits since the first, oldest first. */
export const messages = (at: Scene, range = 'HEAD'): string[] =>
  git(at, 'log', '--reverse', '--format=%B%x00', range)
    .split('\0')
    .map((message) => message.trim())
    .filter((message) => message !== '');

export const headlines = (at: Scene): string[] => messages(at).map((message) => message.split('\n', 1)[0] ?? '');

export const committed = (at: Scene, path: string, commit = 'HEAD'): string => git(at, 'show', `${commit}:${path}`);

export const write = (at: Scene, path: string, content: string): void => {
  put(at.workspace, path, content);
};

export const read = (at: Scene, path: string): string | undefined =>
  existsSync(join(at.workspace, path)) ? readFileSync(join(at.workspace, path), 'utf8') : undefined;

/** One step of the agent's that writes a file. */
export const edit = (at: Scene, session: PlayedSession, path: string, content: string): Promise<void> =>
  session.step('Write', { file_path: join(at.workspace, path) }, () => write(at, path, content));

/** Of `a.txt` in the scene below. */
export const LINES = 'one\ntwo\nthree\nfour\nfive\n';

/** Two turns, of two steps and of one, all rolled back; and the state before that. */
export const rolledBackScene = async (firstPrompt = 'Change the first line') => {
  const { at, session } = await keepScene({ 'a.txt': LINES, 'b.txt': 'b\n' });
  await session.prompt(firstPrompt);
  await edit(at, session, 'a.txt', LINES.replace('one', 'ONE'));
  await edit(at, session, 'b.txt', 'agent\n');
  await session.answer('done');
  await session.prompt('Add c');
  await edit(at, session, 'c.txt', 'c\n');
  await session.answer('done');
  const full = observeWorkspace(at.workspace);
  at.retake.json(at.workspace, 'rewind', 't1', '--yes');
  return { at, session, full, back: observeWorkspace(at.workspace) };
};

export const hook = (at: Scene, name: string, script: string): void => {
  const hooks = git(at, 'rev-parse', '--git-path', 'hooks').trim();
  const directory = hooks.startsWith('/') ? hooks : join(at.workspace, hooks);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(directory, name), 0o755);
};

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
export const keep = (at: Scene, ...args: string[]): any => at.retake.json(at.workspace, 'keep', '--yes', ...args);

/** HEAD, every ref, the index as git lists it, and what is changed or untracked: what a refusal leaves as it was. */
export const gitState = (at: Scene): string[] => [
  git(at, 'symbolic-ref', '--quiet', 'HEAD').trim(),
  git(at, 'for-each-ref'),
  git(at, 'ls-files', '--stage', '-t'),
  git(at, 'status', '--porcelain=v2', '-uall'),
];

export const sound = (at: Scene): string => gitIn(at.workspace, 'fsck', '--no-dangling').trim();
