import type { Command, CommanderError } from 'commander';

/** What verbs are for, in the order of the list of them. */
export const GROUPS = {
  look: 'Look',
  record: 'Record',
  back: 'Go back',
  conversations: 'Conversations',
  git: 'Your git',
  store: 'Store',
  service: 'Service',
} as const;

/** What a word on a command line stands for, where a shell can be told which there are. */
export type Kind =
  | 'checkpoint'
  | 'rollback'
  | 'step'
  | 'actor'
  | 'changer'
  | 'session'
  | 'branch'
  | 'agent'
  | 'setting'
  | 'verb'
  | 'file'
  | 'directory'
  | 'text';

/** What is told of a verb besides what it takes. */
export interface Guide {
  /** Whole command lines, each with what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** What its arguments and options stand for, by their names. */
  readonly takes?: Readonly<Record<string, Kind>>;
}

/** What every verb is told. */
export interface GlobalOptions {
  readonly directory: string;
  readonly json: boolean;
  /** Long answers may be shown a screen at a time. */
  readonly pager: boolean;
}

/** A command line that a verb does not take; also how the verb's help ends, which is no fault. */
export class Misuse extends Error {
  readonly command: Command;
  readonly reason: CommanderError;

  constructor(command: Command, reason: CommanderError) {
    super(reason.message);
    this.command = command;
    this.reason = reason;
  }

  get isFault(): boolean {
    return this.reason.exitCode !== 0;
  }
}

const guides = new WeakMap<Command, Guide>();
const readers = new WeakMap<Command, () => Promise<void>>();

/** The program as well as a verb: what they can not take is thrown with them. */
export const throwing = (command: Command): Command =>
  command.exitOverride((reason) => {
    throw new Misuse(command, reason);
  });

/** What a list of all verbs tells of one. */
interface Listed {
  readonly group: keyof typeof GROUPS;
  readonly summary: string;
  /** Describes it; for a verb that is described when somebody wants it. */
  readonly read?: () => Promise<void>;
}

/** Adds a verb to the list; what it takes and does comes later. */
export const listVerb = (program: Command, name: string, { group, summary, read }: Listed): void => {
  const command = throwing(program.command(name)).summary(summary).helpGroup(GROUPS[group]);
  if (read !== undefined) readers.set(command, read);
};

/** Makes sure that a verb of the list knows what it takes and does. */
export const readVerb = async (command: Command): Promise<void> => {
  await readers.get(command)?.();
  // What `--no-something` switches off is on. Commander has looked for such options already, when there were none.
  const names = (negated: boolean): string[] =>
    command.options.filter(({ negate }) => negate === negated).map((option) => option.attributeName());
  const switchedOn = names(false);
  for (const name of names(true)) if (!switchedOn.includes(name)) command.setOptionValueWithSource(name, true, 'default');
};

/** A verb of the list, for the file that says what it takes and does. */
export const describeVerb = (program: Command, name: string, guide: Guide): Command => {
  const command = program.commands.find((one) => one.name() === name);
  if (command === undefined) throw new Error(`the list of verbs lacks ${name}`);
  guides.set(command, guide);
  return command;
};

/** Adds a verb to a verb. */
export const addVerb = (parent: Command, name: string, summary: string, guide: Guide): Command => {
  const command = throwing(parent.command(name)).summary(summary);
  guides.set(command, guide);
  return command;
};

export const guideOf = (command: Command): Guide | undefined => guides.get(command);

/** `retake daemon start`, for the verb of a verb. */
export const fullName = (command: Command): string => {
  const names = [command.name()];
  for (let above = command.parent; above !== null; above = above.parent) names.unshift(above.name());
  return names.join(' ');
};
