import { styleText } from 'node:util';
import { type ByteString, RetakeError, toText } from '../model/index.ts';
import { cutTo, widthOf } from './width.ts';

type Style = Parameters<typeof styleText>[0];

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * What nobody sees, or what makes other text look different from what it is: marks of direction, spaces without width, tags. Shown by
 * their numbers.
 */
const HIDDEN = /[\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

export const unhidden = (text: string): string =>
  text.replaceAll(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** Control characters in names, notes and diffs are shown, never sent to the terminal; nor does one name look like another. */
export const printable = (text: string): string =>
  unhidden(text.replaceAll(CONTROLS, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`));

export const oneLine = (text: string): string => printable(text.replaceAll(/[\t\n]/g, ' '));

/** A name on one line; what breaks or fills lines is shown, else the file would look like one with a space in its name. */
export const showName = (name: string): string => printable(name.replaceAll('\n', '\\n').replaceAll('\t', '\\t'));

export const showPath = (path: ByteString): string => showName(toText(path));

/** Colours only where somebody sees them: styleText looks at the stream and at NO_COLOR. */
export const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

/** Where what is said goes: to the terminal, or first to whoever wants to know how long it gets. */
export interface Said {
  out(text: string | Buffer): void;
  err(text: string): void;
}

let clearing = '';

/** A line of progress stands there, or no longer: whatever is said next takes its place. */
export const noteStandingLine = (clear: string): void => {
  clearing = clear;
};

const AT_ONCE: Said = {
  out: (text) => void process.stdout.write(text),
  err: (text) => {
    process.stderr.write(clearing + text);
    clearing = '';
  },
};

let said = AT_ONCE;

/** Everything that is said during some work goes elsewhere. */
export const diverted = async (to: Said, work: () => void | Promise<void>): Promise<void> => {
  const before = said;
  said = to;
  try {
    await work();
  } finally {
    said = before;
  }
};

/** Text of ours, which ends its lines itself. */
export const writeText = (text: string): void => said.out(text);

export const print = (text = ''): void => writeText(`${text}\n`);

/** Bytes as they are for a program, readable on a terminal. */
export const writeBytes = (bytes: Buffer | string): void => said.out(process.stdout.isTTY ? printable(bytes.toString()) : bytes);

export const hint = (text: string): void => said.err(`${styleText('dim', text, { stream: process.stderr })}\n`);

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** How wide a row may be; null where nobody sits before a terminal, and nothing is cut. */
const screenWidth = (): number | null => (process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : null);

/** A column that gives way keeps as much. */
const LEAST = 8;

/** Columns aligned, and nothing cut, however wide the terminal: for plans and lists of files, where the end of a path tells two apart. */
export const wholeTable = (rows: readonly (readonly string[])[]): string => table(rows, [], null);

/** Columns aligned. On a terminal no row is longer than a line: the columns that may give way do, one after the other; else the last. */
export const table = (rows: readonly (readonly string[])[], givingWay: readonly number[] = [], available = screenWidth()): string => {
  const widths: number[] = [];
  for (const row of rows) for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  if (available !== null) {
    let over = widths.reduce((sum, width) => sum + width, 2 * (widths.length - 1)) - available;
    for (const column of [...givingWay, widths.length - 1]) {
      const width = widths[column] ?? 0;
      const given = Math.max(0, Math.min(over, width - LEAST));
      widths[column] = width - given;
      over -= given;
    }
  }
  return rows
    .map((row) => {
      const text = row.map((cell, column) => fill(cell, widths[column] ?? 0, column === row.length - 1)).join('  ');
      return (available === null ? text : cutTo(text, available)).trimEnd();
    })
    .join('\n');
};

const fill = (cell: string, width: number, isLast: boolean): string => {
  const cut = cutTo(cell, width);
  return isLast ? cut : cut + ' '.repeat(width - widthOf(cut));
};

/** More lines of one kind than anybody reads through. */
const MOST_LINES = 10;

/** A line for each of a list, but for those that are too many: they are counted. */
export const firstOf = <T>(list: readonly T[], line: (one: T) => string): string[] => {
  const more = list.length - MOST_LINES;
  return [...list.slice(0, MOST_LINES).map(line), ...(more > 0 ? [paint('dim', `  and ${more} more; --json lists all`)] : [])];
};

const HOUR = 3_600_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** When something was, as people say it: `3 min ago`, `yesterday 14:02`, `12 Mar 09:30`, `2024-03-12`. */
export const relativeTime = (iso: string, now = Date.now()): string => {
  const then = new Date(iso);
  const passed = now - then.getTime();
  if (Number.isNaN(passed)) return 'at an unknown time';
  const seconds = Math.max(0, Math.round(passed / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  const days = daysBetween(then, new Date(now));
  if (days === 0 || passed < 6 * HOUR) return `${Math.floor(passed / HOUR)} h ago`;
  const clock = `${two(then.getHours())}:${two(then.getMinutes())}`;
  if (days === 1) return `yesterday ${clock}`;
  if (then.getFullYear() === new Date(now).getFullYear()) return `${then.getDate()} ${MONTHS[then.getMonth()]} ${clock}`;
  return localDate(iso);
};

/** A day where the reader is: `2024-03-12`. */
export const localDate = (iso: string): string => {
  const day = new Date(iso);
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
};

const two = (number: number): string => String(number).padStart(2, '0');

/** Midnights passed since; days of 23 or 25 hours count as days. */
const daysBetween = (from: Date, to: Date): number => {
  const midnight = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  return Math.round((midnight(to) - midnight(from)) / (24 * HOUR));
};

const UNITS = ['bytes', 'kB', 'MB', 'GB'] as const;

export const bytes = (number: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, number)) / 3));
  return `${power === 0 ? number : (number / 1000 ** power).toFixed(1)} ${UNITS[power]}`;
};

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** By its name too: the picker is a program of its own, with a class of its own. */
export const isRetakeError = (error: unknown): error is RetakeError =>
  error instanceof RetakeError || (error instanceof Error && error.name === RetakeError.name);

/** What a person reads of an error, and what a program does. */
export const describeError = (error: unknown): { code: string; message: string; hint?: string; details?: unknown } => {
  if (isRetakeError(error)) {
    return {
      code: error.code,
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(error.details === undefined ? {} : { details: error.details }),
    };
  }
  return { code: 'unexpected', message: error instanceof Error ? error.message : String(error) };
};

/** Files and lines; nothing is claimed where damage keeps us from counting. */
export const describeCounts = (counts: { changed: number; insertions: number; deletions: number } | null): string =>
  counts === null
    ? paint('red', 'damaged')
    : `${count(counts.changed, 'file')} ${paint('green', `+${counts.insertions}`)} ${paint('red', `-${counts.deletions}`)}`;
