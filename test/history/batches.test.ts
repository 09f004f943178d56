import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { until } from '../daemon/support.ts';
import { edit, git, headlines, keep, messages, read, sound, status, write } from '../keep/kept.ts';
import type { Scene } from '../support/scene.ts';
import { branchScene, commits } from './branch-mode.ts';

const batched = (batch: Record<string, string>) => branchScene(undefined, { env: batch });

const TURNS = { RETAKE_HISTORY_BATCH: 'turn' };
const HOURLY = { RETAKE_HISTORY_BATCH: 'interval', RETAKE_HISTORY_BATCH_SECONDS: '3600' };

const filesOf = (at: Scene, commit = 'HEAD'): string[] => git(at, 'show', '--format=', '--name-only', commit).trim().split('\n');

test.each([
  ['without a daemon', 'false'],
  ['by the daemon', 'true'],
])('[GIT-1] with history.batch at turn, a turn is one commit that is called by its prompt, %s', async (_, daemon) => {
  const { at, session } = await batched({ ...TURNS, RETAKE_DAEMON_ENABLED: daemon });
  await session.prompt('Add two files');
  await edit(at, session, 'b.txt', 'b\n');
  await edit(at, session, 'c.txt', 'c\n');
  expect(headlines(at)).toEqual(['begin']);
  await session.answer('done');
  await commits(at, 2);
  await session.prompt('Nothing');
  await session.answer('done');
  await session.prompt('And one more');
  await edit(at, session, 'd.txt', 'd\n');
  await session.answer('done');
  await commits(at, 3);
  expect(headlines(at)).toEqual(['begin', 'Add two files', 'And one more']);
  expect([filesOf(at, 'HEAD~1'), filesOf(at)]).toEqual([['b.txt', 'c.txt'], ['d.txt']]);
  expect(messages(at)[1]?.match(/^Tool-Use-Id: /gm)).toHaveLength(2);
  at.retake.json(at.workspace, 'rewind', 't3', '--yes');
  expect([headlines(at), status(at)]).toEqual([['begin', 'Add two files'], []]);
  at.retake.json(at.workspace, 'rewind', 't1', '--yes');
  expect([headlines(at), status(at), sound(at)]).toEqual([['begin'], [], '']);
});

test('[GIT-1] a turn that was cut short is committed with the next prompt, and a rewind within a turn leaves the branch alone', async () => {
  const { at, session } = await batched(TURNS);
  await session.prompt('first');
  await edit(at, session, 'b.txt', 'b\n');
  await session.prompt('second');
  await commits(at, 2);
  await edit(at, session, 'c.txt', 'c\n');
  const head = git(at, 'rev-parse', 'HEAD');
  expect(at.retake.json(at.workspace, 'rewind', 't2', '--yes').git).toBeNull();
  expect([git(at, 'rev-parse', 'HEAD'), read(at, 'c.txt'), status(at)]).toEqual([head, undefined, []]);
  await edit(at, session, 'd.txt', 'd\n');
  await session.answer('done');
  await commits(at, 3);
  expect([headlines(at).at(-1), filesOf(at)]).toEqual(['second', ['d.txt']]);
});

test('[GIT-1] with history.batch at interval, steps wait for others: the end of the session ends that, and keep takes them', async () => {
  const { at, session } = await batched(HOURLY);
  await session.prompt('work');
  await edit(at, session, 'b.txt', 'b\n');
  await session.answer('done');
  await session.prompt('more');
  await edit(at, session, 'c.txt', 'c\n');
  expect(headlines(at)).toEqual(['begin']);
  await session.end();
  await commits(at, 2);
  expect([headlines(at)[1], filesOf(at)]).toEqual(['Claude Code [Write]: Write c.txt', ['b.txt', 'c.txt']]);
  await session.start();
  await session.prompt('again');
  await edit(at, session, 'd.txt', 'd\n');
  keep(at);
  expect([headlines(at), status(at)]).toEqual([['begin', 'work'], []]);
});

test('[GIT-1] the daemon commits when the interval is over, or when it ends', async () => {
  const { at, session } = await batched({ RETAKE_DAEMON_ENABLED: 'true', ...HOURLY, RETAKE_HISTORY_BATCH_SECONDS: '1' });
  await session.prompt('work');
  await edit(at, session, 'b.txt', 'b\n');
  await commits(at, 2);
  at.retake.json(at.workspace, 'daemon', 'stop');
  Object.assign(at.retake.env, HOURLY);
  await edit(at, session, 'c.txt', 'c\n');
  await edit(at, session, 'd.txt', 'd\n');
  expect(headlines(at)).toHaveLength(2);
  at.retake.json(at.workspace, 'daemon', 'stop');
  expect([headlines(at).length, filesOf(at)]).toEqual([3, ['c.txt', 'd.txt']]);
});

