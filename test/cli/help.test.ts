import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { wordsOf } from '../../src/cli/completion/shell-line.ts';
import { fullName, GROUPS, guideOf } from '../../src/cli/verb.ts';
import { allVerbs, wholeProgram } from '../support/program.ts';
import { expectJsonRefusal, expectPlainRefusal } from '../support/refusal.ts';
import { scene } from '../support/scene.ts';

const VERBS = allVerbs(await wholeProgram());

/** The program's own part of a line that may hold more: what it is given to, what it is put into. */
const ownWords = (line: string): string[] => {
  const [, own = line] = /\$\((.*?)\)/.exec(line) ?? [];
  const [before = ''] = own.split(' > ');
  return wordsOf(before).map(({ meant }) => meant);
};

/** Reads a command line as the program does, and does nothing of it. */
const parse = async (words: readonly string[]): Promise<Command | undefined> => {
  const program = await wholeProgram();
  let reached: Command | undefined;
  for (const command of allVerbs(program)) {
    command.action((...given: unknown[]) => {
      reached = given.at(-1) as Command;
    });
  }
  await program.parseAsync([...words], { from: 'user' });
  return reached;
};

test.each(VERBS.map((command) => [fullName(command), command] as const))(
  '[UI-1] the help of %s has its meaning and two examples at least, and each of them is a line that it takes',
  async (name, command) => {
    const guide = guideOf(command);
    expect(command.summary()).not.toBe('');
    expect(command.description()).not.toBe('');
    expect(guide?.examples.length).toBeGreaterThanOrEqual(2);
    for (const [line, meaning] of guide?.examples ?? []) {
      expect(meaning).not.toBe('');
      const [program, ...words] = ownWords(line);
      expect(program).toBe('retake');
      const reached = await parse(words);
      expect(reached === undefined ? 'nothing' : fullName(reached), line).toMatch(new RegExp(`^${name}( |$)`));
    }
  },
);

test('[UI-1] a line that the program does not take is none: the walk over the examples can fail', async () => {
  await expect(parse(['rewind', 't3', '--nonsense'])).rejects.toThrow('unknown option');
  await expect(parse(['diff'])).rejects.toThrow('missing required argument');
});

test('[UI-1] what is told to be completed is something that the verb takes', () => {
  for (const command of VERBS) {
    const taken = [...command.registeredArguments.map((one) => one.name()), ...command.options.map((one) => one.attributeName())];
    expect(taken, fullName(command)).toEqual(expect.arrayContaining(Object.keys(guideOf(command)?.takes ?? {})));
  }
});

test('[UI-1] --help lists every verb once, by what it is for, on one screen', () => {
  const at = scene();
  const { stdout, stderr, code } = at.retake.run(at.workspace, '--help');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  for (const title of Object.values(GROUPS)) expect(stdout).toMatch(new RegExp(`^${title} `, 'm'));
  for (const command of VERBS.filter(({ parent }) => parent?.parent === null)) {
    expect(stdout.match(new RegExp(`^.{15}${command.name()} `, 'gm')), command.name()).toHaveLength(1);
  }
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(55);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(105);
});

test('[UI-1] help VERB and VERB --help say the same, with options and examples; so do verbs of verbs', () => {
  const at = scene();
  for (const verb of [['rewind'], ['daemon', 'start']]) {
    const asked = at.retake.run(at.workspace, 'help', ...verb);
    const told = at.retake.run(at.workspace, ...verb, '--help');
    expect(asked).toMatchObject({ code: 0, stderr: '', stdout: told.stdout });
    expect(asked.stdout).toContain(`Usage: retake ${verb.join(' ')}`);
    expect(asked.stdout).toContain('--json');
    expect(asked.stdout).toMatch(/Examples:\n {2}retake /);
  }
});

test('[UI-1] --json gives one document for help and version too', () => {
  const at = scene();
  const run = (...args: string[]) => at.retake.run(at.workspace, ...args);
  for (const line of [['--help'], ['help', 'rewind'], ['rewind', '--help'], ['daemon', 'start', '--help']]) {
    const told = run(...line, '--json');
    expect(told, line.join(' ')).toMatchObject({ code: 0, stderr: '' });
    expect(told.json, line.join(' ')).toEqual({ help: run(...line).stdout });
  }
  const { code, stderr, json } = run('--json', '--version');
  expect({ code, stderr, json }).toEqual({ code: 0, stderr: '', json: { version: run('--version').stdout.trim() } });
});

test('[UI-1] without a verb --json gives the error alone, and behind -- it is a word like others', () => {
  const at = scene();
  for (const line of [['--json'], ['daemon', '--json']]) expectJsonRefusal(at.retake.run(at.workspace, ...line), 'usage', 2);
  expectPlainRefusal(at.retake.run(at.workspace, 'show', '--', '--json'), 1);
});
