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
