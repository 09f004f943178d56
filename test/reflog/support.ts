import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject } from 'vitest';
import { gitIn } from '../support/git.ts';
import { commitAll, put, repositoryScene, type Scene } from '../support/scene.ts';

export const DAY = 86_400;

export const secondsAgo = (seconds: number): number => Math.floor(Date.now() / 1000) - Math.round(seconds);

export const NOBODY = '0'.repeat(40);

export interface Line {
  readonly from: string;
  readonly to: string;
  /** Seconds since 1970. */
  readonly at: number;
  readonly note: string;
}

export const lineText = ({ from, to, at, note }: Line): string => `${from} ${to} Test <test@example.invalid> ${at} +0000\t${note}\n`;

export const logFile = (repository: string, ref: string): string => join(repository, '.git/logs', ref);

/** Replaces a log by these lines. */
export const writeLog = (repository: string, ref: string, lines: readonly Line[]): void => {
  mkdirSync(dirname(logFile(repository, ref)), { recursive: true });
  writeFileSync(logFile(repository, ref), lines.map(lineText).join(''));
};

export const addToLog = (repository: string, ref: string, text: string | Buffer): void => appendFileSync(logFile(repository, ref), text);

/** Commits a change and returns the commit's id. */
export const commitFile = (repository: string, name: string, message = name): string => {
  put(repository, name, name);
  commitAll(repository, message);
  return head(repository);
};

export const head = (repository: string, revision = 'HEAD'): string => gitIn(repository, 'rev-parse', revision).trim();

/** A repository with the commits `one`, `two` and `three`, the last of them left behind. */
export const resetScene = (): Scene & { readonly one: string; readonly two: string; readonly three: string } => {
  const at = repositoryScene();
  const [one, two, three] = ['one', 'two', 'three'].map((name) => commitFile(at.workspace, name)) as [string, string, string];
  gitIn(at.workspace, 'reset', '-q', '--hard', 'HEAD~1');
  return { ...at, one, two, three };
};

/** An agent's session starts, as its hook tells of it. */
export const startSession = async (at: Scene, session: string): Promise<void> => {
  const { recorder } = inject('programs');
  const payload = JSON.stringify({ hook_event_name: 'SessionStart', session_id: session, cwd: at.workspace, source: 'startup' });
  const { status, stderr } = spawnSync(process.execPath, [recorder, payload, 'settle'], {
    cwd: at.workspace,
    env: at.retake.env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
};

/** Drops every entry, as impatient settings would. */
export const dropEntries = (repository: string): void => {
  gitIn(repository, 'reflog', 'expire', '--expire=now', '--all');
};

/** And the commits that nothing leads to. */
export const dropCommits = (repository: string): void => {
  dropEntries(repository);
  gitIn(repository, 'gc', '-q', '--prune=now');
};
