import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { BIN } from '../support/cli.ts';
import { put, type Scene, scene } from '../support/scene.ts';
import { runInTerminal } from '../support/terminal-run.ts';

/** A workspace in which two files changed since its checkpoint: going back has to be confirmed. */
const changed = (): Scene => {
  const at = scene();
  for (const name of ['one', 'two']) put(at.workspace, name, '1');
  at.retake.json(at.workspace, 'checkpoint');
  for (const name of ['one', 'two']) put(at.workspace, name, '2');
  return at;
};

const contents = ({ workspace }: Scene): string[] => ['one', 'two'].map((name) => readFileSync(join(workspace, name), 'utf8'));

/** Rewinds in a terminal, with something typed where it is asked; what was shown without colours and carriage returns. */
const rewind = async (at: Scene, typed: string, line = 'rewind @-1', columns = 80) => {
  let isTyped = false;
  const { shown, code } = await runInTerminal(`'${BIN}' ${line}`, {
    directory: at.workspace,
    env: at.retake.env,
    columns,
    onShown: (shown) => {
      if (isTyped || !shown.includes('[y/N]')) return undefined;
      isTyped = true;
      return typed;
    },
  });
  return { shown: stripVTControlCharacters(shown).replaceAll('\r', ''), code };
};

test('[RST-12] a yes after the plan is what it takes', async () => {
  const at = changed();
  const { shown, code } = await rewind(at, 'y\r');
  expect(shown).toMatch(/one[\s\S]*two[\s\S]*Go ahead\? \[y\/N\] y\n/);
  expect([code, ...contents(at)]).toEqual([0, '1', '1']);
});

test.each([
  ['no', 'n\r'],
  ['nothing', '\r'],
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('[RST-12] %s is no: said so on a line of its own, exit code 1, nothing changed', async (_, typed) => {
  const at = changed();
  const { shown, code } = await rewind(at, typed);
  expect(shown).toMatch(/\[y\/N\].*\nretake: Not confirmed; nothing was changed\n/);
  expect(shown).not.toContain('not foreseen');
  expect([code, ...contents(at)]).toEqual([1, '2', '2']);
});

test('[RST-1] [RST-12] on a narrow terminal too, a plan and a list of changes name their files whole', async () => {
  const at = scene();
  const folder = 'packages/application/source/components/checkout/forms/fields';
  const paths = ['first.ts', 'second.ts'].map((name) => `${folder}/${name}`);
  for (const path of paths) put(at.workspace, path, '1');
  at.retake.json(at.workspace, 'checkpoint');
  for (const path of paths) put(at.workspace, path, '2');
  const shownBy = async (command: string): Promise<string> =>
    (await runInTerminal(`'${BIN}' ${command}`, { directory: at.workspace, env: at.retake.env, columns: 40 })).shown;
  const told = [(await rewind(at, 'n\r', 'rewind @-1', 40)).shown.split('[y/N]')[0], await shownBy('diff @-1')];
  for (const text of told) for (const path of paths) expect(text).toContain(path);
});

test.each([
  ['the plan', '> hidden'],
  ['the question', '2> hidden'],
  ['the answer', '< hidden'],
])('[RST-12] nobody is asked where %s is not on the terminal', async (_, redirection) => {
  const at = changed();
  put(at.retake.env.HOME ?? '', 'hidden', 'y\n');
  const { shown, code } = await rewind(at, 'y\r', `rewind @-1 ${redirection.replace('hidden', '"$HOME/hidden"')}`);
  const told = shown + readFileSync(join(at.retake.env.HOME ?? '', 'hidden'), 'utf8');
  expect(told).toContain('there is no terminal to ask on');
  expect(told).not.toContain('[y/N]');
  expect([code, ...contents(at)]).toEqual([1, '2', '2']);
});
