import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeEvent } from '../../src/agents/index.ts';
import {
  createCheckpoint,
  previewRollback,
  readLog,
  readRunningSteps,
  recordEvent,
  resolveRewind,
  resolveUndo,
} from '../../src/engine/index.ts';
import type { AgentEvent } from '../../src/model/index.ts';
import { Conversation } from '../daemon/claude-code.ts';
import { put } from '../support/scene.ts';
import { type Actor, type Stage, stage } from './stage.ts';

const begun = async (): Promise<{ at: Stage; actor: Actor }> => {
  const at = await stage((root) => put(root, 'old.txt', 'old\n'));
  const actor = at.actor('s');
  await actor.start();
  await actor.prompt('first');
  return { at, actor };
};

const has = ({ root }: Stage, ...files: readonly string[]): boolean[] => files.map((file) => existsSync(join(root, file)));

const running = ({ workspace }: Stage): string[] => readRunningSteps(workspace).map(({ description }) => description);

test('[RST-10] what a running step changed is the agent’s: --keep-mine takes it back, and the plan names the step', async () => {
  const { at, actor } = await begun();
  put(at.root, 'mine.txt', 'mine\n');
  const end = await actor.begin();
  put(at.root, 'agent.txt', 'agent\n');
  const { plan } = await at.keepMine('t1');
  expect(plan.running).toMatchObject([
    { session: 's', agent: 'claude-code', tool: 'Bash', description: expect.stringMatching(/^Bash: work/) },
  ]);
  expect(plan.warnings.join()).toContain('has not told of its end: Bash: work');
  expect(plan.shares.map(({ path, by }) => `${path} ${by}`)).toEqual(['agent.txt agent', 'mine.txt person']);
  expect(has(at, 'agent.txt', 'mine.txt', 'old.txt')).toEqual([false, true, true]);
  const soFar = () => readLog(at.workspace).find(({ operation }) => operation.description.endsWith('(still running)'));
  expect(soFar()).toMatchObject({ by: 'agent', rolledBack: 'code' });
  // It stays the agent's when the rewind is undone, and when the step ends.
  await at.undo();
  expect(soFar()).toMatchObject({ by: 'agent', rolledBack: null });
  expect(has(at, 'agent.txt')).toEqual([true]);
  put(at.root, 'late.txt', 'late\n');
  await end();
  expect(running(at)).toEqual([]);
  await at.keepMine('t1');
  expect(has(at, 'agent.txt', 'late.txt', 'mine.txt')).toEqual([false, false, true]);
});

test('[RST-10] a step that never ends keeps what it did before a rewind: the log says whose it is', async () => {
  const { at, actor } = await begun();
  await actor.begin();
  put(at.root, 'agent.txt', 'agent\n');
  await at.rewind('t1');
  expect(has(at, 'agent.txt')).toEqual([false]);
  await actor.prompt('second');
  const entry = readLog(at.workspace).find(({ operation }) => operation.description.endsWith('(still running)'));
  expect(entry).toMatchObject({ by: 'agent', turn: 1, operation: { kind: 'after-step', event: { place: { tool: 'Bash' } } } });
});

test('[RST-10] what a running step changed stays the agent’s where a checkpoint has recorded it already, through a rewind and its undo', async () => {
  const { at, actor } = await begun();
  const shares = async (): Promise<string[]> =>
    (await previewRollback(at.workspace, resolveRewind(at.workspace, 't1', { keepMine: true }))).shares.map(
      ({ path, by }) => `${path} ${by}`,
    );
  const end = await actor.begin();
  put(at.root, 'agent.txt', 'agent\n');
  await createCheckpoint(at.workspace, { name: 'by hand' });
  await at.keepMine('t1');
  expect(has(at, 'agent.txt')).toEqual([false]);
  await at.undo();
  expect(await shares()).toEqual(['agent.txt agent']);
  await end();
  expect(await shares()).toEqual(['agent.txt agent']);
  await at.keepMine('t1');
  expect(has(at, 'agent.txt')).toEqual([false]);
});

test('[RST-11] [RST-10] a session works beside another though its only step still runs, and each keeps what it did', async () => {
  const { at, actor } = await begun();
  const other = at.actor('other');
  await other.start();
  await other.prompt('its own');
  const ends = [await other.begin({ file: 'theirs.txt' }), await actor.begin({ file: 'agent.txt' })];
  for (const file of ['theirs.txt', 'agent.txt', 'mine.txt']) put(at.root, file, 'new\n');
  const there = () => has(at, 'agent.txt', 'theirs.txt', 'mine.txt');
  await at.rewind('t1', { session: actor.id, keepMine: true });
  expect(there()).toEqual([false, true, true]);
  for (const end of ends) await end();
  await at.rewind('t1', { session: other.id, keepMine: true });
  expect(there()).toEqual([false, false, true]);
  await at.undo();
  await at.undo();
  expect(there()).toEqual([true, true, true]);
  await at.rewind('t1', { session: other.id, keepMine: true });
  expect(there()).toEqual([true, false, true]);
});

