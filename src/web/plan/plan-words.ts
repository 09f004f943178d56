import type { Conflict, Done, Plan, PlanStep } from '../client/types.ts';
import { count } from '../parts/words.ts';

/** What plans say, in the words of people who look at a page. */

export const isFolder = ({ type }: Pick<PlanStep, 'type'>): boolean => type === 'mkdir' || type === 'rmdir';

/** Names a path among others, also where it is not UTF-8 and two may read alike. */
export const keyOfPath = ({ path, pathBase64 }: Pick<PlanStep, 'path' | 'pathBase64'>): string =>
  pathBase64 === undefined ? path : `\0${pathBase64}`;

const filesIn = (steps: readonly PlanStep[]): number => steps.filter((step) => !isFolder(step)).length;

const outsideWords = ({ operations }: Plan['outside']): string[] =>
  operations.length === 0 ? [] : [`${count(operations.length, 'file')} outside`];

/** What a plan changes: `3 files and the conversation`. Empty where it changes nothing. */
export const extentOf = ({ operations, outside, conversation, git }: Plan): string => {
  const files = filesIn(operations);
  const folders = operations.length - files;
  const parts = [
    ...(files > 0 ? [count(files, 'file')] : folders > 0 ? [count(folders, 'folder')] : []),
    ...outsideWords(outside),
    ...(conversation === null ? [] : ['the conversation']),
    ...(git === null ? [] : ['git']),
  ];
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
};

export const isEmpty = (plan: Plan): boolean => extentOf(plan) === '';

export const openConflicts = ({ conflicts }: Plan): readonly Conflict[] => conflicts.filter(({ choice }) => choice === null);

const times = (steps: readonly PlanStep[], ...types: readonly PlanStep['type'][]): number =>
  steps.filter(({ type }) => types.includes(type)).length;

/** What was done: `2 files restored, 1 deleted`. */
export const doneWords = ({ operations, outside, conversation, git, restored, deleted }: Done): string => {
  const changed = times(operations, 'chmod');
  const folders = times(operations, 'mkdir', 'rmdir');
  const told = [
    [restored, 'restored'],
    [deleted, 'deleted'],
    [changed, 'changed in permissions'],
  ] as const;
  const files = told
    .filter(([number]) => number > 0)
    .map(([number, done], at) => `${at === 0 ? count(number, 'file') : number.toLocaleString('en')} ${done}`);
  const changes = files.length === 0 && folders > 0 ? [`${count(folders, 'folder')} changed`] : files;
  const others = [...outsideWords(outside), ...(conversation === null ? [] : ['the conversation']), ...(git === null ? [] : ['git'])].join(
    ' and ',
  );
  return [changes.join(', '), ...(others === '' ? [] : [changes.length === 0 ? others : `also ${others}`])]
    .filter((words) => words !== '')
    .join('; ');
};

/** Why two sides can not be made one without a choice. */
const REASONS: Readonly<Record<string, string>> = {
  'both-changed': 'Both changed the same lines',
  'both-added': 'Both made a file of this name',
  'changed-and-deleted': 'One changed it, the other deleted it',
  type: 'A file on one side, a link on the other',
  binary: 'Both changed it, and it is not text',
  permissions: 'Both changed its permissions',
  'directory-in-the-way': 'A directory on one side, a file on the other',
};

export const reasonWords = (reason: string): string => REASONS[reason] ?? reason;

/** Flags of the command line, by what they are called on the page. */
const ON_THE_PAGE: readonly (readonly [RegExp, string])[] = [
  [/--keep-mine\b/g, '“Keep my edits”'],
  [/--all-sessions\b/g, '“All sessions”'],
  [/, and --outside was not given/g, ''],
  [/--outside\b/g, '“Files outside too”'],
  [/--all\b/g, '“With my edits”'],
  [/leave --push out/g, 'do not push'],
  [/, or roll back other paths only with --path/g, ', or choose other files only'],
  [/Choose per file: --resolve .*$/g, 'Choose for each file, or for all at once.'],
];

/** What the server says for every face, without what only a terminal knows. */
export const onThePage = (words: string): string => ON_THE_PAGE.reduce((text, [flag, name]) => text.replaceAll(flag, name), words);

const OWN_EDITS = /; --keep-mine keeps that$/;
const OTHER_SESSIONS = /; --all-sessions takes it back too$/;

/** Warnings, with those apart that one click does something about. */
export const sortWarnings = (warnings: readonly string[]) => ({
  ownEdits: warnings.some((words) => OWN_EDITS.test(words)),
  otherSessions: warnings.find((words) => OTHER_SESSIONS.test(words))?.replace(OTHER_SESSIONS, ''),
  others: warnings.filter((words) => !OWN_EDITS.test(words) && !OTHER_SESSIONS.test(words)).map(onThePage),
});
