import { choicesAt, type Weighed } from './choices.ts';
import type { Contents } from './contents.ts';
import { settled } from './layout.ts';
import type { Sight } from './look.ts';
import { type Failure, nameOf, type Outcome, type Prepared } from './order.ts';
import type { PendingLoad } from './pending-loads.ts';
import type { Details, Place } from './places.ts';
import { press } from './press.ts';
import { readAnew } from './press-list.ts';
import { levelOf, opened, rowsOf, type State, sightName, withLevel } from './state.ts';

/** What came of a load. */
export interface Answers {
  readonly contents: Contents;
  readonly words: ReadonlyMap<string, string>;
  readonly steps: readonly Place[];
  readonly details: ReadonlyMap<string, Details>;
  readonly sight: Sight;
  readonly weigh: Weighed;
  readonly plan: Prepared;
  readonly work: Outcome;
}

/** A load with its answer, or with why there is none. */
export type Answer = {
  readonly [K in keyof Answers]: {
    readonly load: Extract<PendingLoad, { is: K }>;
    readonly came: { readonly value: Answers[K] } | { readonly failure: Failure };
  };
}[keyof Answers];

/** What an answer makes of the picker. */
export const receive = (state: State, { load, came }: Answer): State => {
  const next = 'failure' in came ? failed(state, load, came.failure) : TAKEN[load.is](state, load as never, came.value as never);
  // Keys that came before the contents may have chosen something else since.
  const still = load.is === 'contents' ? next : anchored(next, chosenKey(state));
  return settled({ ...still, progress: null });
};

type Taking = {
  readonly [K in keyof Answers]: (state: State, load: Extract<PendingLoad, { is: K }>, value: Answers[K]) => State;
};

const TAKEN: Taking = {
  contents: (state, _, contents) => state.early.reduce(press, anchored({ ...state, contents, early: [] }, state.anchor)),
  words: (state, _, words) => ({ ...state, words }),
  steps: (state, { place }, steps) => unfold(state, place, steps),
  details: (state, _, details) => ({ ...state, details: new Map([...state.details, ...details]) }),
  // Of the others the present may be another by now.
  sight: (state, { place, looking }, sight) => ({ ...state, sights: new Map([[sightName(place, looking), sight]]) }),
  weigh: (state, _, weighed) => withWeighed(state, weighed),
  plan: (state, { order }, prepared) => ({ ...state, plans: new Map(state.plans).set(nameOf(order), prepared) }),
  work: (state, _, outcome) => done(state, outcome),
};

const chosenKey = (state: State): string | null => state.anchor ?? rowsOf(state)[state.at]?.key ?? null;

/** What was chosen stays so, if it is still there; a step of a turn that is being read again, as soon as that is there. */
const anchored = (state: State, key: string | null): State => {
  if (key === null || state.contents === null) return state;
  const rows = rowsOf(state);
  const at = rows.findIndex((row) => row.key === key);
  if (at >= 0) return { ...state, anchor: null, at };
  const turn = rows.findIndex((row) => key.startsWith(`${row.key} `) && state.unfolded.get(row.key) === null);
  return turn < 0 ? { ...state, anchor: null } : { ...state, anchor: key, at: turn };
};

const unfold = (state: State, { key }: Place, steps: readonly Place[]): State =>
  state.unfolded.has(key) ? { ...state, unfolded: new Map(state.unfolded).set(key, steps) } : state;

/** The first that is possible is under the cursor. */
const withWeighed = (state: State, weighed: Weighed): State => {
  const level = levelOf(state);
  if (level?.is !== 'menu') return state;
  const at = choicesAt(weighed).findIndex(({ reason }) => reason === null);
  return withLevel(state, { ...level, weighed, at });
};

/** From the result there is no way back to plans that were made before it. */
const done = (state: State, outcome: Outcome): State => {
  const level = levelOf(state);
  const isOver = level?.is === 'work' && level.isStopping;
  const order = level?.is === 'work' ? level.prepared.order : null;
  const before = state.outcomes.map((one) => (order?.do === 'undo' && order.rollback === one.rollback ? { ...one, onward: [] } : one));
  const fresh = readAnew({ ...state, levels: [], outcomes: [...before, outcome], isOver });
  return opened(fresh, { is: 'result', outcome, top: 0 });
};

const failed = (state: State, load: PendingLoad, failure: Failure): State => {
  const notice = failure.hint === undefined ? failure.message : `${failure.message}. ${failure.hint}`;
  switch (load.is) {
    case 'contents':
      return { ...state, contents: { view: load.view, session: null, places: [] }, notice };
    case 'words':
      return { ...state, words: new Map(), notice };
    case 'steps':
      return { ...unfold(state, load.place, []), notice };
    case 'details':
      return { ...state, details: new Map([...state.details, ...load.places.map(({ key }) => [key, UNKNOWN] as const)]), notice };
    case 'sight':
      return { ...state, sights: new Map([[sightName(load.place, load.looking), failure]]) };
    case 'weigh':
      return { ...withLevel(state, null), notice };
    case 'plan':
      return { ...state, plans: new Map(state.plans).set(nameOf(load.order), failure) };
    case 'work':
      return notDone(state, failure, notice);
  }
};

const UNKNOWN: Details = { counts: null, marks: ['can not be read'] };

/** Back at the plan, which is made anew where it does not hold any more. */
const notDone = (state: State, { code }: Failure, notice: string): State => {
  const level = levelOf(state);
  if (level?.is !== 'work') return state;
  const back = withLevel(state, null);
  if (level.isStopping) return { ...back, notice, isOver: true };
  const told =
    code === 'workspace-moved' ? 'The workspace changed since this plan was shown; nothing was changed. This is the new plan' : notice;
  return { ...back, plans: new Map(), sights: new Map(), notice: told };
};

export const resize = (state: State, size: State['size']): State => settled({ ...state, size });
