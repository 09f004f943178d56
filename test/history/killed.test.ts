import { expect, test } from 'vitest';
import type { Arena } from '../crash/arena.ts';
import { type Kill, killEverywhere } from '../crash/kill-points.ts';
import { Conversation } from '../daemon/claude-code.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, put } from '../support/scene.ts';

const LONG = 1_800_000;

const env = { RETAKE_HISTORY_MODE: 'branch' };

const talk = new Conversation('s', '/not-looked-at');

const stepOf = (id: string, ...files: string[]): string[] => [talk.before(id), ...files, talk.after(id)];

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const headlines = ({ workspace }: Arena): string[] => lines(gitIn(workspace, 'log', '--reverse', '--format=%s'));
const status = ({ workspace }: Arena): string[] => lines(gitIn(workspace, 'status', '--porcelain'));
const changed = ({ workspace }: Arena, commit = 'HEAD'): string[] => lines(gitIn(workspace, 'show', '--format=', '--name-only', commit));

/** Records as the daemon does, and commits. */
const record = async (arena: Arena, ...events: string[]): Promise<void> => {
  arena.program = 'recorder';
  const { ended } = await arena.trace(events);
  arena.program = 'faulty';
  expect(ended.code, ended.stderr).toBe(0);
};

const begin = async (arena: Arena, ...events: string[]): Promise<void> => {
  const { workspace } = arena;
  gitIn(workspace, 'init', '-q', '-b', 'main');
  for (const name of ['a', 'staged']) put(workspace, name, `${name}\n`);
  commitAll(workspace, 'begin');
  put(workspace, 'staged', 'mine\n');
  gitIn(workspace, 'add', 'staged');
  await record(arena, talk.start(), talk.prompt('p1', 'first'), ...events);
};

/** From the journal on: before it nothing of the user's is touched. */
const points = (effects: readonly string[]): number[] => {
  const journal = effects.findIndex((effect) => effect.endsWith('/keep.json'));
  return effects.map((_, index) => index + 1).filter((at) => at >= journal);
};

const sound = ({ workspace }: Arena): string => gitIn(workspace, 'fsck', '--no-dangling');

test('[GIT-1] killed while a step is committed, it is committed once, now or before the next one', { timeout: LONG }, async () => {
  const seen = new Set<number>();
  const prepare = async (arena: Arena): Promise<void> => {
    await begin(arena);
    arena.program = 'recorder';
  };
  const verify = async ({ arena }: Kill<void>): Promise<void> => {
    arena.program = 'faulty';
    const { operations } = await arena.json('log');
    const made = headlines(arena).length - 1;
    seen.add(made);
    expect(operations.filter(({ kind }: { kind: string }) => kind === 'keep')).toHaveLength(made);
    expect(status(arena)).toEqual([...(made === 0 ? [' M a'] : []), 'M  staged']);
    await record(arena, ...stepOf('t2', 'b=agent\n'));
    expect(headlines(arena)).toHaveLength(3);
    expect([changed(arena, 'HEAD~1'), changed(arena)]).toEqual([['a'], ['b']]);
    expect([status(arena), sound(arena)]).toEqual([['M  staged'], '']);
    arena.program = 'recorder';
  };
  const kills = await killEverywhere({ name: 'a step', command: stepOf('t1', 'a=agent\n'), env, prepare, points, verify });
  expect(kills).toBeGreaterThan(5);
  expect([...seen].sort()).toEqual([0, 1]);
});

test('[GIT-1] killed while commits of steps are made one, they are there as before or as one', { timeout: LONG }, async () => {
  const seen = new Set<number>();
  const prepare = (arena: Arena): Promise<void> => begin(arena, ...stepOf('t1', 'a=agent\n'), ...stepOf('t2', 'b=agent\n'));
  const verify = async ({ arena }: Kill<void>): Promise<void> => {
    await arena.json('log');
    const before = headlines(arena).length;
    seen.add(before);
    expect([status(arena), sound(arena)]).toEqual([['M  staged'], '']);
    const rest = await arena.ask('keep', '--yes', '--json');
    // Where it is one already, there is nothing to keep.
    expect(rest.code, rest.stdout).toBe(before === 2 ? 1 : 0);
    expect(headlines(arena)).toEqual(['begin', 'first']);
    expect(changed(arena)).toEqual(['a', 'b']);
    expect([status(arena), sound(arena)]).toEqual([['M  staged'], '']);
  };
  const kills = await killEverywhere({ name: 'keep of steps', command: ['keep', '--yes'], env, prepare, points, verify });
  expect(kills).toBeGreaterThan(5);
  expect([...seen].sort()).toEqual([2, 3]);
});
