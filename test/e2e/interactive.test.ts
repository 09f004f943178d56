import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../daemon/support.ts';
import { lab } from './lab.ts';
import { linesOf, recordsOf } from './records.ts';
import { bash, call, say, stall, write } from './script.ts';

describe('the client in a terminal', () => {
  test('[AGT-1] interrupted while it answers and while a command runs, the next prompt has all that was done', async () => {
    const at = await lab((workspace) => ({
      'say hello': [call(write(`${workspace}/hello.txt`, 'hello\n')), say('greeted')],
      'think long': [call(write(`${workspace}/begun.txt`, 'begun\n')), stall],
      'run long': [call(bash('echo half > half.txt; sleep 600'))],
      'be brief': [call(write(`${workspace}/brief.txt`, 'brief\n')), say('that was brief')],
    }));
    const terminal = await at.client.open();
    await terminal.answers('say hello', 'greeted');

    await terminal.type('think long');
    await until(() => at.model.lastFor('think long')?.place?.step === 1);
    await terminal.shows('begun.txt');
    terminal.press('Escape');
    await terminal.shows('Interrupted');

    await terminal.type('run long');
    await until(() => existsSync(join(at.workspace, 'half.txt')));
    terminal.press('Escape');
    await terminal.shows(/Interrupted[\s\S]*Interrupted/);

    await terminal.answers('be brief', 'that was brief');
    await terminal.type('/exit');
    await terminal.ended();

    expect(at.model.lastFor('be brief')?.outline).toContain('user: [Request interrupted by user for tool use]');
    expect(linesOf(at)).toEqual([
      'session-start t0: Session startup, 0 changed +0 -0',
      'prompt t1: say hello, 0 changed +0 -0',
      'after-step t1 Write: Write hello.txt, 1 changed +1 -0',
      'prompt t2: think long, 0 changed +0 -0',
      'after-step t2 Write: Write begun.txt, 1 changed +1 -0',
      'prompt t3: run long, 0 changed +0 -0',
      // No hook tells of an interrupted tool: the next event finds what it did.
      'turn-end t3: End of turn (interrupted), 1 changed +1 -0',
      'prompt t4: be brief, 0 changed +0 -0',
      'after-step t4 Write: Write brief.txt, 1 changed +1 -0',
      'session-end t4: Session ended (prompt_input_exit), 0 changed +0 -0',
    ]);
  });

  test('[CKP-2] after its own rewind and a new prompt, everything is still recorded', async () => {
    const at = await lab((workspace) => ({
      'first thing': [call(write(`${workspace}/one.txt`, 'one\n')), say('first is done')],
      'second thing': [call(bash('echo two > two.txt')), say('second is done')],
      'another way': [call(write(`${workspace}/other.txt`, 'other\n')), say('the other is done')],
    }));
    const terminal = await at.client.open();
    await terminal.answers('first thing', 'first is done');
    await terminal.answers('second thing', 'second is done');
    await terminal.rewind('second thing');
    await terminal.answers('another way', 'the other is done');
    await terminal.type('/exit');
    await terminal.ended();

    expect(at.model.lastFor('another way')?.outline).not.toContain('user: second thing');
    // The daemon records that there is a fork when it gets to it.
    const records = recordsOf(at).filter(({ kind }) => kind !== 'fork-point');
    expect(records.map(({ kind, description }) => `${kind} ${description}`)).toEqual([
      'session-start Session startup',
      'prompt first thing',
      'after-step Write one.txt',
      'prompt second thing',
      'after-step Bash: echo two > two.txt',
      'prompt another way',
      'after-step Write other.txt',
      'session-end Session ended (prompt_input_exit)',
    ]);
  });
});
