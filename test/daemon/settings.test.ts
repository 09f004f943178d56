import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { put, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { prompts, untilWatched } from './exact.ts';
import { daemonScene, PATIENT, promptPayload, readAddress, startDaemon, status, tell, troubles } from './support.ts';

const set = (at: Scene, ...args: string[]) => at.retake.json(at.workspace, 'settings', ...args);

test('[CKP-1] one daemon records each workspace under its own settings, and notices changes of either file', async () => {
  const one = daemonScene(PATIENT);
  const two: Scene = { ...one, workspace: temporaryDirectory() };
  const { pid } = await startDaemon(one);
  let turn = 0;
  const tellBoth = async (): Promise<void> => {
    turn++;
    for (const at of [one, two]) {
      put(at.workspace, 'file', `${turn}`);
      await tell(at, promptPayload(at, `turn ${turn}`));
    }
  };
  await tellBoth();
  await untilWatched(one);
  set(one, 'record.automatic', 'false', '--workspace');
  await tellBoth();
  expect([prompts(one), prompts(two)]).toEqual([['turn 1'], ['turn 1', 'turn 2']]);
  set(one, 'record.automatic', 'false');
  await tellBoth();
  set(one, 'record.automatic', 'true', '--workspace');
  await tellBoth();
  expect([prompts(one), prompts(two)]).toEqual([
    ['turn 1', 'turn 4'],
    ['turn 1', 'turn 2'],
  ]);
  set(one, 'record.automatic', '--unset');
  await tellBoth();
  expect([prompts(one).at(-1), prompts(two).at(-1)]).toEqual(['turn 5', 'turn 5']);
  expect(readAddress(one).pid).toBe(pid);
  expect(troubles(one)).toEqual([]);
});

test.each([
  ['a wrong value', '{"retention.days": "many", "record.skipTools": ["Bash"]}'],
  ['a key that there is not', '{"retention.weeks": 3}'],
  ['no JSON', '{bad'],
])('[AGT-1] [REL-6] %s in the settings of one workspace is told, stops no recording, and concerns no other', async (_, content) => {
  const one = daemonScene(PATIENT);
  const two: Scene = { ...one, workspace: temporaryDirectory() };
  await startDaemon(one);
  const { workspaceFile } = set(one);
  mkdirSync(dirname(workspaceFile), { recursive: true });
  writeFileSync(workspaceFile, content);
  for (const turn of ['first', 'second']) {
    put(one.workspace, 'file', turn);
    await tell(one, promptPayload(one, turn));
    await tell(two, promptPayload(two, turn));
  }
  // Once by the process that made the first record, and once by the one that stays.
  const told = troubles(one);
  expect(told).toEqual([expect.stringContaining(workspaceFile), told[0]]);
  expect(prompts(two)).toEqual(['first', 'second']);
  rmSync(workspaceFile);
  await tell(one, promptPayload(one, 'third'));
  expect(prompts(one)).toEqual(['first', 'second', 'third']);
  expect(troubles(one)).toEqual(told);
});

test('[PRF-8] how long the daemon stays idle is noticed while it lives', async () => {
  const at = daemonScene(PATIENT);
  const { ended } = await startDaemon(at);
  expect((await status(at)).workspaces).toEqual([]);
  set(at, 'daemon.idleMinutes', '0.01');
  expect(await ended).toBe(0);
});
