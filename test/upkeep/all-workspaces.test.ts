import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decodeEvent } from '../../src/agents/index.ts';
import { changeSettings, diskUse, maintainAll, recordEvent, setPinned, Workspace } from '../../src/engine/index.ts';
import { setClock } from '../../src/host/index.ts';
import { type AgentEvent, type OperationId, toText } from '../../src/model/index.ts';
import { Conversation } from '../daemon/claude-code.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const DAY = 86_400_000;

beforeEach(() => {
  const home = temporaryDirectory();
  vi.stubEnv('HOME', home);
  vi.stubEnv('RETAKE_HOME', join(home, 'data'));
});
afterEach(() => {
  setClock(() => new Date());
  vi.unstubAllEnvs();
});

/** A workspace in which an agent did steps that take so many bytes each; recorded in so many minutes ago. */
const recordedIn = async (steps: number, { bytes = 20_000, minutesAgo = 0 } = {}) => {
  const directory = join(temporaryDirectory(), 'project');
  mkdirSync(directory);
  const workspace = await Workspace.open({ directory });
  setClock(() => new Date(Date.now() - minutesAgo * 60_000));
  const talk = new Conversation('s', directory);
  const hear = async (payload: string) => (await recordEvent(workspace, decodeEvent('claude-code', payload) as AgentEvent)).checkpoint;
  await hear(talk.start());
  await hear(talk.prompt('p1', 'first'));
  const ids: OperationId[] = [];
  for (let step = 0; step < steps; step++) {
    await hear(talk.before(`${step}`, 'Bash', {}));
    writeFileSync(join(directory, 'file'), randomBytes(bytes));
    ids.push((await hear(talk.after(`${step}`, 'Bash', {})))?.id as OperationId);
  }
  await hear(talk.prompt('p2', 'second'));
  workspace.close();
  setClock(() => new Date());
  const left = async (): Promise<OperationId[]> => {
    const again = await Workspace.openAt({ root: workspace.root, data: workspace.data }, {});
    const found = ids.filter((id) => again.index.get(id) !== undefined);
    again.close();
    return found;
  };
  return { directory, data: workspace.data, root: workspace.root, ids, left };
};

/** Looks after all stores, and tells which were looked after, and which could not be. */
const all = async () => {
  const done: string[] = [];
  const failed: string[] = [];
  await maintainAll({
    onDone: ({ root }) => done.push(basename(join(toText(root), '..'))),
    onFailed: ({ data }) => failed.push(data),
  });
  return { done, failed };
};

test('[STO-3] all stores together stay within their limit: those recorded in longest ago give first, and no more than it takes', async () => {
  const oldest = await recordedIn(10, { minutesAgo: 300 });
  const older = await recordedIn(10, { minutesAgo: 200 });
  const newest = await recordedIn(10);
  const total = [oldest, older, newest].reduce((sum, { data }) => sum + diskUse(join(data, 'store.git')).bytes, 0);
  vi.stubEnv('RETAKE_RETENTION_MAX_TOTAL_BYTES', String(total - 60_000));
  // Work of the last day would not be given up.
  setClock(() => new Date(Date.now() + 2 * DAY));
  expect((await all()).failed).toEqual([]);
  expect((await oldest.left()).length).toBeLessThan(10);
  expect((await oldest.left()).length).toBeGreaterThan(3);
  expect((await older.left()).length).toBe(10);
  expect((await newest.left()).length).toBe(10);
  // Still on disk, it does not count any more: nobody else has to give for it.
  await all();
  expect((await older.left()).length).toBe(10);
  // What was given up becomes free when nobody can be looking at it any more.
  setClock(() => new Date(Date.now() + 4 * DAY));
  await all();
  expect([oldest, older, newest].reduce((sum, { data }) => sum + diskUse(join(data, 'store.git')).bytes, 0)).toBeLessThan(total - 60_000);
});

test('[STO-3] of a workspace that is gone what is marked stays, the rest goes with its days; one that can not be opened keeps nobody back', async () => {
  const gone = await recordedIn(3);
  const there = await recordedIn(3);
  const broken = await recordedIn(1);
  const workspace = await Workspace.open({ directory: gone.directory });
  const [first] = gone.ids as [OperationId];
  await setPinned(workspace, first, true);
  workspace.close();
  rmSync(gone.directory, { recursive: true });
  writeFileSync(join(broken.data, 'store.git/config'), '[retake]\n\tformat = 99\n');
  setClock(() => new Date(Date.now() + 200 * DAY));
  const { done, failed } = await all();
  expect(done.length).toBe(2);
  expect(failed).toEqual([broken.data]);
  expect(await gone.left()).toEqual([first]);
  const newest = await Workspace.open({ directory: there.directory });
  expect(newest.index.list().map(({ operation }) => operation.kind)).toEqual(['prune', 'prompt']);
  newest.close();
});

test('[STO-3] each store is looked after under the settings of its own workspace; wrong ones keep nobody back', async () => {
  const brief = await recordedIn(3);
  const lasting = await recordedIn(3);
  const wrong = await recordedIn(3);
  await changeSettings({ 'retention.days': 300 });
  await changeSettings({ 'retention.days': 10 }, brief.data);
  writeFileSync(join(wrong.data, 'settings.json'), '{"retention.days": -1}');
  setClock(() => new Date(Date.now() + 60 * DAY));
  const { done, failed } = await all();
  expect([done.length, failed]).toEqual([2, [wrong.data]]);
  expect(await brief.left()).toEqual([]);
  expect(await lasting.left()).toEqual(lasting.ids);
});
