import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type Oracle, observeWorkspace } from '../support/oracle.ts';
import { put } from '../support/scene.ts';
import { claudeProgram } from './claude-package.ts';
import { type Lab, lab } from './lab.ts';
import { outline } from './messages.ts';
import { bash, call, edit, read, say, write } from './script.ts';

const execute = promisify(execFile);
const PROMPTS = ['make a cart', 'clear up', 'and more'];

test('[CNV-1] [CNV-6] code and conversation go back before turn 2, and the resumed client sends exactly what was said before', async () => {
  let before: Oracle | undefined;
  const at: Lab = await lab((workspace) => ({
    'make a cart': [call(write(`${workspace}/cart.ts`, 'one\ntwo\n')), say('made')],
    'clear up': [
      {
        ...call(bash('rm old.txt && mkdir new && echo x > new/x')),
        meanwhile: () => {
          before = observeWorkspace(workspace);
        },
      },
      call(read(`${workspace}/cart.ts`)),
      call(edit(`${workspace}/cart.ts`, 'two', 'TWO')),
      say('cleared'),
    ],
    'and more': [call(bash('echo more > more.txt')), say('there is more')],
    'go on': [say('going on')],
  }));
  put(at.workspace, 'old.txt', 'old');
  const { code } = await at.client.talk(PROMPTS);
  expect(code).toBe(0);
  console.log(at.retake.run(at.workspace, 'log').stdout);
  const done = at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'both', '--yes');
  expect(observeWorkspace(at.workspace)).toEqual(before);
  console.log(done.resume, done.conversation);
  const resume = async (command: string): Promise<string[]> => {
    const env = { ...at.client.env, PATH: `${dirname(claudeProgram())}:${at.client.env.PATH}` };
    await execute('/bin/sh', ['-c', `${command} -p "go on"`], { env });
    return outline(at.model.lastFor('go on')?.messages ?? []);
  };
  console.log(await resume(done.resume));
  const undone = at.retake.json(at.workspace, 'undo', '--yes');
  console.log(undone.resume, await resume(undone.resume));
  console.log(at.retake.run(at.workspace, 'log').stdout, at.retake.run(at.workspace, 'sessions').stdout);
});
