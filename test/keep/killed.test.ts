import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Arena } from '../crash/arena.ts';
import { type Kill, killEverywhere } from '../crash/kill-points.ts';
import { Conversation } from '../daemon/claude-code.ts';
import { until } from '../daemon/support.ts';
import { BIN } from '../support/cli.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, dataOf, put } from '../support/scene.ts';
import { edit, git, hook, keepScene, read, write } from './kept.ts';

const LONG = 1_800_000;

const talk = new Conversation('s', '/not-looked-at');

/** Two turns; `intent` is a file that the person only means to add. */
const EVENTS = [
  talk.start(),
  talk.prompt('p1', 'first'),
  talk.before('t1'),
  'a=agent\n',
  'intent=agent\n',
  talk.after('t1'),
  talk.stop(),
  talk.prompt('p2', 'second'),
  talk.before('t2'),
  'b=agent\n',
  talk.after('t2'),
  talk.stop(),
];

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const headlines = ({ workspace }: Arena): string[] => lines(gitIn(workspace, 'log', '--reverse', '--format=%s'));
const staged = ({ workspace }: Arena): string[] => lines(gitIn(workspace, 'diff', '--cached', '--name-status'));
const status = ({ workspace }: Arena): string[] => lines(gitIn(workspace, 'status', '--porcelain'));

const prepare = async (arena: Arena): Promise<void> => {
  const { workspace } = arena;
  gitIn(workspace, 'init', '-q', '-b', 'main');
  for (const name of ['a', 'staged']) put(workspace, name, `${name}\n`);
  commitAll(workspace, 'begin');
  put(workspace, 'staged', 'mine\n');
  gitIn(workspace, 'add', 'staged');
  arena.program = 'recorder';
  const { ended } = await arena.trace(EVENTS);
  arena.program = 'faulty';
  expect(ended.code, ended.stderr).toBe(0);
  gitIn(workspace, 'add', '-N', 'intent');
};

/** What is left to commit after so many commits. */
const LEFT: readonly (readonly string[])[] = [[' M a', ' A intent', 'M  staged', '?? b'], ['M  staged', '?? b'], ['M  staged']];

const seen = new Set<number>();

const verify = async ({ arena }: Kill<void>): Promise<void> => {
  const made = headlines(arena).length - 1;
  seen.add(made);
  // Before anybody looks after it: at most, what was still to come is staged, and nothing is staged in reverse.
  const allowed = ['M\tstaged', ...(made < 2 ? ['A\tb'] : []), ...(made < 1 ? ['M\ta', 'A\tintent'] : [])];
  expect(allowed).toEqual(expect.arrayContaining(staged(arena)));
  const listed = await arena.json('log');
  expect(headlines(arena)).toHaveLength(made + 1);
  expect(status(arena)).toEqual(LEFT[made]);
  expect(listed.operations.filter(({ kind }: { kind: string }) => kind === 'keep')).toHaveLength(made > 0 ? 1 : 0);
  const rest = await arena.ask('keep', '--each', '--yes', '--json');
  expect(rest.code, rest.stdout).toBe(made === 2 ? 1 : 0);
  expect(headlines(arena)).toEqual(['begin', 'first', 'second']);
  expect(status(arena)).toEqual(LEFT[2]);
  expect(gitIn(arena.workspace, 'fsck', '--no-dangling')).toBe('');
};

/** Everything from the journal on, and now and then before it, where nothing of the user's is touched. */
const points = (effects: readonly string[]): number[] => {
  const journal = effects.findIndex((effect) => effect.endsWith('/keep.json'));
  return effects.map((_, index) => index + 1).filter((at) => at >= journal || at % 25 === 1);
};

test('[GIT-3] killed anywhere, the index never says the reverse of a commit, and the next start sorts it out', {
  timeout: LONG,
}, async () => {
  const kills = await killEverywhere({ name: 'keep --each', command: ['keep', '--each', '--yes'], prepare, points, verify });
  expect(kills).toBeGreaterThan(20);
  expect([...seen].sort()).toEqual([0, 1, 2]);
});

test('[GIT-3] a git that outlives us finishes its commit, and only then is it sorted out', { timeout: LONG }, async () => {
  const { at, session } = await keepScene();
  await session.prompt('work');
  await edit(at, session, 'a.txt', 'agent\n');
  hook(at, 'pre-commit', 'touch .git/begun; while [ ! -e .git/go-on ]; do sleep 0.05; done');
  const data = dataOf(at);
  const child = spawn(process.execPath, [join(BIN, '../../dist/cli.cjs'), 'keep', '--yes'], {
    cwd: at.workspace,
    env: at.retake.env,
    stdio: 'ignore',
  });
  await until(() => read(at, '.git/begun') !== undefined);
  // One that nobody has noted gets no message, and gives up.
  await until(() => readFileSync(join(data, 'keep.json'), 'utf8').includes('"git":'));
  // Who only looks does not wait for it.
  expect(at.retake.json(at.workspace, 'status').protected).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  // Others are not kept from their work by it.
  at.retake.json(at.workspace, 'checkpoint');
  expect(at.retake.run(at.workspace, 'keep', '--yes', '--json').json.error.code).toBe('git-busy');
  write(at, '.git/go-on', '');
  await until(() => git(at, 'rev-list', '--count', 'HEAD').trim() === '2');
  await until(() => at.retake.json(at.workspace, 'log').operations[0].kind === 'keep');
  expect(git(at, 'status', '--porcelain')).toBe('');
  expect(git(at, 'show', 'HEAD:a.txt')).toBe('agent\n');
  expect(readdirSync(dataOf(at)).filter((name) => /keep|draft|commit/.test(name))).toEqual([]);
});
