import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fsck } from '../support/private-store.ts';
import { put, type Scene } from '../support/scene.ts';
import { Conversation, contentAt, operationsOf } from './claude-code.ts';
import { expectAllOnce, startStream } from './streams.ts';
import {
  daemonScene,
  daemonsOf,
  isAlive,
  PATIENT,
  promptPayload,
  readAddress,
  runHook,
  SILENT,
  spooled,
  startDaemon,
  status,
  troubles,
  until,
} from './support.ts';

const killDaemon = async (at: Scene): Promise<void> => {
  const { pid } = readAddress(at);
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid));
};

test('[REL-2] [STO-1] the daemon is killed the instant after a hook was answered: everything is there, once', async () => {
  const at = daemonScene(PATIENT);
  const talk = new Conversation('s', at.workspace);
  await runHook(at, talk.prompt('p', 'Step0'));
  for (let number = 1; number <= 6; number++) {
    put(at.workspace, 'file', `${number}`);
    expect(await runHook(at, talk.after(`t${number}`, `Step${number}`))).toEqual(SILENT);
    // It has not put it in its place yet, as likely as not.
    await killDaemon(at);
  }
  const operations = operationsOf(at);
  expect(operations.map(({ description }) => description)).toEqual([0, 1, 2, 3, 4, 5, 6].map((number) => `Step${number}`));
  for (const [number, { id }] of operations.entries()) if (number > 0) expect(contentAt(at, id, 'file')).toBe(`${number}`);
  expect(fsck(at.retake.store(at.workspace))).toEqual({ code: 0, alarms: [] });
  expect(troubles(at)).toEqual([]);
});

test('[REL-2] [REL-4] the daemon is killed again and again while events stream in: each is there once, in order', async () => {
  const at = daemonScene();
  await startDaemon(at);
  const sessions = ['a', 'b', 'c', 'd'];
  const streams = sessions.map((session) => startStream(at, session, 60));
  const said = (): number => streams.reduce((sum, stream) => sum + stream.said.length, 0);
  let isOver = false;
  let kills = 0;
  const killing = (async () => {
    // Enough to hit it in many states; then it must be left to finish.
    while (!isOver && kills < 25) {
      const before = said();
      await until(() => isOver || (said() > before && isAlive(readAddress(at)?.pid)));
      await sleep(Math.random() * 100);
      const pid = readAddress(at)?.pid;
      if (isOver || !isAlive(pid)) continue;
      process.kill(pid, 'SIGKILL');
      kills++;
    }
  })();
  expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
  isOver = true;
  await killing;
  const all = streams.flatMap((stream) => stream.said);
  console.log(
    `killed ${kills} times; ${all.filter((line) => line.startsWith('spooled')).length} of ${all.length} events went by the spool`,
  );
  expect(kills).toBeGreaterThan(5);
  expectAllOnce(at, { kind: 'after-step', sessions, events: 60 });
  expect(spooled(at)).toEqual([]);
  expect(troubles(at)).toEqual([]);
  // Nothing that the dead left behind is in anybody's way.
  expect(await runHook(at, promptPayload(at, 'and on'), { env: PATIENT })).toEqual(SILENT);
  expect(operationsOf(at).at(-1)?.description).toBe('and on');
  await until(async () => (await status(at)).workspaces[0]?.tier === 'journal');
  expect(at.retake.run(at.workspace, 'check', '--full').code).toBe(0);
});

test('[REL-2] the process that makes the first record of a workspace is killed: the record is made all the same, once', async () => {
  const at = daemonScene(PATIENT);
  for (let number = 0; number < 3000; number++) put(at.workspace, `d${number % 50}/f${number}`, `content ${number}`);
  await startDaemon(at);
  let isOver = false;
  let kills = 0;
  const hook = runHook(at, new Conversation('s', at.workspace).prompt('p', 'first')).finally(() => {
    isOver = true;
  });
  while (!isOver && kills < 3) {
    for (const pid of daemonsOf(at, '--once')) {
      process.kill(pid, 'SIGKILL');
      kills++;
    }
    await sleep(5);
  }
  expect(await hook).toEqual(SILENT);
  console.log(`killed ${kills} processes that were to make the first record`);
  expect(operationsOf(at).map(({ description }) => description)).toEqual(['first']);
  expect(fsck(at.retake.store(at.workspace))).toEqual({ code: 0, alarms: [] });
  expect(spooled(at)).toEqual([]);
});
