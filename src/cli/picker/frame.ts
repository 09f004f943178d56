import { count, paint, relativeTime, showPath } from '../output.ts';
import { widthOf } from '../width.ts';
import {
  bodyRows,
  choiceLines,
  flowing,
  footerOf,
  isTooSmall,
  isWide,
  listColumns,
  menuChoiceRows,
  menuPlanRows,
  noticeOf,
  paneColumns,
  paneRows,
  resultLines,
  SMALLEST,
  sightOf,
  toldOf,
  toldOfChoice,
} from './layout.ts';
import { listLines } from './list-lines.ts';
import { choicesOf, chosenPlace, type FilesLevel, type Level, levelOf, type MenuLevel, rowsOf, type State } from './state.ts';
import { cut, cutPath, inert } from './text.ts';

/** A screen as lines of text; none is longer than there is room, but for the pane's, which are cut. */
export interface Frame {
  readonly header: readonly string[];
  readonly columns: readonly { readonly width: number; readonly lines: readonly string[] }[];
  readonly notice: readonly string[];
  readonly footer: readonly string[];
}

export const frameOf = (state: State, now: number): Frame => {
  const { size } = state;
  if (isTooSmall(size)) return tooSmall(state);
  return {
    header: headerOf(state).map((line) => cut(line, size.columns)),
    columns: columnsOf(state, now),
    notice: noticeOf(state),
    footer: footerOf(state),
  };
};

const tooSmall = ({ size }: State): Frame => ({
  header: [],
  columns: [
    {
      width: size.columns,
      lines: ['Too small', `${size.columns}×${size.rows} here,`, `${SMALLEST.columns}×${SMALLEST.rows} needed`, '^C quits'],
    },
  ],
  notice: [],
  footer: [],
});

const headerOf = (state: State): [string, string] => {
  const level = levelOf(state);
  if (level !== undefined) return [`Retake › ${subjectOf(state)}`, TITLES[level.is]];
  const { contents, filter } = state;
  return [`Retake › ${contents === null ? 'reading …' : described(state)}`, filter === '' ? '' : `Filter: ${inert(filter)}▏`];
};

const described = (state: State): string => {
  const { contents } = state;
  const found = rowsOf(state).filter((row) => row.is === 'place' && !row.isStep).length;
  const noun = contents?.view === 'turns' ? 'turn' : 'record';
  const of = contents?.session == null ? '' : ` of session ${inert(contents.session)}`;
  return `${count(found, noun)}${of}, newest first`;
};

const TITLES: Readonly<Record<Level['is'], string>> = {
  menu: 'What goes back?',
  files: 'Which files?',
  plan: 'This will be done:',
  work: '',
  result: '',
};

const subjectOf = (state: State): string => {
  const menu = state.levels.find((level) => level.is === 'menu');
  if (levelOf(state)?.is === 'result') return 'Done';
  return menu === undefined ? 'Undo' : `${menu.place.label} ${menu.place.title}`;
};

const columnsOf = (state: State, now: number): Frame['columns'] => {
  const { size } = state;
  const level = levelOf(state);
  if (level !== undefined) return [{ width: size.columns, lines: linesOf(state, level) }];
  const list = { width: listColumns(state), lines: listLines(state, listColumns(state), now) };
  const pane = { width: paneColumns(state), lines: paneLines(state, now) };
  if (isWide(size)) return [list, { width: 2, lines: Array.from({ length: bodyRows(state) }, () => paint('dim', '│ ')) }, pane];
  return [state.focus === 'pane' ? pane : list];
};

const paneLines = (state: State, now: number): string[] => {
  const place = chosenPlace(state);
  if (place === null) return ['The present'];
  const when = place.at === null ? '' : ` (${relativeTime(place.at, now)})`;
  const what = state.looking === 'return' ? `Going back to ${place.label}${when} would change` : `${place.label}${when} changed`;
  const title = paint('bold', cut(`${state.focus === 'pane' ? '» ' : ''}${what}`, paneColumns(state)));
  if (place.id === null) return [title, 'Retake has no record of the code there'];
  const sight = sightOf(state);
  if (sight === undefined) return [title, 'reading …'];
  return [title, ...sight.lines.slice(state.paneTop, state.paneTop + paneRows(state))];
};

const linesOf = (state: State, level: Level): string[] => {
  const rows = bodyRows(state);
  switch (level.is) {
    case 'menu':
      return menuLines(state, level);
    case 'files':
      return fileLines(state, level).slice(level.top, level.top + rows);
    case 'plan':
      return toldOf(state, level.order).slice(level.top, level.top + rows);
    case 'work':
      return [level.isStopping ? 'Ending …' : 'Working …', ...(state.progress === null ? [] : [state.progress])];
    case 'result':
      return flowing(state, resultLines(level)).slice(level.top, level.top + rows);
  }
};

const menuLines = (state: State, level: MenuLevel): string[] => {
  const { columns } = state.size;
  if (level.weighed === null) return ['reading …'];
  const choices = choiceLines(state, level);
  const painted = choicesOf(level).flatMap(({ reason }, at) =>
    (choices[at] ?? []).map((line) => (reason !== null ? paint('dim', line) : at === level.at ? paint(['bold', 'cyan'], line) : line)),
  );
  const told = toldOfChoice(state, level);
  const rest = told.length - level.top - menuPlanRows(state, level);
  const below = rest > 0 ? ` ${count(rest, 'more line')} below ` : '';
  const rule = `──${below}${'─'.repeat(Math.max(0, columns - 2 - widthOf(below)))}`;
  const room = menuChoiceRows(state, level);
  const chosen = choices.slice(0, level.at).flat().length;
  const top = Math.max(0, Math.min(chosen - Math.floor(room / 2), painted.length - room));
  return [...painted.slice(top, top + room), paint('dim', rule), ...told.slice(level.top, level.top + menuPlanRows(state, level))];
};

const fileLines = (state: State, { prepared, chosen, at }: FilesLevel): string[] =>
  prepared.files.map(({ path, type, lines }, index) => {
    const amount = lines === null ? '' : `  +${lines.insertions} -${lines.deletions}`;
    const front = `${index === at ? '❯' : ' '} [${chosen.has(index) ? 'x' : ' '}] ${type.padEnd(7)} `;
    const fitting = `${front}${cutPath(showPath(path), state.size.columns - widthOf(front + amount))}${amount}`;
    return index === at ? paint(['bold', 'cyan'], fitting) : fitting;
  });
