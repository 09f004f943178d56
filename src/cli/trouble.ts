import type { Trouble } from '../daemon/trouble.ts';
import { count, oneLine, paint, print, relativeTime, table } from './output.ts';

const SHOWN = 5;

export const printTrouble = (trouble: readonly Trouble[]): void => {
  if (trouble.length === 0) return;
  print(`\n${paint('red', count(trouble.length, 'problem'))} of hooks, the latest:`);
  print(table(trouble.slice(-SHOWN).map(({ at, agent, problem }) => [paint('dim', relativeTime(at)), oneLine(agent), oneLine(problem)])));
};