test('[GIT-1] a batch that is none is refused', async () => {
  const { at } = await branchScene();
  const refused = at.retake.run(at.workspace, 'settings', 'history.batch', 'day', '--json');
  expect([refused.code, refused.json.error.message]).toEqual([1, expect.stringContaining('"step" or "turn" or "interval"')]);
  expect(at.retake.run(at.workspace, 'settings', 'history.batchSeconds', '0', '--json').json.error.code).toBe('bad-setting');
  expect(at.retake.json(at.workspace, 'settings', 'history.batch', 'turn')).toMatchObject({ value: 'turn' });
});

/** Filters of git run for commits of steps: one that waits for a file holds such a commit up. */
const heldUp = async (env: Record<string, string> = {}) => {
  const scene = await branchScene(
    { 'a.txt': 'one\n', '.gitattributes': 'slow*.txt filter=slow\n' },
    {
      env: { RETAKE_DAEMON_ENABLED: 'true', ...env },
      prepare: (at) => git(at, 'config', 'filter.slow.clean', `until test -e '${at.workspace}/.git/go'; do sleep 0.05; done; cat`),
    },
  );
  const { at, session } = scene;
  await session.prompt('work');
  await edit(at, session, 'slow.txt', 'slow\n');
  return { ...scene, release: () => write(at, '.git/go', '') };
};

const stepsIn = (at: Scene): string[] =>
  at.retake
    .json(at.workspace, 'log')
    .operations.filter(({ kind }: { kind: string }) => kind === 'after-step' || kind === 'keep' || kind === 'rollback')
    .map(({ kind, description }: { kind: string; description: string }) => (kind === 'after-step' ? description : kind))
    .reverse();

test('[GIT-1] hooks are answered and recorded while a commit is made; the commits follow in order', async () => {
  const { at, session, release } = await heldUp();
  await edit(at, session, 'b.txt', 'b\n');
  await session.answer('done');
  await session.prompt('more');
  await edit(at, session, 'c.txt', 'c\n');
  expect(headlines(at)).toEqual(['begin']);
  expect(stepsIn(at)).toEqual(['Write slow.txt', 'Write b.txt', 'Write c.txt']);
  release();
  await commits(at, 4);
  expect(headlines(at).slice(1)).toEqual(['slow.txt', 'b.txt', 'c.txt'].map((path) => `Claude Code [Write]: Write ${path}`));
  expect(['HEAD~2', 'HEAD~1', 'HEAD'].map((commit) => filesOf(at, commit))).toEqual([['slow.txt'], ['b.txt'], ['c.txt']]);
  expect([status(at), sound(at)]).toEqual([[], '']);
});

test('[GIT-1] a rewind lets pending commits finish, so that the branch goes back with the files and undo brings both again', async () => {
  const { at, session } = await heldUp();
  await edit(at, session, 'b.txt', 'b\n');
  spawn('sh', ['-c', `sleep 0.3; touch '${at.workspace}/.git/go'`]);
  expect(at.retake.json(at.workspace, 'rewind', 't1', '--yes').git).toMatchObject({ commitsLeftBehind: 2 });
  expect([headlines(at), status(at)]).toEqual([['begin'], []]);
  expect(stepsIn(at)).toEqual(['Write slow.txt', 'Write b.txt', 'keep', 'keep', 'rollback']);
  at.retake.json(at.workspace, 'undo', '--yes');
  expect([headlines(at).length, status(at), sound(at)]).toEqual([3, [], '']);
});

test('[GIT-1] a commit that somebody overtakes with one of their own is made on top of that', async () => {
  const { at, release } = await heldUp();
  // It is held up with what it read before.
  await sleep(500);
  write(at, 'own.txt', 'own\n');
  git(at, 'add', 'own.txt');
  git(at, 'commit', '-q', '-m', 'own');
  release();
  await commits(at, 3);
  expect(headlines(at)).toEqual(['begin', 'own', 'Claude Code [Write]: Write slow.txt']);
  expect([filesOf(at), status(at)]).toEqual([['slow.txt'], []]);
});

test('[GIT-1] commits that a killed daemon did not make are made by the next one, once and in order', async () => {
  const { at, session, release } = await heldUp();
  await edit(at, session, 'b.txt', 'b\n');
  const { pid } = at.retake.json(at.workspace, 'daemon', 'status');
  process.kill(pid, 'SIGKILL');
  release();
  await until(() => git(at, 'status', '--porcelain') !== '');
  await edit(at, session, 'c.txt', 'c\n');
  await commits(at, 4);
  expect(headlines(at).slice(1)).toEqual(['slow.txt', 'b.txt', 'c.txt'].map((path) => `Claude Code [Write]: Write ${path}`));
  expect([status(at), sound(at)]).toEqual([[], '']);
});

test('[GIT-1] they are made as soon as the next daemon looks after the workspace, also when that session never goes on', async () => {
  const { at, release } = await heldUp();
  process.kill(at.retake.json(at.workspace, 'daemon', 'status').pid, 'SIGKILL');
  release();
  await new PlayedSession(at).start();
  await commits(at, 2);
  expect([headlines(at)[1], filesOf(at), status(at)]).toEqual(['Claude Code [Write]: Write slow.txt', ['slow.txt'], []]);
});
