import { Argument, type Command, type Option } from 'commander';
import { guideOf, type Kind, readVerb } from '../verb.ts';

/** What can stand where somebody is about to write a word. */
export type Wanted =
  | { readonly is: 'verbs'; readonly of: Command }
  | { readonly is: 'flags'; readonly of: Command }
  | { readonly is: 'choices'; readonly choices: readonly string[]; readonly after: string }
  | { readonly is: 'kind'; readonly kind: Kind; readonly after: string };

/** A place on a command line. */
export interface Place {
  readonly wanted: Wanted | undefined;
  /** What was given before, by the names of options and arguments. */
  readonly given: ReadonlyMap<string, string>;
}

/** What is to follow some words, when the next begins like this. */
export const placeAfter = async (program: Command, before: readonly string[], current: string): Promise<Place> => {
  const given = new Map<string, string>();
  let command = program;
  let option: Option | undefined;
  let positionals = 0;
  let isOptionsOver = false;
  for (const word of before) {
    if (option !== undefined && (option.required || !word.startsWith('-'))) {
      given.set(option.attributeName(), word);
      if (!option.variadic) option = undefined;
    } else if (!isOptionsOver && word === '--') isOptionsOver = true;
    else if (!isOptionsOver && word.startsWith('-') && word !== '-') option = optionGiven(command, word, given);
    else {
      option = undefined;
      const verb = positionals === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      const name = command.registeredArguments[Math.min(positionals, command.registeredArguments.length - 1)]?.name();
      if (verb === undefined && name !== undefined) given.set(name, word);
      positionals = verb === undefined ? positionals + 1 : 0;
      command = verb ?? command;
      await readVerb(command);
    }
  }
  const wanted = wantedHere(command, { option, positionals, isOptionsOver, current });
  return { wanted, given };
};

interface Reachability {
  readonly option: Option | undefined;
  readonly positionals: number;
  readonly isOptionsOver: boolean;
  readonly current: string;
}

const wantedHere = (command: Command, { option, positionals, isOptionsOver, current }: Reachability): Wanted | undefined => {
  if (option !== undefined && (option.required || !current.startsWith('-'))) return wantedBy(command, option, '');
  const [, flag, text] = isOptionsOver ? [] : (/^(--[^=]+)=(.*)$/s.exec(current) ?? []);
  const assigned = flag === undefined || text === undefined ? undefined : optionNamed(command, flag);
  if (assigned !== undefined) return wantedBy(command, assigned, `${flag}=`);
  if (current.startsWith('-') && !isOptionsOver) return { is: 'flags', of: command };
  if (command.commands.length > 0) return positionals === 0 ? { is: 'verbs', of: command } : undefined;
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[positionals] ?? (last?.variadic ? last : undefined);
  return argument && wantedBy(command, argument, '');
};

const wantedBy = (command: Command, taker: Option | Argument, after: string): Wanted | undefined => {
  if (taker.argChoices !== undefined) return { is: 'choices', choices: taker.argChoices, after };
  const name = taker instanceof Argument ? taker.name() : taker.attributeName();
  const kind = name === 'directory' ? 'directory' : guideOf(command)?.takes?.[name];
  return kind && { is: 'kind', kind, after };
};

/** The option that the next word is the value of, if it is. */
const optionGiven = (command: Command, word: string, given: Map<string, string>): Option | undefined => {
  const [flag = '', ...value] = word.split('=');
  const option = optionNamed(command, flag);
  if (option === undefined) return undefined;
  if (value.length > 0 || !(option.required || option.optional)) {
    given.set(option.attributeName(), value.join('='));
    return undefined;
  }
  return option;
};

const optionNamed = (command: Command, flag: string): Option | undefined =>
  optionsOf(command).find(({ long, short }) => flag === long || flag === short);

/** Those of a verb and of what it belongs to. */
export const optionsOf = (command: Command): Option[] => [
  ...command.createHelp().visibleOptions(command),
  ...(command.parent === null ? [] : optionsOf(command.parent).filter(({ long }) => long !== '--help' && long !== '--version')),
];
