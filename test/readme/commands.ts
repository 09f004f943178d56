import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BIN } from '../support/cli.ts';

const README = join(BIN, '../../README.md');

const readme = (): string => readFileSync(README, 'utf8');

/** The commands of the README's shell blocks, in order; what is said about each comes after two blanks. */
export const readmeCommands = (): string[] =>
  readme()
    .split('\n')
    .filter((line) => /^ {4}\S/.test(line))
    .map((line) => line.trim().split(/ {2,}/)[0] as string);

/** Pages of the project that it points to. */
export const readmeLinks = (): string[] =>
  [...readme().matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, path]) => path as string).filter((path) => !/^\w+:/.test(path));
