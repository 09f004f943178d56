import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { daemonScene } from '../daemon/support.ts';
import { put, type Scene } from '../support/scene.ts';
import { linesOf, PlayedSession, saidIn, sessionFiles } from './played-session.ts';

const PATIENT = { RETAKE_HOOK_DEADLINE_MS: '60000' };

const text = (at: Scene, path: string): string | undefined =>
  existsSync(join(at.workspace, path)) ? readFileSync(join(at.workspace, path), 'utf8') : undefined;

/** Three turns, each of which writes its number to a file. */
const threeTurns = async (at: Scene): Promise<PlayedSession> => {
  const session = new PlayedSession(at);
  await session.start();
  for (const turn of [1, 2, 3]) {
    await session.prompt(`do ${turn}`);
    await session.step('Write', { file_path: join(at.workspace, 'file') }, () => put(at.workspace, 'file', `${turn}`));
    await session.step('Bash', { command: 'touch' }, () => put(at.workspace, `made-${turn}`, ''));
    await session.answer(`did ${turn}`);
  }
  return session;
};

const BEFORE_2 = ['do 1', 'tool_use', 'tool_result', 'tool_use', 'tool_result', 'did 1'];

describe.each([['true'], ['false']])('with RETAKE_DAEMON_ENABLED=%s', (enabled) => {
  const open = (): Scene => daemonScene({ ...PATIENT, RETAKE_DAEMON_ENABLED: enabled });

  test('[CNV-1] [CNV-2] the conversation goes back alone: a new session, the old one and the code as they were', async () => {
    const at = open();
    const session = await threeTurns(at);
    const before = readFileSync(session.path);
    const plan = at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'conversation', '--dry-run');
    expect(plan).toMatchObject({ operations: [], scope: 'conversation', goesBack: { turns: 2, messages: 8 } });
    expect(plan.conversation).toMatchObject({ from: session.id, prompt: 'do 2', turns: 2 });
    expect(sessionFiles(at)).toHaveLength(1);
    const done = at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'conversation');
    expect(done.resume).toContain(`--resume ${done.sessionId}`);
    expect(done.conversation.prompt).toBe('do 2');
    expect(saidIn(at, done.sessionId)).toEqual(BEFORE_2);
    expect(new Set(linesOf(at, done.sessionId).map(({ sessionId }) => sessionId))).toEqual(new Set([done.sessionId]));
    expect(readFileSync(session.path)).toEqual(before);
    expect([text(at, 'file'), text(at, 'made-3')]).toEqual(['3', '']);
    const [newest] = at.retake.json(at.workspace, 'log', '--limit', '1').operations;
    expect(newest).toMatchObject({ id: done.rollbackId, kind: 'rollback', files: { changed: 0 } });
  });

  test('[CNV-6] [RST-7] code and conversation go back as one operation, and one undo takes both back', async () => {
    const at = open();
    const session = await threeTurns(at);
    const before = readFileSync(session.path);
    const done = at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'both', '--yes');
    expect([text(at, 'file'), text(at, 'made-1'), text(at, 'made-2'), text(at, 'made-3')]).toEqual(['1', '', undefined, undefined]);
    expect(saidIn(at, done.sessionId)).toEqual(BEFORE_2);
    const undone = at.retake.json(at.workspace, 'undo', '--yes');
    expect(undone.resume).toContain(`--resume ${session.id}`);
    expect([text(at, 'file'), text(at, 'made-3')]).toEqual(['3', '']);
    expect(readFileSync(session.path)).toEqual(before);
    const redone = at.retake.json(at.workspace, 'redo', '--yes');
    expect(redone.resume).toContain(`--resume ${done.sessionId}`);
    expect([text(at, 'file'), text(at, 'made-3')]).toEqual(['1', undefined]);
    expect(sessionFiles(at)).toHaveLength(2);
  });
});

