import type { Plan, Step } from '../client/types.ts';
import { count } from '../parts/words.ts';

/** What can be done about steps, and what was chosen of them. */

const STATES = ['recoverable', 'expiring', 'expired', 'recovered', 'on-branch'] as const;
export type StepState = (typeof STATES)[number];

export const stateOf = ({ state }: Pick<Step, 'state'>): StepState | undefined => STATES.find((one) => one === state);

/** What of a list is shown. */
export const STATE_FILTERS = ['all', 'possible', ...STATES] as const;
export type StateFilter = (typeof STATE_FILTERS)[number];

export const FILTER_WORDS: Readonly<Record<StateFilter, string>> = {
  all: 'all',
  possible: 'all that can be recovered',
  recoverable: 'recoverable',
  expiring: 'expiring',
  expired: 'expired',
  recovered: 'recovered',
  'on-branch': 'in the present',
};

export const fits = (step: Pick<Step, 'state'>, filter: StateFilter): boolean =>
  filter === 'all' || (filter === 'possible' ? canRecover(step) : stateOf(step) === filter);

/** Rolled back; what is expired may still be there. */
export const canRecover = (step: Pick<Step, 'state'>): boolean => whyNot(step) === undefined;

/** Why a step is not to be chosen. */
export const whyNot = (step: Pick<Step, 'state'>): string | undefined => {
  switch (stateOf(step)) {
    case 'on-branch':
      return 'It is part of the present';
    case 'recovered':
      return 'It was recovered already';
    case undefined:
      return 'It can not be told whether it was rolled back';
    default:
      return undefined;
  }
};

const DAY = 86_400_000;

/** Whole days until something ends. */
export const daysLeft = (expiresAt: string, now = Date.now()): number => Math.max(0, Math.floor((Date.parse(expiresAt) - now) / DAY));

export interface Selecting {
  readonly selected: ReadonlySet<string>;
  /** What can be chosen, in the order shown. */
  readonly ids: readonly string[];
  readonly id: string;
  /** Chosen last: a range begins there. */
  readonly anchor: string | undefined;
  readonly isRange: boolean;
}

/** One more or less; a range gets what its last becomes. */
export const select = ({ selected, ids, id, anchor, isRange }: Selecting): ReadonlySet<string> => {
  const [from, to] = [anchor === undefined ? -1 : ids.indexOf(anchor), ids.indexOf(id)];
  const range = isRange && from >= 0 && to >= 0 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
  const after = new Set(selected);
  if (selected.has(id)) for (const one of range) after.delete(one);
  else for (const one of range) after.add(one);
  return after;
};

export type Applies = NonNullable<Plan['steps']>[number]['applies'];

const WORST: readonly Applies[] = ['cleanly', 'later', 'with-conflicts'];

/** How each step would go, by its id; one that consists of parts goes as its worst. */
export const forecastOf = (steps: Plan['steps'] = []): ReadonlyMap<string, Applies> => {
  const told = new Map<string, Applies>();
  for (const { id, applies } of steps) {
    const before = told.get(id);
    if (before === undefined || WORST.indexOf(before) < WORST.indexOf(applies)) told.set(id, applies);
  }
  return told;
};

/** The forecast in a line. */
export const forecastWords = (plan: Pick<Plan, 'steps' | 'operations' | 'conflicts'>): string => {
  const applies = [...forecastOf(plan.steps).values()];
  const some = (one: Applies, words: string): string[] => {
    const how = applies.filter((told) => told === one).length;
    return how === 0 ? [] : [`${count(how, 'step')} ${words}`];
  };
  const files = plan.operations.filter(({ type }) => !type.endsWith('dir')).length;
  const inConflict = plan.conflicts.length === 0 ? [] : [`${count(plan.conflicts.length, 'file')} in conflict`];
  return [
    ...some('cleanly', 'cleanly'),
    ...some('with-conflicts', 'with conflicts'),
    ...some('later', 'after what has to be finished by hand'),
    ...(files > 0 ? [`${count(files, 'file')} would change`] : []),
    ...(plan.operations.length === 0 && inConflict.length === 0 ? ['nothing would change'] : []),
    ...inConflict,
  ].join(', ');
};
