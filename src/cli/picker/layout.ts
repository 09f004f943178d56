import { stripVTControlCharacters } from 'node:util';
import { paint } from '../output.ts';
import { widthOf } from '../width.ts';
import { keysOf } from './key-hints.ts';
import type { Sight } from './look.ts';
import type { Order } from './order.ts';
import {
  choicesOf,
  chosenPlace,
  isFailure,
  levelOf,
  type MenuLevel,
  orderOf,
  planOf,
  type ResultLevel,
  rowsOf,
  type Size,
  type State,
  sightName,
  withLevel,
} from './state.ts';
import { inert, steady, wrapped } from './text.ts';

/** Below this nothing of use can be shown. */
export const SMALLEST: Size = { columns: 40, rows: 8 };
/** From this on the pane has room beside the list. */
const WIDE = 110;

export const isTooSmall = ({ columns, rows }: Size): boolean => columns < SMALLEST.columns || rows < SMALLEST.rows;

export const isWide = ({ columns }: Size): boolean => columns >= WIDE;

/** The title, and what is typed or chosen. */
const HEADER = 2;

/** The keys, on as many lines as they need: they are always all there. */
export const footerOf = (state: State): string[] => {
  const lines: string[] = [];
  for (const hint of keysOf(state)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last}  ${hint}`) <= state.size.columns) lines[lines.length - 1] = `${last}  ${hint}`;
    else lines.push(hint);
  }
  return lines;
};

/** What is told in passing, whole: the reason often stands at its end. */
export const noticeOf = (state: State): string[] => {
  const { notice, size } = state;
  if (notice === null) return [];
  return wrapped(`! ${inert(notice)}`, size.columns).slice(0, Math.max(1, size.rows - HEADER - footerOf(state).length - 1));
};

/** Lines between title and keys. */
export const bodyRows = (state: State): number => Math.max(1, state.size.rows - HEADER - footerOf(state).length - noticeOf(state).length);

/** With fewer, a row of the list has no room to say that it was rolled back. */
const LEAST_LIST = 68;

export const listColumns = ({ size: { columns } }: State): number =>
  columns < WIDE ? columns : Math.max(LEAST_LIST, Math.floor(columns * 0.5));

export const paneColumns = (state: State): number =>
  isWide(state.size) ? state.size.columns - listColumns(state) - 2 : state.size.columns;

/** Of its plan a menu shows this much at least, if there is room. */
const LEAST_PLAN = 3;

/** The choices of the menu, each on as many lines as it takes to say why it is not possible. */
export const choiceLines = ({ size }: State, level: MenuLevel): string[][] =>
  choicesOf(level).map(({ title, reason }, at) => {
    const [first = '', ...more] = wrapped(`${title}${reason === null ? '' : ` (not possible: ${inert(reason)})`}`, size.columns - 2);
    return [`${at === level.at ? '❯' : ' '} ${first}`, ...more.map((line) => `  ${line}`)];
  });

/** Lines that they have above the plan: all of them, where there is room for that. */
export const menuChoiceRows = (state: State, level: MenuLevel): number =>
  Math.min(choiceLines(state, level).flat().length, Math.max(1, bodyRows(state) - 1 - LEAST_PLAN));

/** Lines that the plan has below them and a rule. */
export const menuPlanRows = (state: State, level: MenuLevel): number => Math.max(0, bodyRows(state) - menuChoiceRows(state, level) - 1);

/** Of the pane, the first line says what it shows. */
export const paneRows = (state: State): number => Math.max(1, bodyRows(state) - 1);

/** Lines that may be longer than there is room, each on as many as it takes. */
export const flowing = ({ size }: State, lines: readonly string[]): string[] =>
  lines.map(steady).flatMap((line) => (widthOf(line) <= size.columns ? [line] : wrapped(stripVTControlCharacters(line), size.columns)));

export const resultLines = ({ outcome: { lines, onward } }: ResultLevel): string[] => [...lines, ...onward];

/** What is told of an order, and how it can be changed. */
export const toldOf = (state: State, order: Order | null): string[] => {
  if (order === null) return [];
  const prepared = planOf(state, order);
  if (prepared === undefined) return [`Working out the plan …${state.progress === null ? '' : ` ${state.progress}`}`];
  if (isFailure(prepared)) return flowing(state, [paint('red', prepared.message), ...(prepared.hint === undefined ? [] : [prepared.hint])]);
  const { onConflict = null } = prepared.order.do === 'rewind' ? prepared.order : {};
  return flowing(state, [
    ...(prepared.hasMine ? [`[${prepared.keepsMine ? 'x' : ' '}] keep my edits (m)`] : []),
    ...(prepared.conflicts > 0 ? [`Where both changed the same lines (c): ${CONFLICT_CHOICES[onConflict ?? 'none']}`] : []),
    ...(prepared.refusal === null ? [] : [paint('yellow', prepared.refusal)]),
    ...prepared.lines,
  ]);
};

/** What is told of the choice under the cursor. */
export const toldOfChoice = (state: State, level: MenuLevel): string[] => {
  const { reason = null } = choicesOf(level)[level.at] ?? {};
  return reason === null ? toldOf(state, orderOf(level)) : flowing(state, [`Not possible: ${reason}`]);
};

const CONFLICT_CHOICES = {
  none: 'not chosen',
  ours: 'the present stays',
  theirs: 'the other one is taken',
  manual: 'markers, to be finished by hand',
  skip: 'the file is left alone',
} as const;

/** What the pane shows; undefined until it is read. */
export const sightOf = (state: State): Sight | undefined => {
  const place = chosenPlace(state);
  if (place === null || place.id === null) return { lines: [], files: [] };
  const sight = state.sights.get(sightName(place, state.looking));
  if (sight === undefined) return undefined;
  return isFailure(sight) ? { lines: [sight.message], files: [] } : sight;
};

/** Keeps what is chosen in sight, and nothing beyond the ends, whatever changed. */
export const settled = (state: State): State => {
  if (state.contents === null) return withSettledLevel(state);
  const last = Math.max(0, rowsOf(state).length - 1);
  const at = Math.min(Math.max(0, state.at), last);
  const room = bodyRows(state);
  const top = windowTop(state.top, at, room, last + 1);
  const paneTop = clamp(state.paneTop, (sightOf(state)?.lines.length ?? 0) - paneRows(state));
  return withSettledLevel({ ...state, at, top, paneTop });
};

const withSettledLevel = (state: State): State => {
  const level = levelOf(state);
  return level === undefined ? state : withLevel(state, settledLevel(state, level));
};

const settledLevel = (state: State, level: State['levels'][number]): State['levels'][number] => {
  const room = bodyRows(state);
  switch (level.is) {
    case 'menu': {
      const at = Math.min(Math.max(0, level.at), Math.max(0, choicesOf(level).length - 1));
      return { ...level, at, top: clamp(level.top, toldOfChoice(state, level).length - menuPlanRows(state, level)) };
    }
    case 'files': {
      const last = Math.max(0, level.prepared.files.length - 1);
      const at = Math.min(Math.max(0, level.at), last);
      return { ...level, at, top: windowTop(level.top, at, room, last + 1) };
    }
    case 'plan':
      return { ...level, top: clamp(level.top, toldOf(state, level.order).length - room) };
    case 'result':
      return { ...level, top: clamp(level.top, flowing(state, resultLines(level)).length - room) };
    case 'work':
      return level;
  }
};

const clamp = (top: number, most: number): number => Math.max(0, Math.min(top, most));

/** The first line in sight, such that the chosen one is among them. */
const windowTop = (top: number, at: number, room: number, length: number): number =>
  clamp(Math.min(Math.max(top, at - room + 1), at), length - room);