test('[CNV-1] before the first prompt there is nothing to resume: the conversation begins anew', async () => {
  const at = daemonScene(PATIENT);
  await threeTurns(at);
  const done = at.retake.json(at.workspace, 'rewind', 't1', '--scope', 'both', '--yes');
  expect(done).toMatchObject({ sessionId: null, conversation: { prompt: 'do 1', messages: 12 } });
  expect(done.resume).not.toContain('--resume');
  expect(text(at, 'file')).toBeUndefined();
  expect(sessionFiles(at)).toHaveLength(1);
});

test('[CNV-2] going back to a step keeps its call and its result', async () => {
  const at = daemonScene(PATIENT);
  await threeTurns(at);
  const { operations } = at.retake.json(at.workspace, 'log');
  const step = operations.find(({ turn, tool }: { turn: number; tool: string }) => turn === 2 && tool === 'Write');
  const done = at.retake.json(at.workspace, 'rewind', step.id, '--scope', 'both', '--yes');
  expect(saidIn(at, done.sessionId)).toEqual([...BEFORE_2, 'do 2', 'tool_use', 'tool_result']);
  expect([text(at, 'file'), text(at, 'made-2')]).toEqual(['2', undefined]);
});

test('[CNV-1] a checkpoint that the person made has the place of what the agent did before it', async () => {
  const at = daemonScene(PATIENT);
  await threeTurns(at);
  put(at.workspace, 'mine', 'by hand');
  const { id } = at.retake.json(at.workspace, 'checkpoint', '--name', 'mine');
  const done = at.retake.json(at.workspace, 'rewind', id, '--scope', 'conversation');
  expect(saidIn(at, done.sessionId).at(-1)).toBe('did 3');
});

test('[CNV-1] without the session file, or without any conversation, it is refused and nothing changes', async () => {
  const at = daemonScene(PATIENT);
  const { id } = at.retake.json(at.workspace, 'checkpoint', '--name', 'alone');
  expect(at.retake.run(at.workspace, 'rewind', id, '--scope', 'conversation', '--json')).toMatchObject({
    code: 1,
    json: { error: { code: 'no-conversation' } },
  });
  const session = await threeTurns(at);
  rmSync(session.path);
  const refused = at.retake.run(at.workspace, 'rewind', 't2', '--scope', 'both', '--yes', '--json');
  expect(refused).toMatchObject({ code: 1, json: { error: { code: 'no-conversation' } } });
  expect(text(at, 'file')).toBe('3');
  at.retake.json(at.workspace, 'rewind', 't2', '--yes');
  expect(text(at, 'file')).toBe('1');
});

test('[RST-2] a plan that can not be carried out writes no session either', async () => {
  const at = daemonScene(PATIENT);
  await threeTurns(at);
  if (process.getuid?.() === 0) {
    // Root may write anywhere; a moved workspace stops it as well.
    const stale = at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'both', '--dry-run').expectedTree;
    put(at.workspace, 'file', 'moved');
    const moved = at.retake.run(at.workspace, 'rewind', 't2', '--scope', 'both', '--yes', '--expect', stale, '--json');
    expect(moved.json.error.code).toBe('workspace-moved');
  } else {
    chmodSync(at.workspace, 0o555);
    expect(at.retake.run(at.workspace, 'rewind', 't2', '--scope', 'both', '--yes').code).toBe(1);
    chmodSync(at.workspace, 0o755);
  }
  expect(sessionFiles(at)).toHaveLength(1);
});

test('[CLI] a conversation goes back as a whole', async () => {
  const at = daemonScene(PATIENT);
  await threeTurns(at);
  expect(at.retake.run(at.workspace, 'rewind', 't2', '--scope', 'both', '--path', 'file').code).toBe(2);
  expect(at.retake.run(at.workspace, 'rewind', 't2', '--scope', 'everything').code).toBe(2);
});

