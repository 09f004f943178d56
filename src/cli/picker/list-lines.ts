import { paint, relativeTime } from '../output.ts';
import { widthOf } from '../width.ts';
import { bodyRows } from './layout.ts';
import type { Details } from './places.ts';
import { type Row, rowsOf, type State } from './state.ts';
import { cut, padded, paddedLeft } from './text.ts';

/** The rows of the list that are in sight, and no others. */
export const listLines = (state: State, width: number, now: number): string[] => {
  const { contents, filter, top, at } = state;
  if (contents === null) return ['reading …'];
  const rows = rowsOf(state);
  if (contents.places.length === 0)
    return [...rows.map(() => '❯ now'), 'Nothing is recorded here yet: retake setup claude-code, or retake checkpoint'].map((line) =>
      cut(line, width),
    );
  if (rows.length === 0) return [cut(`Nothing has ${JSON.stringify(filter.trim())} in it`, width)];
  return rows.slice(top, top + bodyRows(state)).map((row, index) => rowLine(state, row, top + index === at, width, now));
};

const rowLine = (state: State, row: Row, isChosen: boolean, width: number, now: number): string => {
  const marker = isChosen ? paint(['bold', 'cyan'], '❯ ') : '  ';
  if (row.is === 'now') return marker + paint('cyan', 'now');
  if (row.is === 'remark') return `${marker}      ${paint('dim', cut(row.text, width - 8))}`;
  const { place, isStep, fold } = row;
  const named = padded(place.label, width < 75 ? 6 : 8);
  const label = `${fold === null ? '  ' : fold === 'folded' ? '▸ ' : '▾ '}${isStep ? paint('dim', named) : named}`;
  const time = timeOf(place.at, width < 100 ? 10 : 15, now);
  const details = state.details.get(place.key);
  const amount = amountOf(details, width);
  const taken = 2 + widthOf(label) + 1 + widthOf(time) + 2 + widthOf(amount) + (amount === '' ? 0 : 2);
  const room = width - taken;
  const marks = fittingMarks(details?.marks ?? [], room - LEAST_TITLE);
  const title = cut(place.title, room - widthOf(marks));
  return [
    `${marker}${isChosen ? paint('bold', label) : label} ${paint('dim', time)}  ${amount}${amount === '' ? '' : '  '}`,
    isChosen ? paint('bold', title) : title,
    paint('yellow', marks),
  ].join('');
};

/** A title keeps as much, however much is said behind it. */
const LEAST_TITLE = 7;

/** The marks that have room, the first ones first. */
const fittingMarks = (marks: readonly string[], room: number): string =>
  marks.reduce((all, mark) => {
    const longer = `${all}${all === '' ? '  ' : ' '}${mark}`;
    return widthOf(longer) <= room ? longer : all;
  }, '');

/** Where there is no room for both, the day without the hour. */
const timeOf = (at: string | null, room: number, now: number): string => {
  const told = at === null ? '' : relativeTime(at, now);
  return paddedLeft(widthOf(told) > room ? told.replace(/ \d\d:\d\d$/, '') : told, room);
};

/** Files and lines, in as many words as there is room for. */
const amountOf = (details: Details | undefined, width: number): string => {
  if (width < 46) return '';
  const [room, word] = width < 75 ? [12, 'f'] : [17, ' files'];
  if (details === undefined) return padded('…', room);
  const { counts } = details;
  if (counts === null || counts.changed === 0) return padded(counts === null ? '' : 'no change', room);
  const files = `${counts.changed}${counts.changed === 1 ? word.replace(/s$/, '') : word}`;
  const [added, removed] = [`+${short(counts.insertions)}`, `-${short(counts.deletions)}`];
  const text = `${files} ${added} ${removed}`;
  return `${files} ${paint('green', added)} ${paint('red', removed)}${' '.repeat(Math.max(0, room - widthOf(text)))}`;
};

const short = (number: number): string => (number < 10_000 ? `${number}` : `${Math.floor(number / 1000)}k`);
