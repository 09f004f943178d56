import { spawn, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN } from '../support/cli.ts';
import { gitIn } from '../support/git.ts';
import { put, type Scene } from '../support/scene.ts';
import { Conversation } from './claude-code.ts';
import { daemonScene, PATIENT, runHook, tell, until } from './support.ts';

/** What the model is told with the answer to an event. */
const contextOf = async (at: Scene, payload: string): Promise<string> => {
  const { code, stdout } = await runHook(at, payload);
  expect(code).toBe(0);
  const { hookSpecificOutput } = JSON.parse(stdout);
  expect(hookSpecificOutput.hookEventName).toBe(JSON.parse(payload).hook_event_name);
  return hookSpecificOutput.additionalContext;
};

/** A session with two turns, the second of which changed two files. */
const twoTurns = async (at: Scene, session = 's'): Promise<Conversation> => {
  const { workspace } = at;
  const talk = new Conversation(session, workspace);
  put(workspace, 'a.ts', 'one');
  await tell(at, talk.start());
  await tell(at, talk.prompt(`${session}-p1`, 'begin'));
  await tell(at, talk.prompt(`${session}-p2`, 'change'));
  const input = { file_path: join(workspace, 'a.ts') };
  await tell(at, talk.before(`${session}-1`, 'Edit', input));
  put(workspace, 'a.ts', 'two');
  put(workspace, 'b.ts', 'made');
  await tell(at, talk.after(`${session}-1`, 'Edit', input));
  return talk;
};

test('[AGT-1] after a rewind the next prompt is told once which files were taken back', async () => {
  const at = daemonScene(PATIENT);
  const talk = await twoTurns(at);
  at.retake.json(at.workspace, 'rewind', 't2', '--no-keep-mine', '--yes');
  const context = await contextOf(at, talk.prompt('p3', 'go on'));
  expect(context).toContain('"a.ts", "b.ts"');
  expect(context.split('\n')).toHaveLength(1);
  await tell(at, talk.prompt('p4', 'and on'));
});

test('[AGT-1] [RST-10] a rewind while a step runs is told once, with the next event of each agent', async () => {
  const at = daemonScene(PATIENT);
  const talk = await twoTurns(at);
  const helper = { agent_id: 'helper', agent_type: 'general-purpose' };
  await tell(at, talk.before('h-1', 'Bash', { command: 'look' }, helper));
  await tell(at, talk.before('s-2', 'Bash', { command: 'work' }));
  put(at.workspace, 'agent.txt', 'agent');
  const { running } = at.retake.json(at.workspace, 'rewind', 't2', '--keep-mine', '--yes');
  expect(running.map(({ agentId, description }: { agentId: string; description: string }) => [agentId, description])).toEqual([
    ['helper', 'Bash: look'],
    [null, 'Bash: work'],
  ]);
  expect(existsSync(join(at.workspace, 'agent.txt'))).toBe(false);
  expect(await contextOf(at, talk.after('s-2', 'Bash', { command: 'work' }))).toContain('"a.ts", "agent.txt". ');
  await tell(at, talk.before('s-3', 'Bash', { command: 'more' }));
  await tell(at, talk.prompt('p3', 'go on'));
  expect(await contextOf(at, talk.before('h-2', 'Bash', { command: 'look on' }, helper))).toContain('"a.ts"');
  await tell(at, talk.after('h-2', 'Bash', { command: 'look on' }, helper));
  await tell(at, talk.before('n-1', 'Bash', { command: 'begin' }, { ...helper, agent_id: 'newcomer' }));
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(await contextOf(at, talk.failed('s-3', 'Bash', { command: 'more' }))).toContain('"agent.txt"');
});

const PLUGIN = join(BIN, '../../integrations/claude-code/scripts/retake');

