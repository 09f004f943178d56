import type { Command } from 'commander';
import { buildProgram } from '../../src/cli/program.ts';
import { readVerb } from '../../src/cli/verb.ts';

/** The program with all that its verbs take and do, which it reads itself when it is asked for one. */
export const wholeProgram = async (): Promise<Command> => {
  const program = buildProgram(() => {});
  for (const command of program.commands) await readVerb(command);
  return program;
};

/** Every verb, and the verbs of verbs. */
export const allVerbs = (program: Command): Command[] => program.commands.flatMap((command) => [command, ...allVerbs(command)]);
