import type { MergeChoice } from '../../engine/index.ts';
import { type Choice, choicesAt, orderFor, type Weighed } from './choices.ts';
import type { Contents, View } from './contents.ts';
import type { Looking, Sight } from './look.ts';
import type { Key } from './moving.ts';
import { type Failure, nameOf, type Order, type Outcome, type Prepared } from './order.ts';
import { type Details, fits, type Place } from './places.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/**
 * All that the picker knows and shows. It changes by `press` (keys), `receive` (what was read or done) and `resize` alone; what is to be read
 * or done for it follows from it (`wishesOf`).
 */
export interface State {
  readonly size: Size;
  readonly view: View;
  /** Counts up when everything is to be read anew. */
  readonly reading: number;
  /** Null until it is read. */
  readonly contents: Contents | null;
  /** Pressed before there was anything to be seen; they count when there is. */
  readonly early: readonly Key[];
  readonly filter: string;
  /** What the steps of turns are called; null until somebody filters. */
  readonly words: ReadonlyMap<string, string> | null;
  /** The steps of turns that are unfolded; null until they are read. */
  readonly unfolded: ReadonlyMap<string, readonly Place[] | null>;
  readonly details: ReadonlyMap<string, Details>;
  /** The chosen row, and the first one in sight. */
  readonly at: number;
  readonly top: number;
  /** The key of the row to be chosen when it is read anew; null while there is none to wait for. */
  readonly anchor: string | null;
  readonly focus: 'list' | 'pane';
  readonly looking: Looking;
  readonly sights: ReadonlyMap<string, Sight | Failure>;
  readonly paneTop: number;
  readonly plans: ReadonlyMap<string, Prepared | Failure>;
  /** What is open above the list, the newest last. */
  readonly levels: readonly Level[];
  /** What was done so far; told again when the screen is left. */
  readonly outcomes: readonly Outcome[];
  /** How far the work is that somebody waits for. */
  readonly progress: string | null;
  readonly notice: string | null;
  readonly isOver: boolean;
}

export type Level = MenuLevel | FilesLevel | PlanLevel | WorkLevel | ResultLevel;

/** What can be done at a place, with the plan of each. */
export interface MenuLevel {
  readonly is: 'menu';
  readonly place: Place;
  readonly weighed: Weighed | null;
  readonly at: number;
  readonly top: number;
  readonly keepMine: boolean | null;
  readonly onConflict: MergeChoice | null;
}

/** Some of the files of a plan. */
export interface FilesLevel {
  readonly is: 'files';
  readonly prepared: Prepared;
  readonly chosen: ReadonlySet<number>;
  readonly at: number;
  readonly top: number;
}

/** A plan that waits for a yes. */
export interface PlanLevel {
  readonly is: 'plan';
  readonly order: Order;
  readonly top: number;
}

/** It is being carried out. */
interface WorkLevel {
  readonly is: 'work';
  readonly prepared: Prepared;
  /** Somebody wants it ended, and to leave. */
  readonly isStopping: boolean;
}

export interface ResultLevel {
  readonly is: 'result';
  readonly outcome: Outcome;
  readonly top: number;
}

export const begin = (size: Size): State => ({
  size,
  view: 'turns',
  reading: 0,
  contents: null,
  early: [],
  filter: '',
  words: null,
  unfolded: new Map(),
  details: new Map(),
  at: 0,
  top: 0,
  anchor: null,
  focus: 'list',
  looking: 'return',
  sights: new Map(),
  paneTop: 0,
  plans: new Map(),
  levels: [],
  outcomes: [],
  progress: null,
  notice: null,
  isOver: false,
});

/** A line of the list. */
export type Row =
  | { readonly is: 'now'; readonly key: string }
  | {
      readonly is: 'place';
      readonly key: string;
      readonly place: Place;
      readonly isStep: boolean;
      readonly fold: 'folded' | 'unfolded' | null;
    }
  | { readonly is: 'remark'; readonly key: string; readonly text: string };

const NOW: Row = { is: 'now', key: 'now' };

export const rowsOf = ({ contents, filter, words, unfolded }: State): Row[] => {
  if (contents === null) return [];
  const isFiltered = filter.trim() !== '';
  const places = isFiltered ? contents.places.filter((place) => fits(place, filter.trim(), words?.get(place.key))) : contents.places;
  const rows = places.flatMap((place): Row[] => {
    const { key } = place;
    const steps = unfolded.get(key);
    const fold = 'turn' in place.of ? (steps === undefined ? 'folded' : 'unfolded') : null;
    const row: Row = { is: 'place', key, place, isStep: false, fold };
    if (steps === undefined) return [row];
    if (steps === null) return [row, { is: 'remark', key: `${key} …`, text: 'reading …' }];
    if (steps.length === 0) return [row, { is: 'remark', key: `${key} -`, text: 'nothing was recorded in this turn' }];
    return [row, ...steps.map((step): Row => ({ is: 'place', key: `${key} ${step.key}`, place: step, isStep: true, fold: null }))];
  });
  return isFiltered ? rows : [NOW, ...rows];
};

/** The place that is chosen; null at the present, and where there is none. */
export const chosenPlace = (state: State): Place | null => {
  const row = rowsOf(state)[state.at];
  return row?.is === 'place' ? row.place : null;
};

export const levelOf = ({ levels }: State): Level | undefined => levels.at(-1);

/** With the newest level changed, or closed. */
export const withLevel = (state: State, level: Level | null): State => ({
  ...state,
  levels: level === null ? state.levels.slice(0, -1) : [...state.levels.slice(0, -1), level],
});

export const opened = (state: State, level: Level): State => ({ ...state, levels: [...state.levels, level] });

export const choicesOf = ({ weighed }: MenuLevel): Choice[] => (weighed === null ? [] : choicesAt(weighed));

/** What the choice under the cursor would do. */
export const orderOf = (level: MenuLevel): Order | null => {
  const choice = choicesOf(level)[level.at];
  return choice === undefined || choice.reason !== null ? null : orderFor(level.place, choice.id, level);
};

export const sightName = (place: Place, looking: Looking): string => `${looking} ${place.id}`;

export const planOf = ({ plans }: State, order: Order | null): Prepared | Failure | undefined =>
  order === null ? undefined : plans.get(nameOf(order));

export const isFailure = (one: object): one is Failure => 'message' in one;
