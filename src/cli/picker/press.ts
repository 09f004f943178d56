import { isTooSmall, settled } from './layout.ts';
import type { Key } from './moving.ts';
import { pressFiles, pressMenu, pressPlan, pressResult } from './press-level.ts';
import { pressList, pressPane } from './press-list.ts';
import { levelOf, type State, withLevel } from './state.ts';

/** What a key makes of the picker. */
export const press = (state: State, key: Key): State => {
  if (key.is === 'ctrl-c') return leave(state);
  // Nobody says yes to what is not on the screen.
  if (isTooSmall(state.size)) return state;
  if (key.is === 'text' && !isTypedIn(state) && [...key.text].length > 1)
    return [...key.text].reduce((now, letter) => press(now, { is: 'text', text: letter }), state);
  const told = { ...state, notice: null };
  const level = levelOf(told);
  switch (level?.is) {
    case undefined:
      if (told.contents === null && key.is !== 'escape') return { ...told, early: [...told.early, key] };
      return settled(told.focus === 'pane' ? pressPane(told, key) : pressList(told, key));
    case 'menu':
      return settled(pressMenu(told, level, key));
    case 'files':
      return settled(pressFiles(told, level, key));
    case 'plan':
      return settled(pressPlan(told, level, key));
    case 'result':
      return settled(pressResult(told, level, key));
    case 'work':
      return state;
  }
};

/** Whether letters make words: elsewhere each is a key of its own. */
const isTypedIn = (state: State): boolean => levelOf(state) === undefined && (state.contents === null || state.focus === 'list');

/** From anywhere, without a change: what is being done is ended first. */
const leave = (state: State): State => {
  const level = levelOf(state);
  return level?.is === 'work' ? withLevel(state, { ...level, isStopping: true }) : { ...state, notice: null, isOver: true };
};
