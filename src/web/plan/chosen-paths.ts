import type { PlanStep } from '../client/types.ts';
import { isFolder, keyOfPath } from './plan-words.ts';

/** Which of a plan's changes go back, and how that is asked for: by the fewest files and directories that say it. */

/** As many as a request takes, and as long as its address may be. */
const MOST_PATHS = 1000;
const MOST_LETTERS = 11_000;

/** Those that can be chosen one by one. Folders come and go with what is in them, unless nothing else is said of it. */
export const choosable = (steps: readonly PlanStep[]): ReadonlySet<string> => {
  const above = new Set(steps.flatMap(({ path }) => directoriesAbove(path)));
  return new Set(
    steps.filter((step) => step.pathBase64 === undefined && !(isFolder(step) && above.has(step.path))).map((step) => keyOfPath(step)),
  );
};

const directoriesAbove = (path: string): string[] => {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
};

interface Node {
  readonly path: string;
  readonly below: Map<string, Node>;
  all: number;
  chosen: number;
  isChosen: boolean;
}

const node = (path: string): Node => ({ path, below: new Map(), all: 0, chosen: 0, isChosen: false });

/** The paths to ask for when some are left out; undefined when none is. */
export const chosenPaths = (steps: readonly PlanStep[], leftOut: ReadonlySet<string>): readonly string[] | 'too-many' | undefined => {
  if (leftOut.size === 0) return undefined;
  const own = choosable(steps);
  const root = node('');
  if (![...own].some((key) => leftOut.has(key))) return undefined;
  for (const step of steps) {
    const key = keyOfPath(step);
    if (isFolder(step) && !own.has(key)) continue;
    const isChosen = own.has(key) && !leftOut.has(key);
    let at = root;
    count(at, isChosen);
    for (const part of step.path.split('/')) {
      const next = at.below.get(part) ?? node(at.path === '' ? part : `${at.path}/${part}`);
      at.below.set(part, next);
      at = next;
      count(at, isChosen);
    }
    at.isChosen = isChosen;
  }
  const paths = [...root.below.values()].flatMap(fewest);
  const letters = paths.reduce((sum, path) => sum + encodeURIComponent(path).length + '&path='.length, 0);
  return paths.length > MOST_PATHS || letters > MOST_LETTERS ? 'too-many' : paths;
};

const count = (one: Node, isChosen: boolean): void => {
  one.all += 1;
  if (isChosen) one.chosen += 1;
};

const fewest = (one: Node): string[] => {
  if (one.chosen === 0) return [];
  return one.chosen === one.all || one.isChosen ? [one.path] : [...one.below.values()].flatMap(fewest);
};
