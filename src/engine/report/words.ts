import { type Hunk, signedLine } from '../../diff/text/index.ts';
import { basename, isCheckpoint, isRollback, type RollbackScope, shortId, toText } from '../../model/index.ts';
import type { SessionSummary } from '../conversation/sessions.ts';
import type { LogEntry } from '../read/log.ts';
import type { Remaining } from '../read/remaining.ts';
import type { Happening, Report, SharedWith } from './report.ts';
import type { ShownText } from './showing.ts';
import { visibleLine } from './visible.ts';

/** The words that reports in any form share. What they are made of may come from anybody: a renderer escapes all of it. */

const MOST_OF_TITLE = 160;

export const titleOf = ({ session }: Report): string => {
  const title = visibleLine(session.title);
  if (title === '') return `Session ${session.id}`;
  return title.length <= MOST_OF_TITLE ? title : `${title.slice(0, MOST_OF_TITLE)} …`;
};

export const timeText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** From when to when; the day once where it is the same. */
export const spanText = ({ startedAt, lastAt }: SessionSummary): string => {
  if (startedAt === null || lastAt === null) return 'at an unknown time';
  const [from, to] = [timeText(startedAt), timeText(lastAt)];
  if (from === to) return from;
  return from.slice(0, 10) === to.slice(0, 10) ? `${from.slice(0, 16)} to ${to.slice(11)}` : `${from} to ${to}`;
};

export const countText = (number: number, noun: string): string => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

const STATES: Readonly<Record<SessionSummary['state'], string>> = { open: 'open', ended: 'ended', unrecorded: 'not recorded' };

const STATUS: Readonly<Record<SessionSummary['status'], string>> = {
  active: 'in the workspace',
  kept: 'kept',
  'rolled-back': 'rolled back',
  'partially-recovered': 'partially recovered',
};

export const stateText = ({ session }: Report): string => `${STATES[session.state]}, its work ${STATUS[session.status]}`;

/** What the files come to. */
export const totalsOf = (files: Report['files']): { files: number; insertions: number; deletions: number } => ({
  files: files.length,
  insertions: files.reduce((sum, { insertions }) => sum + insertions, 0),
  deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
});

export const sharedText = ({ sessions, others }: SharedWith): string | null => {
  if (sessions.length > 0) return `shared with session ${sessions.join(', ')}, whose step ran at the same time`;
  return others ? 'also changed by other hands' : null;
};

export const rolledBackText = (scope: RollbackScope, remaining: Remaining | null): string => {
  if (scope === 'conversation') return 'conversation rolled back';
  return remaining === null ? 'rolled back' : `partly rolled back: ${remainingText(remaining)}`;
};

/** What is still there. */
const remainingText = ({ outside, git }: Remaining): string =>
  [...(outside.length === 0 ? [] : [`${outside.join(', ')} outside the workspace`]), ...(git ? ['what it did in git'] : [])].join(' and ') +
  (outside.length + Number(git) === 1 ? ' stays' : ' stay');

const MOST_PATHS = 6;

/** The files that changed, unless the description is one already; empty where there are none. */
export const pathsText = (happening: Happening): string => {
  const { paths } = happening;
  if (paths.length === 0 || (paths.length === 1 && paths.map(toText).includes(descriptionOf(happening)))) return '';
  const more = paths.length - MOST_PATHS;
  return `${paths.slice(0, MOST_PATHS).map(toText).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** The short word that stands before a happening. */
export const labelOf = ({ is, entry: { operation } }: Happening): string => {
  if (is === 'others') return 'not the agent';
  if (is === 'added') return 'added';
  if (is === 'step' && isCheckpoint(operation))
    return operation.event?.place.tool ?? (operation.kind === 'turn-end' ? 'interrupted' : 'step');
  return { 'fork-point': 'fork', manual: 'checkpoint' }[operation.kind as string] ?? operation.kind;
};

export const descriptionOf = (happening: Happening): string => {
  const {
    is,
    paths,
    entry: { operation },
  } = happening;
  const during = operation.kind === 'after-step' ? `during ${operation.description}` : 'between steps';
  if (is === 'others') return `Changed ${during}, by a person or another program`;
  const { tool } = (isCheckpoint(operation) && operation.event?.place) || {};
  const text = operation.description;
  // The label tells the tool already.
  const rest = tool !== undefined && text.startsWith(tool) ? text.slice(tool.length).replace(/^[:\s]+/, '') : text;
  const [only] = paths.length === 1 ? paths : [];
  if (only !== undefined && toText(basename(only)) === rest) return toText(only);
  return rest === '' ? text : rest;
};

/** What else is known of a happening, in few words each. */
export const remarksOn = ({ operation, owners, rolledBack, remaining, name, note, pinned, gitNews, by }: LogEntry): string[] => {
  const { agentId, agentType } = (isCheckpoint(operation) && operation.event?.place) || {};
  const isLate = isCheckpoint(operation) && operation.event?.late !== undefined;
  return [
    ...(agentId === undefined ? [] : [`by ${agentType ?? 'subagent'} ${agentId}`]),
    ...(owners === undefined || owners.length < 2 ? [] : [`may be the doing of ${owners.length} steps`]),
    ...(by === 'both' ? ['in part not the agent'] : []),
    ...(by === 'person' && operation.kind === 'after-step' ? ['its tool changes no files: somebody else did'] : []),
    ...(rolledBack === null ? [] : [rolledBackText(rolledBack, remaining)]),
    ...(isRollback(operation) && operation.undoes !== undefined ? [`undoes ${shortId(operation.undoes)}`] : []),
    ...(isRollback(operation) && operation.outcome !== 'complete' ? [operation.outcome] : []),
    ...(isLate ? ['recorded late'] : []),
    ...(name === null || name === operation.description ? [] : [`named ${name}`]),
    ...(pinned ? ['pinned'] : []),
    ...gitNews,
    ...(note === null ? [] : [`note: ${note}`]),
  ];
};

export const ATTRIBUTION =
  'What changed between the steps of the agent is not counted as its work. What changed while a command ran is, as nobody can tell the two apart.';

/** What stands where a diff would. */
export const NOTES: Readonly<Record<Exclude<ShownText['is'], 'lines'>, string>> = {
  withheld: 'Not shown: the contents of this file are not to leave (setting export.exclude).',
  binary: 'A binary file: there are no lines to show.',
  mode: 'Only its permissions or its type changed.',
  damaged: 'Not shown: its content can not be read from the store.',
  large: 'Not shown: it is too large to compare.',
  'no-room': 'Not shown: the report is long already.',
};

export const NO_NEWLINE = '\\ No newline at end of file';

export const headingOf = ({ oldStart, oldLines, newStart, newLines, section }: Hunk): string =>
  `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@ ${toText(section)}`;

const MOST_OF_LINE = 2000;

/** A line of a diff with its sign; of one that is too long for anybody to read, the beginning. */
export const lineText = (line: Hunk['lines'][number]): string => {
  const text = toText(signedLine(line)).replace(/\n$/, '');
  const more = text.length - MOST_OF_LINE;
  return more <= 0 ? text : `${text.slice(0, MOST_OF_LINE)} … ${more} more characters`;
};
