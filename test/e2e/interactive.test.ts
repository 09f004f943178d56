import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../daemon/support.ts';
import { lab } from './lab.ts';
import { linesOf } from './records.ts';
import { bash, call, say, stall, write } from './script.ts';

test('try', async () => {
  const at = await lab((workspace) => ({
    'say hello': [call(write(`${workspace}/hello.txt`, 'hello\n')), say('greeted')],
    'think long': [call(write(`${workspace}/begun.txt`, 'begun\n')), stall],
    'run long': [call(bash('echo half > half.txt; sleep 600'))],
    'be brief': [call(write(`${workspace}/brief.txt`, 'brief\n')), say('that was brief')],
  }));
  const terminal = await at.client.open();
  await terminal.shows('❯');
  console.log(terminal.screen());
  await terminal.type('say hello');
  await terminal.shows('greeted');
  console.log(terminal.screen());
  await terminal.type('think long');
  await terminal.shows('Let me think');
  console.log(terminal.screen());
  terminal.press('Escape');
  await terminal.shows('Interrupted');
  console.log(terminal.screen());
  await terminal.type('run long');
  await until(() => existsSync(join(at.workspace, 'half.txt')));
  console.log(terminal.screen());
  terminal.press('Escape');
  await terminal.shows(/Interrupted[^]*Interrupted/);
  console.log(terminal.screen());
  await terminal.type('be brief');
  await terminal.shows('that was brief');
  console.log(terminal.screen());
  await terminal.type('/exit');
  await terminal.ended();
  console.log(linesOf(at));
  console.log(at.model.lastFor('be brief').outline);
  expect(1).toBe(1);
});
