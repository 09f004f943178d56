import { styleText } from 'node:util';
import { type ByteString, RetakeError, toText } from '../model/index.ts';

type Style = Parameters<typeof styleText>[0];

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Control characters in names, notes and diffs are shown, never sent to the terminal. */
export const printable = (text: string): string =>
  text.replaceAll(CONTROLS, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);

export const oneLine = (text: string): string => printable(text.replaceAll(/[\t\n]/g, ' '));

export const showPath = (path: ByteString): string => oneLine(toText(path));

/** Colours only where somebody sees them: styleText looks at the stream and at NO_COLOR. */
export const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

export const print = (text = ''): void => {
  process.stdout.write(`${text}\n`);
};

/** Bytes as they are for a program, readable on a terminal. */
export const writePatch = (patch: Buffer): void => {
  process.stdout.write(process.stdout.isTTY ? printable(patch.toString('utf8')) : patch);
};

export const hint = (text: string): void => {
  process.stderr.write(`${styleText('dim', text, { stream: process.stderr })}\n`);
};

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** Columns aligned, the last one as long as it likes. */
export const table = (rows: readonly (readonly string[])[]): string => {
  const widths: number[] = [];
  for (const row of rows) for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, visibleLength(cell));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - visibleLength(cell))))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room
const visibleLength = (text: string): number => text.replaceAll(/\u001b\[[0-9;]*m/g, '').length;

export const relativeTime = (iso: string, now = Date.now()): string => {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
};

const UNITS = ['bytes', 'kB', 'MB', 'GB'] as const;

export const bytes = (number: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, number)) / 3));
  return `${power === 0 ? number : (number / 1000 ** power).toFixed(1)} ${UNITS[power]}`;
};

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** What a person reads of an error, and what a program does. */
export const describeError = (error: unknown): { code: string; message: string; hint?: string; details?: unknown } => {
  if (error instanceof RetakeError) {
    return {
      code: error.code,
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(error.details === undefined ? {} : { details: error.details }),
    };
  }
  return { code: 'unexpected', message: error instanceof Error ? error.message : String(error) };
};