test.each([
  ['the program itself', BIN, ['hook', 'claude-code']],
  ['a shell', '/bin/sh', ['-c', `'${BIN}' hook claude-code; true`]],
  ['the script of the plugin', '/bin/sh', ['-c', `'${PLUGIN}' hook claude-code; true`]],
])('[AGT-1] [RST-10] a step is known to run when its hook was run by %s, which ended with it', (_, program, args) => {
  const at = daemonScene(PATIENT);
  const talk = new Conversation('s', at.workspace);
  for (const input of [talk.start(), talk.prompt('p1', 'begin'), talk.before('s-1', 'Bash', { command: 'work' })]) {
    expect(spawnSync(program, args, { env: at.retake.env, input, encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '' });
  }
  put(at.workspace, 'agent.txt', 'agent');
  const { running } = at.retake.json(at.workspace, 'rewind', 't1', '--keep-mine', '--yes');
  expect(running).toMatchObject([{ description: 'Bash: work' }]);
  expect(existsSync(join(at.workspace, 'agent.txt'))).toBe(false);
});

test('[RST-10] --wait begins when the step has ended, with what it left', async () => {
  const at = daemonScene(PATIENT);
  const talk = await twoTurns(at);
  await tell(at, talk.before('s-2', 'Bash', { command: 'work' }));
  put(at.workspace, 'agent.txt', 'agent');
  const rewind = spawn(BIN, ['rewind', 't2', '--wait', '--keep-mine', '--yes', '--json', '-C', at.workspace], {
    env: at.retake.env,
  });
  let [stdout, stderr] = ['', ''];
  rewind.stdout.on('data', (chunk) => (stdout += chunk));
  rewind.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = new Promise((resolve) => rewind.on('close', resolve));
  await until(() => stderr.includes('Waiting for the end of Bash: work'));
  put(at.workspace, 'late.txt', 'late');
  await tell(at, talk.after('s-2', 'Bash', { command: 'work' }));
  expect(await ended).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ running: [] });
  expect(['agent.txt', 'late.txt'].map((file) => existsSync(join(at.workspace, file)))).toEqual([false, false]);
});

test('[AGT-1] a rewind that was undone is not told; one of another session is', async () => {
  const at = daemonScene(PATIENT);
  const first = await twoTurns(at, 'first');
  const second = await twoTurns(at, 'second');
  at.retake.json(at.workspace, 'rewind', 't2', '--yes');
  at.retake.json(at.workspace, 'undo', '--yes');
  await tell(at, first.prompt('p3', 'go on'));
  at.retake.json(at.workspace, 'redo', '--yes');
  expect(await contextOf(at, second.prompt('p3', 'go on'))).toContain('"a.ts"');
  expect(await contextOf(at, first.prompt('p4', 'go on'))).toContain('"a.ts"');
});

test('[AGT-1] nothing is told where that is switched off, or to a session that has said nothing yet', async () => {
  const at = daemonScene({ ...PATIENT, RETAKE_AGENT_TELL_REWINDS: 'false' });
  const talk = await twoTurns(at);
  at.retake.json(at.workspace, 'rewind', 't2', '--yes');
  await tell(at, talk.prompt('p3', 'go on'));
  const other = daemonScene(PATIENT);
  await twoTurns(other);
  other.retake.json(other.workspace, 'rewind', 't2', '--yes');
  await tell(other, new Conversation('fresh', other.workspace).prompt('p1', 'hello'));
});

test('[AGT-1] what could not be told, because nobody waited for the answer, is told with the next prompt', async () => {
  const at = daemonScene(PATIENT);
  const talk = await twoTurns(at);
  at.retake.json(at.workspace, 'rewind', 't2', '--no-keep-mine', '--yes');
  at.retake.json(at.workspace, 'daemon', 'stop');
  // Without a daemon the event goes by the spool, and no answer comes back.
  await tell(at, talk.prompt('p3', 'go on'));
  expect(await contextOf(at, talk.prompt('p4', 'go on'))).toContain('"b.ts"');
});

test('[REL-5] a prompt is recorded also when what there is to tell is damaged', async () => {
  const at = daemonScene(PATIENT);
  const talk = await twoTurns(at);
  const { rollbackId } = at.retake.json(at.workspace, 'rewind', 't2', '--yes');
  at.retake.json(at.workspace, 'daemon', 'stop');
  const store = at.retake.store(at.workspace);
  const plan = gitIn(at.workspace, '--git-dir', store, 'rev-parse', `${rollbackId}:plan`).trim();
  rmSync(join(store, 'objects', plan.slice(0, 2), plan.slice(2)));
  await tell(at, talk.prompt('p3', 'go on'));
  expect(at.retake.json(at.workspace, 'log', '--limit', '1').operations).toMatchObject([{ kind: 'prompt', description: 'go on' }]);
});