test('[RST-8] what a subagent did goes back by its id while its first step runs, and what another did at the same time stays', async () => {
  const { at, actor } = await begun();
  const ends = [await actor.begin({ file: 'one.txt', agentId: 'x' }), await actor.begin({ file: 'two.txt', agentId: 'y' })];
  for (const file of ['one.txt', 'two.txt']) put(at.root, file, 'new\n');
  await at.rewind('t1', { by: 'x' });
  expect(has(at, 'one.txt', 'two.txt')).toEqual([false, true]);
  await at.undo();
  expect(has(at, 'one.txt', 'two.txt')).toEqual([true, true]);
  for (const end of ends) await end();
  await at.rewind('t1', { by: 'y' });
  expect(has(at, 'one.txt', 'two.txt')).toEqual([true, false]);
});

test('[RST-10] what a running tool can not touch is the person’s and stays', async () => {
  const { at, actor } = await begun();
  await actor.begin({ file: 'agent.txt' });
  put(at.root, 'agent.txt', 'agent\n');
  put(at.root, 'mine.txt', 'mine\n');
  const { plan } = await at.keepMine('t1');
  expect(plan.shares.map(({ path, by }) => `${path} ${by}`)).toEqual(['agent.txt agent', 'mine.txt person']);
  expect(has(at, 'agent.txt', 'mine.txt')).toEqual([false, true]);
});

test('[RST-11] what a running step of another session changed stays', async () => {
  const { at, actor } = await begun();
  const other = at.actor('other');
  await other.start();
  await other.prompt('its own');
  await other.step(() => put(at.root, 'theirs.txt', '1\n'), { file: 'theirs.txt' });
  await other.begin({ file: 'more.txt' });
  put(at.root, 'more.txt', 'theirs\n');
  await actor.step(() => put(at.root, 'agent.txt', 'agent\n'), { file: 'agent.txt' });
  put(at.root, 'more.txt', 'theirs, and more of it\n');
  await at.rewind('t1', { session: actor.id });
  expect(has(at, 'agent.txt', 'theirs.txt', 'more.txt')).toEqual([false, true, true]);
});

test('[GIT-4] [RST-9] a discard and a revert take what the running step changed with them', async () => {
  const { at, actor } = await begun();
  await actor.step(() => put(at.root, 'one.txt', 'one\n'));
  await actor.begin();
  put(at.root, 'agent.txt', 'agent\n');
  await at.discard('s');
  expect(has(at, 'one.txt', 'agent.txt', 'old.txt')).toEqual([false, false, true]);
  await at.undo();
  expect(has(at, 'one.txt', 'agent.txt')).toEqual([true, true]);
  await at.revert('t1');
  expect(has(at, 'one.txt', 'agent.txt', 'old.txt')).toEqual([false, false, true]);
});

test('[RST-7] the plan of an undo tells of the step too, and changes no other files', async () => {
  const { at, actor } = await begun();
  await actor.step(() => put(at.root, 'one.txt', 'one\n'));
  await at.rewind('t1');
  await actor.begin();
  put(at.root, 'agent.txt', 'agent\n');
  const plan = await previewRollback(at.workspace, resolveUndo(at.workspace));
  expect(plan.running).toHaveLength(1);
  await at.undo();
  expect(has(at, 'one.txt', 'agent.txt')).toEqual([true, true]);
});

const talk = new Map<string, (said: Conversation) => string>([
  ['the end of the turn', (said) => said.stop()],
  ['another prompt', (said) => said.prompt('p2', 'second')],
  ['the end of the session', (said) => said.end()],
  ['a new start of the session', (said) => said.start('resume')],
]);

test.each([...talk])('[CKP-1] a step that told of no end is over with %s', async (_, next) => {
  const { at, actor } = await begun();
  await actor.begin();
  expect(running(at)).toHaveLength(1);
  await at.hear(next(new Conversation('s', at.root)));
  expect(running(at)).toEqual([]);
});

test('[CKP-1] [RST-10] a step whose agent was killed is over, and what is changed then is the person’s', async () => {
  const { at } = await begun();
  const before = new Conversation('s', at.root).before('killed', 'Bash', { command: 'work' });
  await recordEvent(at.workspace, decodeEvent('claude-code', before) as AgentEvent, { process: { pid: process.pid, start: '0' } });
  expect(running(at)).toEqual([]);
  put(at.root, 'mine.txt', 'mine\n');
  const plan = await previewRollback(at.workspace, resolveRewind(at.workspace, 't1', { keepMine: true }));
  expect(plan).toMatchObject({ running: [], steps: [] });
});
