import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { decodeEvent } from '../../src/agents/index.ts';
import { collectGarbage, createCheckpoint, deleteCheckpoint, recordEvent, Workspace } from '../../src/engine/index.ts';
import { type AgentEvent, RetakeError, type SessionId, type TreeId } from '../../src/model/index.ts';
import { Conversation } from '../daemon/claude-code.ts';
import { BIN } from '../support/cli.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { fsck, storedEntries } from '../support/private-store.ts';
import { put, type Scene, scene, storeOf } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import {
  expectRestores,
  expectSoundStore,
  looseIn,
  meddlingGit,
  openWorkspace,
  packsIn,
  type RecordedState,
  record,
  straysIn,
} from './support.ts';

/** `gc` with a git that runs a script before or after it makes its pack. */
const startGc = (at: Scene, script: Parameters<typeof meddlingGit>[0], ...args: string[]) => {
  const env = { ...at.retake.env, PATH: meddlingGit(script) };
  const child = spawn(BIN, ['gc', '--json', ...args], { cwd: at.workspace, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  const ended = new Promise<{ code: number | null; stdout: string }>((resolve) => child.on('close', (code) => resolve({ code, stdout })));
  return { child, ended };
};

/** A line of shell that records what is there, as another process does. */
const checkpointing = ({ workspace, retake }: Scene, name: string): string => {
  const env = Object.entries(retake.env).map(([key, value]) => `${key}='${value}'`);
  return `cd '${workspace}' && env ${env.join(' ')} '${BIN}' checkpoint --name '${name}'`;
};

test('[STO-3] [REL-2] what was given up and is needed again while it is being packed is not lost', async () => {
  const at = scene();
  put(at.workspace, 'dir/other', 'other');
  const given = record(at, 'dir/file', 'given up, and needed again');
  at.retake.json(at.workspace, 'gc');
  const [old = ''] = packsIn(storeOf(at));
  record(at, 'dir/file', 'something else');
  at.retake.json(at.workspace, 'delete', given.id);
  // Another process, which would wait for ever if the lock was held meanwhile.
  const write = `printf %s 'given up, and needed again' > '${at.workspace}/dir/file'`;
  const { code, stdout } = await startGc(at, { after: `${write}; ${checkpointing(at, 'again')}` }, '--now').ended;
  expect(code, stdout).toBe(0);
  const { id } = at.retake.json(at.workspace, 'show', 'again');
  expect(packsIn(storeOf(at))).not.toContain(old);
  // Found in the old pack, the content was not written again: it lives on in a copy.
  const blob = storedEntries(storeOf(at), id).get('dir/file')?.id ?? '';
  expect(looseIn(storeOf(at))).not.toContain(blob);
  expect(packsIn(storeOf(at)).length).toBeGreaterThan(1);
  expectSoundStore(storeOf(at));
  put(at.workspace, 'dir/file', 'later');
  expectRestores(at, { id, state: given.state });
  expect(at.retake.json(at.workspace, 'gc')).toMatchObject({ damaged: 0 });
  expectSoundStore(storeOf(at));
});

test('[STO-3] who holds packs open reads on while others pack, and so does a git', async () => {
  const workspace = await openWorkspace();
  const states: TreeId[] = [];
  for (let number = 0; number < 5; number++) {
    for (let file = 0; file < 80; file++) put(workspace.root, `dir/${file}`, `${number} ${file}`);
    const { checkpoint } = await createCheckpoint(workspace, { session: 's' as SessionId });
    states.push(checkpoint.state?.files as TreeId);
  }
  const reader = await Workspace.open({ directory: workspace.root });
  onTestFinished(() => reader.close());
  const git = spawn('git', ['--git-dir', workspace.storePath, 'cat-file', '--batch-check'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = git.stdout[Symbol.asyncIterator]();
  const ask = async (id: string): Promise<string> => {
    git.stdin.write(`${id}\n`);
    return String((await answers.next()).value);
  };
  const { objects } = reader.store;
  expect(objects.readTree(states[0] as TreeId)).toHaveLength(1);
  expect(await ask(states[0] as string)).toContain('tree');
  const before = packsIn(workspace.storePath);
  expect(await collectGarbage(workspace)).toMatchObject({ packsRemoved: 5 });
  expect(packsIn(workspace.storePath).some((name) => before.includes(name))).toBe(false);
  for (const [number, state] of states.entries()) {
    const [directory] = objects.readTree(state);
    for (const { id, name } of objects.readTree(directory?.id as TreeId)) {
      expect(objects.read(id).bytes.toString()).toBe(`${number} ${name}`);
      expect(await ask(id)).toContain('blob');
    }
  }
  git.stdin.end();
});

test('[STO-3] what a long-lived process wrote down while its pack went is stored after all', async () => {
  const root = temporaryDirectory();
  const workspace = await openWorkspace(root);
  const other = await Workspace.open({ directory: root });
  onTestFinished(() => other.close());
  const checkpoint = async (content: string) => {
    put(root, 'file', content);
    return (await createCheckpoint(workspace, { name: content, session: 's' as SessionId })).checkpoint;
  };
  const first = await checkpoint('comes back');
  await collectGarbage(workspace);
  await checkpoint('stays');
  await deleteCheckpoint(workspace, first.id);
  // It knows of the pack from now on.
  expect(other.store.objects.has(first.id)).toBe(true);
  await collectGarbage(workspace, { now: true });
  put(root, 'file', 'comes back');
  workspace.defersWork = true;
  const event = decodeEvent('claude-code', new Conversation('s', root).prompt('again', 'again'));
  await recordEvent(workspace, event as AgentEvent);
  expect(workspace.store.log.isBehind).toBe(true);
  // Put in its place by whoever takes the lock next.
  await other.write(() => {});
  expect(workspace.store.log.isBehind).toBe(false);
  expect(fsck(workspace.storePath)).toEqual({ code: 0, alarms: [] });
});

test('[STO-3] ended by a signal in the middle, it says so, ends its git and leaves nothing behind', async () => {
  const at = scene();
  const recorded = record(at, 'file', '1');
  const mark = join(temporaryDirectory(), 'packing');
  const script = { before: `echo $PPID > '${mark}'; sleep 600` };
  const { child, ended } = startGc(at, script);
  await expect.poll(() => readIfThere(mark)).toMatch(/\d+\n/);
  child.kill('SIGINT');
  const { code, stdout } = await ended;
  expect(code).toBe(1);
  expect(JSON.parse(stdout).error.code).toBe('interrupted');
  expect(straysIn(join(storeOf(at), '..'))).toEqual([]);
  expectSoundStore(storeOf(at));
  expect(at.retake.json(at.workspace, 'gc').packed).toBeGreaterThan(0);
  expectRestores(at, recorded);
});

const readIfThere = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

test('[STO-3] a signal that came before ends it before it begins to pack', async () => {
  const workspace = await openWorkspace();
  put(workspace.root, 'file', '1');
  await createCheckpoint(workspace, { session: 's' as SessionId });
  const refused = collectGarbage(workspace, { signal: AbortSignal.abort() });
  await expect(refused).rejects.toBeInstanceOf(RetakeError);
  await expect(refused).rejects.toMatchObject({ code: 'interrupted' });
  expect(packsIn(workspace.storePath)).toEqual([]);
  expectSoundStore(workspace.storePath);
});

test('[STO-3] [REL-4] forty times while another process records, deletes and goes back: every state is there', async () => {
  const at = scene();
  for (let number = 0; number < 70; number++) put(at.workspace, `base/${number}`, `${number}`);
  const kept = new Map<string, RecordedState>();
  const note = (one: RecordedState): void => void kept.set(one.id, one);
  note(record(at, 'file', 'begin'));
  process.env.RETAKE_HOME = at.retake.home;
  const collector = await Workspace.open({ directory: at.workspace });
  onTestFinished(() => collector.close());
  let isOver = false;
  let rounds = 0;
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await at.retake.start(at.workspace, ...args, '--json');
    expect(code, `${args.join(' ')}: ${stdout}${stderr}`).toBe(0);
    return JSON.parse(stdout);
  };
  const work = async (): Promise<void> => {
    for (let turn = 0; !isOver && (turn < 20 || rounds < 40); turn++) {
      // Few contents, so that what was given up comes back again and again.
      writeFileSync(join(at.workspace, 'file'), `content ${(turn * 3) % 5}`);
      put(at.workspace, `base/${turn % 7}`, `changed ${turn % 2}`);
      if (turn % 6 === 5) for (let number = 0; number < 70; number++) put(at.workspace, `more/${number}`, `${turn % 4} ${number}`);
      const { id } = await run('checkpoint', '--session', `s${Math.floor(turn / 20)}`);
      note({ id, state: observeWorkspace(at.workspace) });
      const ids = [...kept.keys()];
      if (turn % 3 === 1) {
        const target = ids[Math.floor(ids.length / 2)] as string;
        await run('rewind', target, '--yes');
        expect(observeWorkspace(at.workspace)).toEqual(kept.get(target)?.state);
      } else if (turn % 3 === 2 && ids.length > 3) {
        const target = ids[ids.length - 2] as string;
        const { code } = await at.retake.start(at.workspace, 'delete', target);
        if (code === 0) kept.delete(target);
      }
    }
  };
  const collect = async (): Promise<void> => {
    for (; !isOver; rounds++) {
      expect(await collectGarbage(collector, { now: rounds % 4 !== 3 })).toMatchObject({ damaged: 0 });
      // Where there is nothing to do, nobody else would get a turn.
      await nextTurn();
    }
  };
  const untilOver = (part: () => Promise<void>): Promise<void> =>
    part().finally(() => {
      isOver = true;
    });
  // Both are over before anything is said of them.
  const outcomes = await Promise.allSettled([work, collect].map(untilOver));
  expect(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))).toEqual([]);
  expectSoundStore(storeOf(at));
  const { operations } = at.retake.json(at.workspace, 'log');
  expect(kept.size).toBeGreaterThan(5);
  console.log(`${operations.length} operations while packing ${rounds} times, ${kept.size} states to go back to`);
  for (const one of kept.values()) expectRestores(at, one);
  expect(at.retake.run(at.workspace, 'check').code).toBe(0);
});
