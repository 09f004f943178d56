import { bodyRows, paneRows, sightOf } from './layout.ts';
import { type Key, strideOf, within } from './moving.ts';
import { chosenPlace, opened, rowsOf, type State } from './state.ts';

/** Keys while the list has them. Whoever presses one has the row in mind that is chosen now, and none that is still to come. */
export const pressList = (state: State, key: Key): State =>
  key.is === 'ctrl-r' ? readAnew(state) : pressRow({ ...state, anchor: null }, key);

const pressRow = (state: State, key: Key): State => {
  const rows = rowsOf(state);
  const stride = strideOf(key, bodyRows(state));
  if (stride !== null) return { ...state, at: within(state.at + stride, rows.length - 1), paneTop: 0 };
  const row = rows[state.at];
  switch (key.is) {
    case 'text':
    case 'pasted':
      return filtered(state, state.filter + key.text);
    case 'backspace':
      return filtered(state, [...state.filter].slice(0, -1).join(''));
    case 'ctrl-u':
      return filtered(state, '');
    case 'escape':
      return state.filter === '' ? { ...state, isOver: true } : filtered(state, '');
    case 'right':
      return row?.is === 'place' && row.fold === 'folded' ? { ...state, unfolded: new Map(state.unfolded).set(row.key, null) } : state;
    case 'left':
      return folded(state);
    case 'tab':
      return { ...state, focus: 'pane' };
    case 'ctrl-d':
      return turned(state);
    case 'ctrl-o':
      return readAnew({ ...state, view: state.contents?.view === 'records' ? 'turns' : 'records', at: 0, top: 0 });
    case 'enter':
      return choose(state);
    default:
      return state;
  }
};

/** The newest that fits is chosen. */
const filtered = (state: State, filter: string): State => {
  if (filter === state.filter) return state;
  const key = rowsOf(state)[state.at]?.key;
  const next = { ...state, filter, top: 0, paneTop: 0 };
  const kept = filter === '' ? rowsOf(next).findIndex((row) => row.key === key) : 0;
  return { ...next, at: Math.max(0, kept) };
};

/** A step folds its turn, and leaves that chosen. */
const folded = (state: State): State => {
  const rows = rowsOf(state);
  const at = rows.findLastIndex((row, index) => index <= state.at && row.is === 'place' && row.fold !== null);
  const row = rows[at];
  if (row === undefined || !state.unfolded.has(row.key)) return state;
  const unfolded = new Map(state.unfolded);
  unfolded.delete(row.key);
  return { ...state, unfolded, at, paneTop: 0 };
};

const turned = (state: State): State => ({ ...state, looking: state.looking === 'return' ? 'change' : 'return', paneTop: 0 });

/** Everything that was read may be different now. */
export const readAnew = (state: State): State => ({
  ...state,
  reading: state.reading + 1,
  contents: null,
  anchor: state.anchor ?? rowsOf(state)[state.at]?.key ?? null,
  words: null,
  unfolded: new Map([...state.unfolded.keys()].map((key) => [key, null])),
  details: new Map(),
  sights: new Map(),
  plans: new Map(),
});

const choose = (state: State): State => {
  const place = chosenPlace(state);
  if (place === null)
    return { ...state, notice: rowsOf(state)[state.at]?.is === 'now' ? 'This is the present: choose where to go back to' : null };
  return opened({ ...state, plans: new Map() }, { is: 'menu', place, weighed: null, at: 0, top: 0, keepMine: null, onConflict: null });
};

/** Keys while the pane has them. */
export const pressPane = (state: State, key: Key): State => {
  const stride = strideOf(key, paneRows(state));
  const { lines, files } = sightOf(state) ?? { lines: [], files: [] };
  if (stride !== null) return { ...state, paneTop: within(state.paneTop + stride, lines.length) };
  if (key.is === 'text') {
    const next = files.find((line) => line > state.paneTop) ?? state.paneTop;
    const before = files.findLast((line) => line < state.paneTop) ?? 0;
    return { ...state, paneTop: key.text === 'n' ? next : key.text === 'p' ? before : state.paneTop };
  }
  if (key.is === 'tab' || key.is === 'escape') return { ...state, focus: 'list' };
  if (key.is === 'ctrl-d') return turned(state);
  return key.is === 'enter' ? choose(state) : state;
};
