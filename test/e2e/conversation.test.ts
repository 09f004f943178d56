import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Oracle, observeWorkspace } from '../support/oracle.ts';
import { type Lab, lab } from './lab.ts';
import { substance } from './messages.ts';
import { promptRecord } from './records.ts';
import { bash, call, edit, say, write } from './script.ts';

interface Told extends Lab {
  readonly session: string;
  readonly before: Oracle;
  readonly after: Oracle;
  /** The session's own file. */
  readonly transcript: () => string;
}

/** Three turns, each of which changes files; `before` is how they were before the second. */
const threeTurns = async (): Promise<Told> => {
  let before: Oracle = new Map();
  const at: Lab = await lab((workspace) => ({
    'turn one': [call(write(`${workspace}/cart.txt`, 'one\n')), call(bash('echo x > x.txt')), say('one is done')],
    'turn two': [
      { ...call(bash('rm x.txt; mkdir d; echo y > d/y.txt')), meanwhile: () => (before = observeWorkspace(workspace)) },
      call(edit(`${workspace}/cart.txt`, 'one', 'two')),
      say('two is done'),
    ],
    'turn three': [call(bash('echo three >> cart.txt')), say('three is done')],
    'go on': [say('went on')],
  }));
  const { session } = await at.client.talk(['turn one', 'turn two', 'turn three']);
  const projects = join(at.retake.env.HOME ?? '', '.claude/projects');
  const [project = ''] = readdirSync(projects);
  const transcript = (): string => readFileSync(join(projects, project, `${session}.jsonl`), 'latin1');
  return { ...at, session, before, after: observeWorkspace(at.workspace), transcript };
};

/** What the model was sent before a prompt. */
const sentBefore = ({ model }: Lab, prompt: string): unknown[] => {
  const request = model.requests.find(({ place }) => place?.prompt === prompt && place.step === 0);
  return substance(request?.messages ?? []).slice(0, -1);
};

/** What the model is sent before "go on" when somebody runs the command that Retake handed out. */
const sentByResuming = async (at: Lab, resume: string): Promise<unknown[]> => {
  expect(await at.client.shell(`${resume} -p "go on"`)).toEqual({ code: 0, stdout: 'went on\n', stderr: '' });
  return substance(at.model.lastFor('go on')?.messages ?? []).slice(0, -1);
};

const ALL = ['turn one', 'one is done', 'turn two', 'two is done', 'turn three', 'three is done'];
const textsOf = (blocks: readonly unknown[]): string[] => blocks.flatMap((block) => (block as { text?: string }).text ?? []);

describe('going back in the conversation', () => {
  test('[CNV-1] [CNV-2] both go back: files as before turn 2, and the agent knows only what was said before it', async () => {
    const at = await threeTurns();
    const old = at.transcript();
    const { resume } = at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'both', '--yes');
    expect(observeWorkspace(at.workspace)).toEqual(at.before);
    const sent = await sentByResuming(at, resume);
    expect(textsOf(sent)).toEqual(ALL.slice(0, 2));
    expect(sent).toEqual(sentBefore(at, 'turn two'));
    expect(at.transcript()).toBe(old);
  });

  test('[RST-7] [CNV-6] undo hands back the old session and the old files', async () => {
    const at = await threeTurns();
    at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'both', '--yes');
    const { resume } = at.retake.json(at.workspace, 'undo', '--yes');
    expect(observeWorkspace(at.workspace)).toEqual(at.after);
    expect(resume).toContain(at.session);
    expect(textsOf(await sentByResuming(at, resume))).toEqual(ALL);
  });

  test('[CNV-6] the conversation alone goes back, and no file is touched', async () => {
    const at = await threeTurns();
    const untouched = observeWorkspace(at.workspace, { mtimes: true });
    const { resume } = at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'conversation', '--yes');
    expect(observeWorkspace(at.workspace, { mtimes: true })).toEqual(untouched);
    expect(await sentByResuming(at, resume)).toEqual(sentBefore(at, 'turn two'));
  });

  test('[AGT-1] after the code went back, the agent is told so with the next prompt', async () => {
    const at = await threeTurns();
    at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'code', '--yes');
    const { code } = await at.client.print('go on', '--resume', at.session);
    expect(code).toBe(0);
    const told = JSON.stringify(at.model.lastFor('go on')?.messages.slice(-2));
    expect(told).toMatch(/Retake/);
    expect(told).toMatch(/cart\.txt/);
  });
});

describe('forks', () => {
  test('[CNV-3] a fork begins before the prompt, and the present session goes on as it was', async () => {
    const at = await threeTurns();
    const old = at.transcript();
    const { sessionId, resume } = at.retake.json(at.workspace, 'fork', promptRecord(at, 'turn two').id);
    expect(sessionId).not.toBe(at.session);
    expect(observeWorkspace(at.workspace)).toEqual(at.after);
    expect(await sentByResuming(at, resume)).toEqual(sentBefore(at, 'turn two'));
    expect(at.transcript()).toBe(old);
  });
});

describe('summaries', () => {
  test('[CNV-4] from a prompt on, a summary stands for what was said', async () => {
    const at = await threeTurns();
    const { resume } = at.retake.json(at.workspace, 'summarize', promptRecord(at, 'turn two').id, '--from');
    const sent = await sentByResuming(at, resume);
    const before = sentBefore(at, 'turn two');
    expect(sent.slice(0, before.length)).toEqual(before);
    expect(JSON.stringify(sent.slice(before.length))).toContain('turn two');
    expect(JSON.stringify(sent.slice(before.length))).not.toContain('tool_use');
    expect(observeWorkspace(at.workspace)).toEqual(at.after);
  });

  test('[CNV-4] up to a prompt, a summary stands for what was said', async () => {
    const at = await threeTurns();
    const { resume } = at.retake.json(at.workspace, 'summarize', promptRecord(at, 'turn three').id, '--upto');
    const texts = textsOf(await sentByResuming(at, resume));
    expect(texts.slice(-2)).toEqual(['turn three', 'three is done']);
    expect(texts.slice(0, -2).join('\n')).toContain('turn one');
    expect(texts).not.toContain('one is done');
  });
});
