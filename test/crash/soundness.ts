import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type Oracle, observeDirectory, observeWorkspace } from '../support/oracle.ts';
import type { Arena } from './arena.ts';

const execute = promisify(execFile);

export interface LoggedOperation {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly name: string | null;
  readonly note: string | null;
  readonly pinned: boolean;
}

export const operationsIn = async (arena: Arena): Promise<LoggedOperation[]> => (await arena.json('log')).operations;

const stores = new WeakMap<Arena, string>();

export const storeOf = async (arena: Arena): Promise<string> => {
  const store = stores.get(arena) ?? ((await arena.json('status')).store as string);
  stores.set(arena, store);
  return store;
};

export const journalBeside = (store: string): string => join(dirname(store), 'journal.json');

/**
 * What holds after any kill and one more command: everything reported is there and intact, for us and for git; nothing
 * waits for somebody to clear it away (REL-2).
 */
export const assertSound = async (arena: Arena, reported: readonly string[]): Promise<LoggedOperation[]> => {
  const operations = await operationsIn(arena);
  const listed = operations.map(({ id }) => id);
  expect(listed, 'every reported checkpoint is listed').toEqual(expect.arrayContaining([...reported]));
  const check = await arena.json('check', '--full');
  expect(check.damage, 'retake check').toEqual([]);
  const store = await storeOf(arena);
  await assertGitAgrees(store, arena.env);
  expect(existsSync(journalBeside(store)), 'the journal is closed').toBe(false);
  expect(readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock'))).toEqual([]);
  return operations;
};

const assertGitAgrees = async (store: string, env: Readonly<Record<string, string>>): Promise<void> => {
  const git = (...args: string[]) => execute('git', ['--git-dir', store, ...args], { env });
  const [fsck, refs] = await Promise.all([git('fsck', '--full', '--strict'), git('for-each-ref', '--format=%(refname) %(objecttype)')]);
  expect(`${fsck.stdout}${fsck.stderr}`, 'git fsck').not.toMatch(/error|missing|bad sha1|broken|corrupt|garbage/i);
  expect(refs.stderr, 'git for-each-ref').toBe('');
  expect(refs.stdout).toMatch(/^(refs\/\S+ commit\n)*$/);
};

/** Nothing of the user's is touched by recording: neither the workspace nor any `.git` in it. */
export const observeAll = (arena: Arena): Oracle => observeDirectory(arena.workspace);

export const observe = (arena: Arena): Oracle => observeWorkspace(arena.workspace);

export const difference = (a: Oracle, b: Oracle): string[] =>
  [...new Set([...a.keys(), ...b.keys()])]
    .filter((path) => a.get(path) !== b.get(path))
    .map((path) => `${path}: ${a.get(path)} / ${b.get(path)}`);

export const expectSame = (found: Oracle, wanted: Oracle, what: string): void => {
  expect(difference(found, wanted), what).toEqual([]);
};
