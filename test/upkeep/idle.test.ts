import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCheckpoint, isUpkeepDue, maintain } from '../../src/engine/index.ts';
import type { SessionId } from '../../src/model/index.ts';
import { daemonScene, daemonsOf, readLog, startDaemon, until } from '../daemon/support.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { dataOf, put, type Scene, storeOf } from '../support/scene.ts';
import { expectRestores, expectSoundStore, hoursLater, openWorkspace, packsIn, type RecordedState } from './support.ts';

const memoOf = (at: Scene): { begunAt?: string; packedAt?: string } => {
  try {
    return JSON.parse(readFileSync(join(dataOf(at), 'upkeep.json'), 'utf8'));
  } catch {
    return {};
  }
};

const checkpoint = (at: Scene, session: string): RecordedState => {
  const { id } = at.retake.json(at.workspace, 'checkpoint', '--session', session);
  return { id, state: observeWorkspace(at.workspace) };
};

/** Each writes a pack of its own. */
const manyPacks = (at: Scene): RecordedState[] =>
  Array.from({ length: 21 }, (_, round) => {
    for (let number = 0; number < 66; number++) put(at.workspace, `dir/${number}`, `${round} ${number}`);
    return checkpoint(at, 's');
  });

test('[STO-3] the daemon looks after a store that nobody uses, in a process of its own, and answers meanwhile', async () => {
  const at = daemonScene();
  await startDaemon(at);
  const recorded = manyPacks(at);
  expect(packsIn(storeOf(at)).length).toBeGreaterThan(20);
  at.retake.json(at.workspace, 'settings', 'upkeep.idleMinutes', '0.05');
  await until(() => memoOf(at).begunAt !== undefined);
  // Whatever the other process is at, this is answered, and recorded once.
  put(at.workspace, 'meanwhile', 'meanwhile');
  recorded.push(checkpoint(at, 'other'));
  await until(() => memoOf(at).packedAt !== undefined && daemonsOf(at, '--upkeep').length === 0);
  expect(packsIn(storeOf(at)).length).toBeLessThan(4);
  expect(readLog(at)).toMatch(/the store of .*: \d+ files of \d+ bytes became \d+ of \d+/);
  expectSoundStore(storeOf(at));
  for (const one of recorded.slice(-3)) expectRestores(at, one);
});

test('[STO-3] a store is looked after only so often', async () => {
  const workspace = await openWorkspace();
  expect(isUpkeepDue(workspace)).toBe(false);
  put(workspace.root, 'file', '1');
  await createCheckpoint(workspace, { session: 's' as SessionId });
  expect(isUpkeepDue(workspace)).toBe(true);
  expect(await maintain(workspace, { asNeeded: true })).toMatchObject({ pruned: [], gc: { extent: 'nothing' } });
  expect(isUpkeepDue(workspace)).toBe(false);
  expect(await hoursLater(23, () => isUpkeepDue(workspace))).toBe(false);
  expect(await hoursLater(25, () => isUpkeepDue(workspace))).toBe(true);
  // It was written by a clock that was wrong.
  expect(await hoursLater(-25, () => isUpkeepDue(workspace))).toBe(true);
});
