import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../daemon/support.ts';
import { put } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { lab } from './lab.ts';
import { recordsOf } from './records.ts';
import { agent, bash, call, say, write } from './script.ts';

const waitFor = (file: string): string => `while [ ! -e ${file} ]; do sleep 0.05; done`;

/** A command that ends when the test says so; outside of the workspace, so that nothing is to be recorded of it. */
const gate = (): { readonly wait: string; readonly open: () => void } => {
  const directory = temporaryDirectory();
  return { wait: waitFor(join(directory, 'go')), open: () => void put(directory, 'go') };
};

describe('steps and prompts that overlap', () => {
  test('[CKP-1] a prompt typed while the agent works', async () => {
    const { wait, open } = gate();
    const at = await lab((workspace) => ({
      'slow thing': [call(bash(wait)), call(write(`${workspace}/after.txt`, 'after\n')), say('slow is done')],
    }));
    const terminal = await at.client.open();
    await terminal.type('slow thing');
    await until(() => at.model.lastFor('slow thing') !== undefined);
    await terminal.shows('while [');
    await terminal.type('typed meanwhile');
    open();
    await terminal.shows('slow is done');
    await terminal.hides('esc to interrupt');
    expect(JSON.stringify(at.model.lastFor('slow thing')?.messages)).toContain('typed meanwhile');
    expect(
      recordsOf(at)
        .filter(({ kind }) => kind === 'prompt')
        .map(({ turn, description }) => `${turn} ${description}`),
    ).toEqual(['1 slow thing', '1 typed meanwhile']);
  });

  test('[CKP-6] a prompt that waits until the agent is done, and a command of a file, begin turns of their own', async () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const at = await lab(() => ({
      'slow thing': [call(bash('echo 1 > one.txt')), { ...say('slow is done'), meanwhile: () => asked }],
      'typed meanwhile': [call(bash('echo 2 > two.txt')), say('that too')],
      'Do what the file says': [call(bash('echo 3 > three.txt')), say('the file is done')],
      last: [call(bash('echo 4 > four.txt')), say('all is done')],
    }));
    put(at.workspace, '.claude/commands/hello.md', 'Do what the file says');
    const terminal = await at.client.open();
    await terminal.type('slow thing');
    await until(() => at.model.lastFor('slow thing')?.place?.step === 1);
    await terminal.type('typed meanwhile');
    await until(() => recordsOf(at).some(({ description }) => description === 'typed meanwhile'));
    answer();
    await terminal.shows('that too');
    await terminal.hides('esc to interrupt');
    await terminal.answers('/hello', 'the file is done');
    await terminal.answers('last', 'all is done');
    expect(
      recordsOf(at)
        .filter(({ kind }) => kind === 'prompt' || kind === 'after-step')
        .map(({ turn, description }) => `${turn} ${description}`),
    ).toEqual([
      '1 slow thing',
      '1 Bash: echo 1 > one.txt',
      'null typed meanwhile',
      '2 typed meanwhile',
      '2 Bash: echo 2 > two.txt',
      '3 /hello',
      '3 Bash: echo 3 > three.txt',
      '4 last',
      '4 Bash: echo 4 > four.txt',
    ]);
    at.retake.json(at.workspace, 'rewind', 't2', '--yes');
    expect(['one.txt', 'two.txt', 'three.txt'].map((file) => existsSync(join(at.workspace, file)))).toEqual([true, false, false]);
  });

  test('[AGT-1] [RST-10] the model is told of a rewind with the result of the step that ran meanwhile, and before the next one, once', async () => {
    const [first, second] = [gate(), gate()];
    const at = await lab(() => ({
      'make things': [call(bash(`echo agent > agent.txt; ${first.wait}`)), call(bash(second.wait)), say('made')],
    }));
    const terminal = await at.client.open();
    await terminal.type('make things');
    await until(() => existsSync(join(at.workspace, 'agent.txt')));
    const { running } = at.retake.json(at.workspace, 'rewind', 't1', '--keep-mine', '--yes');
    expect(running).toMatchObject([{ agent: 'claude-code', tool: 'Bash' }]);
    expect(existsSync(join(at.workspace, 'agent.txt'))).toBe(false);
    first.open();
    const told = (): string => JSON.stringify(at.model.lastFor('make things')?.messages);
    await until(() => at.model.lastFor('make things')?.place?.step === 1);
    expect(told().match(/Retake: the user took files back/g)).toHaveLength(1);
    second.open();
    await terminal.shows('made');
    await terminal.hides('esc to interrupt');
    expect(told().match(/Retake: the user took files back/g)).toHaveLength(1);
  });

  test('[AGT-1] what is told before a step reaches the model', async () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const at = await lab(() => ({
      'make things': [call(bash('echo 1 > one.txt')), { ...call(bash('true')), meanwhile: () => asked }, say('made')],
    }));
    const terminal = await at.client.open();
    await terminal.type('make things');
    await until(() => at.model.lastFor('make things')?.place?.step === 1);
    at.retake.json(at.workspace, 'rewind', 't1', '--yes');
    answer();
    await terminal.shows('made');
    await terminal.hides('esc to interrupt');
    const told = JSON.stringify(at.model.lastFor('make things')?.messages);
    expect(told.match(/Retake: the user took files back/g)).toHaveLength(1);
  });

  test('[CKP-1] the step of a subagent that works on after the turn has ended', async () => {
    const { wait, open } = gate();
    const at = await lab(() => ({
      'send one': [call(agent('look', 'go and look')), call(bash(waitFor('sub.txt'))), say('sent')],
      'go and look': [call(bash(`echo sub > sub.txt; ${wait}`)), say('looked')],
    }));
    const terminal = await at.client.open();
    await terminal.answers('send one', 'sent');
    open();
    await terminal.shows('finished');
    expect(recordsOf(at).filter(({ agentId }) => agentId !== null)).not.toEqual([]);
  });

  test('[CKP-1] [FRK-1] a notice of the client is no turn', async () => {
    const { wait, open } = gate();
    const at = await lab(() => ({
      'in the back': [call({ name: 'Bash', input: { command: wait, description: 'waits', run_in_background: true } }), say('started')],
    }));
    const terminal = await at.client.open();
    await terminal.answers('in the back', 'started');
    open();
    await terminal.shows(/completed[\s\S]*ok/);
    await terminal.hides('esc to interrupt');
    expect(recordsOf(at).filter(({ kind }) => kind === 'prompt')).toHaveLength(1);
  });

  test("[CKP-1] what changed before a step that began beside another is said to be possibly that other one's", async () => {
    const { wait, open } = gate();
    const at = await lab((workspace) => ({
      'send two': [call(agent('look left', 'go left'), agent('look right', 'go right')), say('both are back')],
      'go left': [call(bash(`echo left > left.txt; ${wait}`)), say('left is done')],
      'go right': [
        {
          ...call(write(`${workspace}/right.txt`, 'right\n')),
          meanwhile: () => until(() => existsSync(join(workspace, 'left.txt'))),
        },
        { ...say('right is done'), meanwhile: open },
      ],
    }));
    expect((await at.client.talk(['send two'])).code).toBe(0);
    const before = recordsOf(at).filter(({ kind }) => kind === 'before-step');
    expect(before.map(({ id }) => at.retake.json(at.workspace, 'show', id).event.beside)).toEqual(before.map(() => true));
    expect(before.length).toBeGreaterThan(0);
  });
});
