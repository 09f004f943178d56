import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Newcomer, newcomer } from '../start/newcomer.ts';
import { BIN } from '../support/cli.ts';
import { put } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { readmeCommands, readmeLinks } from './commands.ts';

/** What an id in the README stands for, by the verb that it is given to. */
const ID = /^[0-9a-f]{8}$/;
// biome-ignore lint/suspicious/noExplicitAny: answers of the command line
type Look = (...args: string[]) => any;
const MEANT: Readonly<Record<string, (look: Look) => string>> = {
  switch: (look) => look('forks').tree[0].children.find(({ current }: { current: boolean }) => !current).branch,
  recover: (look) => look('log').operations.find(({ description }: { description: string }) => description === 'Write tax.test.ts').id,
  report: (look) => look('sessions').sessions.find(({ steps }: { steps: number }) => steps > 0).id,
  export: (look) => look('sessions').sessions.find(({ steps }: { steps: number }) => steps > 0).id,
};

/** They ask before they change something; nobody sits at a terminal here. */
const ASKING = new Set(['rewind', 'undo', 'redo', 'switch', 'merge', 'keep', 'discard', 'revert', 'recover']);

/** The picker is for somebody at a terminal, and has tests of its own. */
const isForSomebody = (command: string): boolean => /^retake(?: rewind)?$/.test(command);

const adapted = (command: string, look: Look): string[] => {
  const [, ...args] = command.split(' ');
  const [verb = ''] = args;
  const words = args.map((word) => (ID.test(word) ? (MEANT[verb]?.(look) ?? `nobody-knows-what-${word}-is`) : word));
  return ASKING.has(verb) && !args.includes('--dry-run') ? [...words, '--yes'] : words;
};

/** Where a browser is opened, that happens on nobody's screen. */
const withoutScreen = (at: Newcomer): Record<string, string> => {
  const tools = temporaryDirectory();
  for (const name of ['xdg-open', 'open']) put(tools, name, '#!/bin/sh\n', 0o755);
  return { ...at.env, PATH: `${tools}:${at.env.PATH}` };
};

test('[UI-1] every command of the README works, in its order, on the demo that npm start makes', () => {
  const commands = readmeCommands();
  expect(commands.filter((command) => !/^retake\b/.test(command))).toEqual(['npm install && npm start', 'npm install && npm test']);
  const lines = commands.filter((command) => command.startsWith('retake ') && !isForSomebody(command));
  expect(lines.length).toBeGreaterThan(15);

  const at = newcomer();
  expect(at.npm(['start']).code).toBe(0);
  const shop = join(at.demo, 'shop');
  const env = withoutScreen(at);
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(at.command, args, { cwd: shop, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
    expect(status, `retake ${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
    return { stdout, stderr };
  };
  const look: Look = (...args) => JSON.parse(run(...args, '--json').stdout);
  // What the agent destroyed is brought back first: there is more to go on with.
  run('rewind', 't5', '--yes');

  const undoable: string[] = [];
  for (const [index, line] of lines.entries()) {
    const { stdout, stderr } = run(...adapted(line, look));
    expect(stdout, line).toMatch(/\S/);
    expect(`${stdout}${stderr}`, line).not.toMatch(/^Nothing to change/m);
    if (line.startsWith('retake checkpoint')) {
      appendFileSync(join(shop, 'src/catalogue.ts'), '// refactored\n');
      put(shop, 'src/new.ts', 'export {};\n');
    }
    const undo = /^To take this back: retake undo ([0-9a-f]+)$/m.exec(stderr)?.[1];
    if (line === 'retake undo') undoable.pop();
    else if (undo !== undefined) undoable.push(undo);
    // The next one finds the story as it was told, unless it is about what this one did.
    if (/^retake (?:undo|recover)\b/.test(lines[index + 1] ?? '')) continue;
    for (const id of undoable.splice(0).reverse()) run('undo', id, '--yes');
  }
});

test('[UI-1] every page that the README points to is there', () => {
  const missing = readmeLinks().filter((path) => !existsSync(join(BIN, '../..', path)));
  expect(missing).toEqual([]);
  expect(readmeLinks().length).toBeGreaterThan(10);
});
