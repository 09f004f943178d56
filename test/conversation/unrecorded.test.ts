import { expect, test } from 'vitest';
import { serve } from '../api/served.ts';
import { forkScene, text, turn } from '../forks/forked.ts';
import { put, type Scene } from '../support/scene.ts';
import { PlayedSession, saidIn, sessionFiles } from './played-session.ts';

/** Two turns from before Retake was there, and one that was recorded. */
const begunBefore = async () => {
  const at = forkScene();
  put(at.workspace, 'a.txt', 'a\n');
  const session = new PlayedSession(at);
  session.isUnheard = true;
  await session.start();
  for (const said of ['first', 'second']) {
    await session.prompt(said);
    await session.answer(`${said} answered`);
  }
  session.isUnheard = false;
  await turn(at, session, 'third', { 'a.txt': 'changed\n' });
  return { at, session };
};

/** A conversation of which nothing is recorded, beside other records. */
const unheard = async () => {
  const { at, session } = await begunBefore();
  const other = new PlayedSession(at);
  other.isUnheard = true;
  await other.start();
  for (const said of ['one', 'two', 'three']) {
    await other.prompt(said);
    await other.answer(`${said} answered`);
  }
  return { at, session, other };
};

const refusal = (at: Scene, ...line: string[]) => at.retake.run(at.workspace, ...line, '--json').json.error;

test('[CNV-1] [FRK-2] the conversation goes back alone where no code is recorded; the code is refused, with the reason', async () => {
  const { at, session } = await begunBefore();
  for (const scope of [[], ['--scope', 'code'], ['--scope', 'both']]) {
    const { code, message, hint } = refusal(at, 'rewind', 't2', '--yes', ...scope);
    expect([code, message]).toEqual(['no-code', expect.stringContaining('Turn 2 of session')]);
    expect(hint).toContain('--scope conversation');
  }
  const line = ['rewind', 't2', '--scope', 'conversation'];
  const plan = at.retake.json(at.workspace, ...line, '--dry-run');
  expect(plan).toMatchObject({
    scope: 'conversation',
    codeRecorded: false,
    operations: [],
    conversation: { from: session.id, turns: 2, prompt: 'second' },
    leavesBehind: { steps: [], checkpoints: [] },
  });
  expect(at.retake.run(at.workspace, ...line, '--dry-run').stdout).toMatch(
    /^Rewind the conversation to turn 2: second; the code is not recorded there and stays as it is$/m,
  );
  expect(sessionFiles(at)).toHaveLength(1);
  const done = at.retake.json(at.workspace, ...line, '--yes');
  expect(saidIn(at, done.sessionId)).toEqual(['first', 'first answered']);
  expect(text(at, 'a.txt')).toBe('changed\n');
  // The turn that was recorded is left with the conversation, and comes back with it.
  const rolledBack = () =>
    at.retake.json(at.workspace, 'log').operations.find(({ kind }: { kind: string }) => kind === 'prompt').rolledBack;
  expect(rolledBack()).toBe('conversation');
  expect(at.retake.json(at.workspace, 'undo', '--yes').sessionId).toBe(session.id);
  expect(rolledBack()).toBeNull();
});

test('[CNV-3] [CNV-4] it is forked and summarized there too, also where nothing of the session is recorded', async () => {
  const { at, session, other } = await unheard();
  const forked = at.retake.json(at.workspace, 'fork', 't2', '--session', session.id);
  expect(saidIn(at, forked.sessionId)).toEqual(['first', 'first answered']);
  expect(forked.prompt).toBe('second');
  const ofOther = at.retake.json(at.workspace, 'fork', 't3', '--session', other.id);
  expect(saidIn(at, ofOther.sessionId)).toEqual(['one', 'one answered', 'two', 'two answered']);
  const summed = at.retake.json(at.workspace, 'summarize', 't2', '--upto', '--session', other.id);
  expect(saidIn(at, summed.sessionId).slice(-4)).toEqual(['two', 'two answered', 'three', 'three answered']);
  const { sessionId } = at.retake.json(at.workspace, 'rewind', 't2', '--session', other.id, '--scope', 'conversation', '--yes');
  expect(saidIn(at, sessionId)).toEqual(['one', 'one answered']);
  expect(refusal(at, 'rewind', 't2', '--session', other.id, '--yes').code).toBe('no-code');
  expect(refusal(at, 'fork', 't9', '--session', other.id).code).toBe('unknown-id');
  expect(refusal(at, 'fork', 't1', '--session', other.id).code).toBe('no-conversation');
});

test('[API] [CNV-6] the same over HTTP', async () => {
  const { at, other } = await unheard();
  const { ask } = serve(at);
  const params = { session: other.id, checkpoint: 't2' };
  const preview = await ask('previewRollback', { params, query: { scope: 'conversation' } });
  expect(preview).toMatchObject({ codeRecorded: false, operations: [], conversation: { from: other.id, turns: 2 } });
  await expect(ask('previewRollback', { params, query: { scope: 'code' } })).rejects.toMatchObject({ status: 404, code: 'no-code' });
  const { expectedTree } = preview;
  await expect(ask('rollBack', { params, body: { scope: 'both', expectedTree } })).rejects.toMatchObject({ code: 'no-code' });
  const { sessionId } = await ask('rollBack', { params, body: { scope: 'conversation', expectedTree } });
  expect(saidIn(at, sessionId ?? '')).toEqual(['one', 'one answered']);
  const fork = await ask('forkSession', { params: { session: other.id }, body: { checkpoint: 't3', summary: 'from' } });
  expect(saidIn(at, fork.sessionId).slice(0, 2)).toEqual(['one', 'one answered']);
});
