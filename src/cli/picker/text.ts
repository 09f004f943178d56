import { oneLine, unhidden } from '../output.ts';
import { widthOf } from '../width.ts';

/** What joins or varies the signs beside it: terminals disagree about the room that takes, but not about the signs alone. */
const JOINING = /[\u200d\ufe0e\ufe0f]|[\u{1f3fb}-\u{1f3ff}]/gu;

/** A line that every terminal shows in the same number of cells; colours of ours that are in it stay. */
export const steady = (line: string): string => unhidden(line.toWellFormed().replaceAll(JOINING, ''));

/** Longer texts are of no use on a line, and take long to measure. */
const LONGEST = 2000;

/** The beginning of any text as one line without a power over the terminal. */
export const inert = (text: string): string => steady(oneLine(text.slice(0, LONGEST))).trim();

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Marks heaped on one character reach into the lines around it. */
const MOST_MARKS = 8;

/** As much of an unpainted text as has room. */
export const cut = (text: string, room: number): string => {
  const signs: string[] = [];
  let taken = 0;
  /** How many leave room for the sign that something is missing. */
  let kept = 0;
  for (const { segment } of graphemes.segment(text)) {
    const sign = segment.slice(0, MOST_MARKS).toWellFormed();
    taken += widthOf(sign);
    if (taken > room) return room < 1 ? '' : `${signs.slice(0, kept).join('')}…`;
    signs.push(sign);
    if (taken < room) kept = signs.length;
  }
  return signs.join('');
};

/** A path with its beginning and its end: what is in between is what two of them share most often. */
export const cutPath = (path: string, room: number): string => {
  if (widthOf(path) <= room || room < 1) return cut(path, room);
  const signs = [...graphemes.segment(path)].map(({ segment }) => segment.slice(0, MOST_MARKS).toWellFormed());
  const head = cut(path, Math.floor(room / 3));
  let tail = '';
  for (let sign = signs.pop(); sign !== undefined && widthOf(head + sign + tail) <= room; sign = signs.pop()) tail = sign + tail;
  return head + tail;
};

/** The same in exactly so many cells. */
export const padded = (text: string, room: number): string => {
  const fitting = cut(text, room);
  return fitting + ' '.repeat(Math.max(0, room - widthOf(fitting)));
};

export const paddedLeft = (text: string, room: number): string => {
  const fitting = cut(text, room);
  return ' '.repeat(Math.max(0, room - widthOf(fitting))) + fitting;
};

/** An unpainted text on as many lines as it takes, broken between words where there are any. */
export const wrapped = (text: string, room: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<= )/)) {
    if (widthOf(line + word.trimEnd()) <= room) {
      line += word;
      continue;
    }
    if (line !== '') lines.push(line.trimEnd());
    line = '';
    for (const { segment } of graphemes.segment(word)) {
      if (widthOf(line + segment) > room) {
        lines.push(line);
        line = '';
      }
      line += segment;
    }
  }
  return [...lines, line.trimEnd()];
};
