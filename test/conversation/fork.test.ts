import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { daemonScene } from '../daemon/support.ts';
import { put, type Scene } from '../support/scene.ts';
import { linesOf, PlayedSession, saidIn, sessionFiles } from './played-session.ts';

const PATIENT = { RETAKE_HOOK_DEADLINE_MS: '60000' };

const twoTurns = async (at: Scene): Promise<PlayedSession> => {
  const session = new PlayedSession(at);
  await session.start();
  for (const turn of [1, 2]) {
    await session.prompt(`do ${turn}`);
    await session.step('Write', { file_path: join(at.workspace, 'file') }, () => put(at.workspace, 'file', `${turn}`));
    await session.answer(`did ${turn}`);
  }
  return session;
};

const everythingIn = (at: Scene, session: string): string => JSON.stringify(linesOf(at, session).map(({ message }) => message));

test('[CNV-3] a fork is another session; the present one and the code stay as they are', async () => {
  const at = daemonScene(PATIENT);
  const session = await twoTurns(at);
  const before = readFileSync(session.path);
  const fork = at.retake.json(at.workspace, 'fork', 't2', '--name', 'another way');
  expect(fork).toMatchObject({ prompt: 'do 2', resume: expect.stringContaining(`--resume ${fork.sessionId}`) });
  expect(saidIn(at, fork.sessionId)).toEqual(['do 1', 'tool_use', 'tool_result', 'did 1']);
  expect(readFileSync(session.path)).toEqual(before);
  expect(readFileSync(join(at.workspace, 'file'), 'utf8')).toBe('2');
  const [newest] = at.retake.json(at.workspace, 'log', '--limit', '1').operations;
  expect(newest).toMatchObject({ id: fork.id, kind: 'fork', description: 'another way', session: session.id });
  // The present conversation is still the one that goes on.
  expect(at.retake.json(at.workspace, 'show', 't2').description).toBe('do 2');
});

test('[CNV-3] before the first prompt there is nothing to fork', async () => {
  const at = daemonScene(PATIENT);
  await twoTurns(at);
  expect(at.retake.run(at.workspace, 'fork', 't1', '--json')).toMatchObject({ code: 1, json: { error: { code: 'no-conversation' } } });
  expect(at.retake.run(at.workspace, 'fork', 'nothing', '--json').json.error.code).toBe('unknown-id');
  expect(sessionFiles(at)).toHaveLength(1);
});

describe('[CNV-4] a summary', () => {
  test('without a command is a digest of prompts, files and results', async () => {
    const at = daemonScene(PATIENT);
    await twoTurns(at);
    const { sessionId } = at.retake.json(at.workspace, 'summarize', 't2', '--from');
    expect(saidIn(at, sessionId).slice(0, 4)).toEqual(['do 1', 'tool_use', 'tool_result', 'did 1']);
    const written = everythingIn(at, sessionId);
    for (const word of ['do 2', 'file']) expect(written).toContain(word);
    expect(saidIn(at, sessionId)).not.toContain('did 2');
  });

  test('is made by the command in the settings, which reads the messages', async () => {
    const at = daemonScene({ ...PATIENT, RETAKE_CONVERSATION_SUMMARIZER: 'printf "SUMMARY of "; grep -c "do 1"' });
    await twoTurns(at);
    const { sessionId, prompt } = at.retake.json(at.workspace, 'summarize', 't2', '--upto');
    expect(prompt).toBeNull();
    expect(everythingIn(at, sessionId)).toContain('SUMMARY of 1');
    expect(saidIn(at, sessionId).slice(-4)).toEqual(['do 2', 'tool_use', 'tool_result', 'did 2']);
    expect(saidIn(at, sessionId)).not.toContain('did 1');
  });

  test.each([
    ['exit 3', 'it ended with 3'],
    ['echo no >&2; exit 1', 'it ended with 1: no'],
    ['true', 'it printed nothing'],
  ])('of a command that fails (%s) is refused, and nothing is written', async (command, why) => {
    const at = daemonScene({ ...PATIENT, RETAKE_CONVERSATION_SUMMARIZER: command });
    await twoTurns(at);
    const { code, json } = at.retake.run(at.workspace, 'summarize', 't2', '--from', '--json');
    expect([code, json.error.code]).toEqual([1, 'summarizer-failed']);
    expect(json.error.message).toContain(why);
    expect(sessionFiles(at)).toHaveLength(1);
  });

  test('needs to know of which side', async () => {
    const at = daemonScene(PATIENT);
    await twoTurns(at);
    expect(at.retake.run(at.workspace, 'summarize', 't2').code).toBe(2);
    expect(at.retake.run(at.workspace, 'summarize', 't2', '--from', '--upto').code).toBe(2);
    expect(at.retake.run(at.workspace, 'summarize', 't1', '--upto', '--json').json.error.code).toBe('no-conversation');
  });
});
