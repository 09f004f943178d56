import type { Command } from 'commander';
import { didYouMean, nearest, suggesting } from '../model/index.ts';
import { fullName, type Misuse } from './verb.ts';

/** What is wrong, what may have been meant, and where it is told. */
export const describeMisuse = ({ command, reason: { message, code } }: Misuse) => {
  const near = suggestions(command, message);
  const said = code === 'commander.help' ? 'What is to be done?' : capital(message.replace(/^error: /, '').replaceAll('\n', ' '));
  return {
    code: 'usage',
    message: `${near.length === 0 ? said : said.replace(/\.$/, '')}${didYouMean(near)}`,
    hint: howTo(command),
    ...suggesting(near),
  };
};

/** Where it is told how a verb is used. */
export const howTo = (command: Command): string => `${fullName(command)} --help tells how it is used.`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const suggestions = (command: Command, message: string): string[] => {
  const [, verb] = /unknown command '(.+)'/s.exec(message) ?? [];
  if (verb !== undefined) return nearest(verb, namesOf(command));
  const [, option] = /unknown option '(-.+?)(?:=.*)?'/s.exec(message) ?? [];
  if (option !== undefined) return nearest(option, flagsOf(command));
  const [, given, choices] = /(?:argument|value) '(.*)' is invalid.*?\. Allowed choices are (.+)\.$/s.exec(message) ?? [];
  return given === undefined ? [] : nearest(given, choices?.split(', ') ?? []);
};

const namesOf = (command: Command): string[] => command.commands.map((one) => one.name());

/** Long names of the options that a verb takes, those of the program included. */
const flagsOf = (command: Command): string[] => [
  ...command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? []),
  ...(command.parent === null ? [] : flagsOf(command.parent)),
];
