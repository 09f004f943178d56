import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ConflictReason, DescribedConflict, MergeChoice, ReplayChoice, Workspace } from '../engine/index.ts';
import { oneLine, paint, showName, showPath } from './output.ts';
import { workspacePaths } from './paths.ts';
import type { GlobalOptions } from './verb.ts';

/** Why two sides can not be made one without a choice, for people. */
export const CONFLICTS: Readonly<Record<ConflictReason, string>> = {
  'both-changed': 'both changed the same lines',
  'both-added': 'both made a file of this name',
  'changed-and-deleted': 'one changed it, the other deleted it',
  type: 'a file on one side, a link on the other',
  binary: 'both changed it, and it is not text',
  permissions: 'both changed its permissions',
  'directory-in-the-way': 'a directory on one side, a file on the other',
};

const CHOICES: Readonly<Record<MergeChoice, string>> = {
  ours: 'there the present stays',
  theirs: 'there the other one is taken',
  manual: 'to be finished by hand',
  skip: 'left alone',
};

/** What every verb takes that may meet conflicts. */
export interface ConflictFlags {
  readonly onConflict?: MergeChoice | 'abort';
  readonly resolve?: readonly Resolution[];
}

type Resolution = readonly [path: string, choice: MergeChoice];

export const conflictFlags = (command: Command): Command =>
  command
    .addOption(new Option('--on-conflict <choice>', 'for every file that both changed').choices([...Object.keys(CHOICES), 'abort']))
    .addOption(new Option('--resolve <path=choice...>', 'for one file').argParser(resolution));

export const choiceOf = (workspace: Workspace, { onConflict, resolve = [], directory }: ConflictFlags & GlobalOptions): ReplayChoice => ({
  choices: resolve.flatMap(([path, choice]) => workspacePaths(workspace, directory, [path]).map((one) => [one, choice] as const)),
  rest: onConflict === undefined || onConflict === 'abort' ? null : onConflict,
});

const isChoice = (text: string): text is MergeChoice => Object.hasOwn(CHOICES, text);

const resolution = (text: string, before: readonly Resolution[] = []): Resolution[] => {
  const at = text.lastIndexOf('=');
  const choice = text.slice(at + 1);
  if (at < 1 || !isChoice(choice)) throw new InvalidArgumentError(`expected PATH=${Object.keys(CHOICES).join('|')}.`);
  return [...before, [text.slice(0, at), choice]];
};

/** Each with the lines in question, unless they are settled. */
export const conflictLines = (conflicts: readonly DescribedConflict[]): string[] =>
  conflicts.flatMap(({ path, was, reason, choice, marked }) => {
    const colour = choice === null ? 'red' : 'yellow';
    const name = was === undefined ? showPath(path) : `${showPath(path)}, renamed from ${showName(was.path)}`;
    const inQuestion = choice === null || choice === 'manual' ? linesOf(marked) : [];
    return [
      `${paint(colour, 'Conflict:')} ${name} (${CONFLICTS[reason]})${choice === null ? '' : `: ${CHOICES[choice]}`}`,
      ...inQuestion.map((line) => paint('dim', `  ${oneLine(line)}`)),
    ];
  });

const linesOf = (text: string | null): string[] => text?.trimEnd().split('\n') ?? [];