test('[CNV-1] what was rolled back is marked in the log, stays readable, and is no longer marked when that is undone', async () => {
  const at = daemonScene(PATIENT);
  await threeTurns(at);
  const marks = (): string[] =>
    at.retake
      .json(at.workspace, 'log')
      .operations.filter(({ turn }: { turn: number | null }) => turn !== null && turn > 0)
      .map(({ turn, kind, rolledBack }: { turn: number; kind: string; rolledBack: string | null }) => `${turn} ${kind} ${rolledBack}`)
      .reverse();
  const turn = (number: number, prompt: string, steps: string): string[] => [
    `${number} prompt ${prompt}`,
    `${number} after-step ${steps}`,
    `${number} after-step ${steps}`,
  ];
  const first = turn(1, 'null', 'null');
  expect(marks()).toEqual([...first, ...turn(2, 'null', 'null'), ...turn(3, 'null', 'null')]);
  at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'both', '--yes');
  expect(marks()).toEqual([...first, ...turn(2, 'conversation', 'both'), ...turn(3, 'both', 'both')]);
  at.retake.json(at.workspace, 'undo', '--yes');
  expect(marks()).toEqual([...first, ...turn(2, 'null', 'null'), ...turn(3, 'null', 'null')]);
  at.retake.json(at.workspace, 'rewind', 't3', '--scope', 'code', '--yes');
  expect(marks()).toEqual([...first, ...turn(2, 'null', 'null'), ...turn(3, 'null', 'code')]);
});

describe('[CKP-6] turns by number', () => {
  test('are those of the branch that the conversation is on', async () => {
    const at = daemonScene(PATIENT);
    const session = new PlayedSession(at);
    await session.start();
    await session.prompt('first');
    await session.answer('one');
    const fork = session.last;
    await session.prompt('left');
    await session.step('Write', {}, () => put(at.workspace, 'file', 'left'));
    await session.answer('two');
    session.rewindTo(fork);
    await session.prompt('right');
    await session.step('Write', {}, () => put(at.workspace, 'file', 'right'));
    await session.answer('two');
    await session.prompt('third');
    expect(at.retake.json(at.workspace, 'show', 't2').description).toBe('right');
    expect(at.retake.json(at.workspace, 'show', 't3').description).toBe('third');
    expect(at.retake.run(at.workspace, 'show', 't4', '--json')).toMatchObject({ code: 1, json: { error: { code: 'unknown-id' } } });
    expect(at.retake.run(at.workspace, 'show', 't0', '--json').code).toBe(1);
  });

  test('are those of the session that goes on, after the conversation went back; --session chooses another', async () => {
    const at = daemonScene(PATIENT);
    const session = await threeTurns(at);
    const { sessionId } = at.retake.json(at.workspace, 'rewind', 't3', '--scope', 'both', '--yes');
    expect(at.retake.json(at.workspace, 'show', 't2').description).toBe('do 2');
    // One that went back has the number that it had.
    expect(at.retake.json(at.workspace, 'show', 't3').description).toBe('do 3');
    expect(at.retake.run(at.workspace, 'show', 't3', '--session', sessionId, '--json').code).toBe(1);
    expect(at.retake.json(at.workspace, 'show', 't3', '--session', session.id).description).toBe('do 3');
    expect(at.retake.run(at.workspace, 'show', 't4', '--json').json.error.message).toBe(
      `There is no turn 4 in session ${sessionId}: it has 2`,
    );
    const resumed = new PlayedSession(at, sessionId);
    await resumed.prompt('another third');
    expect(at.retake.json(at.workspace, 'show', 't3')).toMatchObject({ description: 'another third', turn: 3 });
    const again = at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'both', '--yes');
    expect(again.sessionId).not.toBe(sessionId);
    expect(saidIn(at, again.sessionId)).toEqual(BEFORE_2);
  });
});

describe('[CNV-5] what was said before a checkpoint', () => {
  test('is the last 30 messages, or as many as wanted', async () => {
    const at = daemonScene(PATIENT);
    await threeTurns(at);
    const { messages } = at.retake.json(at.workspace, 'show', 't2', '--messages');
    expect(messages.map(({ kind }: { kind: string }) => kind)).toEqual(['prompt', 'reply', 'reply', 'reply']);
    expect(messages[1].calls[0]).toMatchObject({ name: 'Write', result: { text: 'done', isError: false } });
    expect(at.retake.json(at.workspace, 'show', 't2', '--messages', '1').messages).toHaveLength(1);
    expect(at.retake.run(at.workspace, 'show', 't2', '--messages').stdout).toContain('did 1');
  });
});
