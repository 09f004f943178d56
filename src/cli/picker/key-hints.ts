import { isFailure, levelOf, orderOf, planOf, type State } from './state.ts';

/** What can be pressed now, in a few words each. */
export const keysOf = (state: State): string[] => {
  const level = levelOf(state);
  switch (level?.is) {
    case undefined:
      return state.focus === 'pane' ? paneKeys(state) : listKeys(state);
    case 'menu':
      return ['↑↓ choose', 'Enter go on', ...planKeys(state), 'PgUp PgDn scroll', 'Esc back', '^C quit'];
    case 'files':
      return ['↑↓ move', 'Space choose', 'a all', 'Enter go on', 'Esc back', '^C quit'];
    case 'plan':
      return ['Enter do it', ...planKeys(state), '↑↓ scroll', 'Esc back', '^C quit'];
    case 'work':
      return level.isStopping ? ['ending …'] : ['^C end it, as if it had not begun'];
    case 'result':
      return [...(level.outcome.rollback === null ? [] : ['u undo']), '↑↓ scroll', 'Enter quit'];
  }
};

const listKeys = ({ contents, filter }: State): string[] => [
  'type to filter',
  '↑↓ move',
  ...(contents?.view === 'turns' ? ['→← steps'] : []),
  'Enter choose',
  'Tab diff',
  `^O ${contents?.view === 'records' ? 'turns' : 'all records'}`,
  '^R read again',
  `Esc ${filter === '' ? 'quit' : 'no filter'}`,
];

const paneKeys = ({ looking }: State): string[] => [
  '↑↓ scroll',
  'n p file',
  `^D ${looking === 'return' ? 'what it changed' : 'what going back changes'}`,
  'Enter choose',
  'Tab list',
  'Esc back',
  '^C quit',
];

/** What can be changed about a plan. */
const planKeys = (state: State): string[] => {
  const level = levelOf(state);
  const order = level?.is === 'menu' ? orderOf(level) : level?.is === 'plan' ? level.order : null;
  const prepared = planOf(state, order);
  if (prepared === undefined || isFailure(prepared)) return [];
  return [
    ...(prepared.hasMine ? [`m ${prepared.keepsMine ? 'give up' : 'keep'} my edits`] : []),
    ...(prepared.conflicts > 0 ? ['c conflicts'] : []),
  ];
};
