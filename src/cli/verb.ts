import type { Command } from 'commander';

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
  | 'doer'
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
  readonly group: keyof typeof GROUPS;
  /** A few words, for the list of all verbs. */
  readonly summary: string;
  /** Whole command lines, each with what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** What its arguments and options stand for, by their names. */
  readonly takes?: Readonly<Record<string, Kind>>;
}

const guides = new WeakMap<Command, Guide>();

/** Adds a verb to the program, or to a verb that has verbs of its own. */
export const addVerb = (parent: Command, name: string, guide: Guide): Command => {
  const command = parent.command(name).summary(guide.summary);
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
