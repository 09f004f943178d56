import type { Command } from 'commander';
import { didYouMean, nearest, RetakeError, suggesting } from '../model/index.ts';
import { paint } from './output.ts';
import { describeVerb, fullName, GROUPS, type Guide, guideOf, listVerb, readVerb } from './verb.ts';

/** How every verb's own help looks; verbs that are added later take it over. */
export const styleHelp = (program: Command): void => {
  program.configureHelp({ showGlobalOptions: true, styleTitle: (title) => paint('bold', title) });
};

/** With all verbs listed: the list of them by what they are for, and to each its examples. */
export const completeHelp = (program: Command): void => {
  addHelpVerb(program);
  program.configureHelp({ formatHelp: () => overview(program) });
  program.addHelpText('afterAll', ({ command }) => (command === program ? '' : examplesOf(command)));
};

const HELP: Guide = {
  examples: [
    ['retake help', 'all verbs, by what they are for'],
    ['retake help rewind', 'what rewind takes'],
  ],
  takes: { verb: 'verb' },
};

const addHelpVerb = (program: Command): void => {
  program.helpCommand(false);
  listVerb(program, 'help', { group: 'service', summary: 'what a verb does, with examples' });
  describeVerb(program, 'help', HELP)
    .description('tell what a verb does and what it takes')
    .argument('[verb...]', 'such as rewind, or daemon start')
    .action(async (names: readonly string[]) => (await commandNamed(program, names)).outputHelp());
};

const commandNamed = async (program: Command, names: readonly string[]): Promise<Command> => {
  let command = program;
  for (const name of names) {
    const known = command.commands.map((one) => one.name());
    const next = command.commands.find((one) => one.name() === name);
    if (next === undefined) {
      const near = nearest(name, known);
      throw new RetakeError('usage', `There is no verb ${JSON.stringify(name)}${didYouMean(near)}`, {
        hint: `${fullName(command)} --help lists them.`,
        ...suggesting(near),
      });
    }
    command = next;
    await readVerb(command);
  }
  return command;
};

/** All verbs on one screen, what they are for beside the first of each kind. */
const overview = (program: Command): string => {
  const rows = Object.values(GROUPS).flatMap((title) =>
    program.commands
      .filter((command) => command.helpGroup() === title)
      .map((command, at) => [at === 0 ? title : '', command.name(), command.summary()] as const),
  );
  const [first, second] = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)) + 2) as [number, number];
  const options = program.options.map(({ flags, description }) => [flags, description] as const);
  const flagWidth = Math.max(...options.map(([flags]) => flags.length)) + 2;
  return [
    `${paint('bold', 'Usage:')} retake VERB …`,
    program.description(),
    '',
    ...rows.map(([title, name, summary]) => `${paint('bold', title.padEnd(first))}${paint('cyan', name.padEnd(second))}${summary}`),
    '',
    ...options.map(([flags, description]) => `${flags.padEnd(flagWidth)}${description}`),
    '',
    'retake help VERB tells more, with examples. To begin: retake setup claude-code, or retake checkpoint.',
    '',
  ].join('\n');
};

const examplesOf = (command: Command): string => {
  const examples = guideOf(command)?.examples ?? [];
  return ['', paint('bold', 'Examples:'), ...examples.map(([line, meaning]) => `  ${line}\n      ${paint('dim', meaning)}`)].join('\n');
};
