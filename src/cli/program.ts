import { stripVTControlCharacters, styleText } from 'node:util';
import { Command } from 'commander';
import { version } from '../model/version.ts';
import { adviceFor } from './advice.ts';
import { completeHelp, styleHelp } from './help.ts';
import { describeMisuse } from './misuse.ts';
import { withVerb } from './no-verb.ts';
import { describeError, hint, oneLine, printJson, writeText } from './output.ts';
import { paged } from './pager.ts';
import { Misuse, readVerb, throwing } from './verb.ts';
import { listVerbs } from './verbs/index.ts';

/** The verb that shells ask; people never need it. */
const COMPLETE = '__complete';

/** Runs one command line and returns its exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export const runProgram = async (args: readonly string[]): Promise<number> => {
  const help: string[] = [];
  const flags = { json: isGiven(args, '--json'), pager: !isGiven(args, '--no-pager') };
  const program = buildProgram((text) => void help.push(text), flags);
  if (args[0] === COMPLETE) {
    const { offerWords } = await import('./completion/offer.ts');
    return offerWords(program, args.slice(1));
  }
  let running: Command = program;
  program.hook('preAction', (_, command) => {
    running = command;
  });
  let code = 0;
  let isVersion = false;
  try {
    await program.parseAsync([...withVerb(args)], { from: 'user' });
  } catch (error) {
    isVersion = error instanceof Misuse && error.reason.code === 'commander.version';
    code = report(error, running, flags.json);
  }
  if (help.length === 0) return code;
  if (flags.json) printJson(isVersion ? { version } : { help: stripVTControlCharacters(help.join('')) });
  else await paged(flags, () => writeText(help.join('')));
  return code;
};

/** Whether a flag of the program is on the line; behind `--` nothing is a flag. */
const isGiven = (args: readonly string[], flag: string): boolean => {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? undefined : end).includes(flag);
};

/** The program with the list of its verbs; `onHelp` is told what its help says. With `json`, what is wrong is told by a document alone. */
export const buildProgram = (onHelp: (text: string) => void, { json = false } = {}): Command => {
  const program = throwing(new Command('retake'))
    .description('Takes back what an AI agent did to your code: previewed, exact, and undoable.')
    .version(version, '-V, --version', 'print the version')
    .showSuggestionAfterError(false)
    .option('-C, --directory <dir>', 'work in this directory', '.')
    .option('--json', 'print one JSON document', false)
    .option('--no-pager', 'print long answers at once')
    .configureOutput({ writeOut: onHelp, outputError: () => {}, ...(json ? { writeErr: () => {} } : {}) })
    .hook('preSubcommand', (_, verb) => readVerb(verb));
  styleHelp(program);
  listVerbs(program);
  completeHelp(program);
  return program;
};

const report = (error: unknown, command: Command, json: boolean): number => {
  if (error instanceof Misuse && !error.isFault) return 0;
  const described = error instanceof Misuse ? describeMisuse(error) : describeError(error);
  const isUsage = described.code === 'usage';
  const advice = described.hint ?? adviceFor(described.code, command);
  if (json) printJson({ error: { ...described, ...(advice === undefined ? {} : { hint: advice }) } });
  else {
    process.stderr.write(`${styleText('red', 'retake:', { stream: process.stderr })} ${oneLine(described.message)}\n`);
    if (advice !== undefined) hint(oneLine(advice));
    if (described.code === 'unexpected' && process.env.RETAKE_DEBUG) console.error(error);
  }
  return isUsage ? 2 : 1;
};
