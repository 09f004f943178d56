import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { changeRich, makeRich } from '../crash/rich-workspace.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { fsck } from '../support/private-store.ts';
import { put, type Scene } from '../support/scene.ts';
import { Conversation, contentAt, operationsOf } from './claude-code.ts';
import { expectExact, untilWatched, watched } from './exact.ts';
import { daemonScene, isAlive, PATIENT, promptPayload, readAddress, startDaemon, tell, troubles } from './support.ts';

test('[REL-4] two daemons with data directories of their own watch one workspace and do not disturb each other', async () => {
  const one = daemonScene(PATIENT);
  const two: Scene = { ...daemonScene(PATIENT), workspace: one.workspace };
  put(one.workspace, 'dir/file', '0');
  for (const at of [one, two]) await tell(at, promptPayload(at, 'first'));
  for (const at of [one, two]) await untilWatched(at);
  expect(readAddress(one).pid).not.toBe(readAddress(two).pid);
  for (let number = 1; number <= 5; number++) {
    put(one.workspace, 'dir/file', `${number}`);
    put(one.workspace, `dir${number}/file`, 'new');
    const payload = new Conversation('s', one.workspace).after(`t${number}`, `Step${number}`);
    await Promise.all([tell(one, payload), tell(two, payload)]);
  }
  const told = (at: Scene) => operationsOf(at).map(({ description, files }) => `${description} ${files}`);
  expect(told(one)).toEqual(told(two));
  expect(told(one)).toHaveLength(6);
  expect(contentAt(two, operationsOf(two).at(-1)?.id ?? '', 'dir/file')).toBe('5');
  expectExact(one);
  for (const at of [one, two]) expect(troubles(at)).toEqual([]);
});

/** What commands say and do, without what differs from run to run. */
const playCommands = async (at: Scene, isWatched: boolean): Promise<unknown[]> => {
  const { workspace, retake } = at;
  const observe = (): unknown => [...observeWorkspace(workspace)];
  const said: unknown[] = [];
  makeRich(workspace);
  const first = retake.json(workspace, 'checkpoint', '--name', 'first');
  said.push(first.tree, first.changed, first.status, first.omissions, observe());
  said.push(retake.json(workspace, 'checkpoint').changed);
  if (isWatched) await untilWatched(at);
  changeRich(workspace);
  put(workspace, 'ignored/more', 'ignored');
  put(workspace, 'vendor/nested/untracked.log', 'ignored by the outer one');
  writeFileSync(Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0xff, 0x0a, 0x22])]), 'odd');
  const plan = ({ operations, kept, inTheWay, warnings, goesBack, expectedTree }: Record<string, unknown>) => ({
    operations,
    kept,
    inTheWay,
    warnings,
    goesBack,
    expectedTree,
  });
  said.push(plan(retake.json(workspace, 'rewind', 'first', '--dry-run')));
  const second = retake.json(workspace, 'checkpoint', '--note', 'noted');
  said.push(second.tree, second.changed, second.status, observe());
  put(workspace, 'README.md', 'not recorded');
  said.push(plan(retake.json(workspace, 'rewind', 'first', '--dry-run', '--path', 'src')), observe());
  said.push(plan(retake.json(workspace, 'rewind', 'first', '--yes')), observe());
  put(workspace, 'src/deep/b.ts', 'between');
  said.push(plan(retake.json(workspace, 'undo', '--dry-run')));
  said.push(plan(retake.json(workspace, 'undo', '--yes')), observe());
  said.push(plan(retake.json(workspace, 'rewind', second.id, '--yes')), observe());
  const { operations } = retake.json(workspace, 'log');
  for (const { kind, description, files } of operations) said.push([kind, description.replaceAll(/[0-9a-f]{10}/g, 'ID'), files]);
  return said;
};

test('[PRF-8] [RST-1] checkpoint, rewind and undo do the same with the daemon and without it', async () => {
  const at = daemonScene(PATIENT);
  const { pid } = await startDaemon(at);
  const without = daemonScene({ RETAKE_DAEMON_ENABLED: 'false' });
  const [watchedSaid, saidAlone] = [await playCommands(at, true), await playCommands(without, false)];
  expect(watchedSaid).toEqual(saidAlone);
  // It was asked, and knows the workspace now.
  expect(isAlive(pid)).toBe(true);
  expect(await watched(at)).toBeDefined();
  expectExact(at);
  expect(fsck(at.retake.store(at.workspace))).toEqual({ code: 0, alarms: [] });
});
