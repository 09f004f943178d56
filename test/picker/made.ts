import type { Contents } from '../../src/cli/picker/contents.ts';
import type { Key } from '../../src/cli/picker/moving.ts';
import type { Order, Prepared } from '../../src/cli/picker/order.ts';
import { type PendingLoad, pendingLoadsOf } from '../../src/cli/picker/pending-loads.ts';
import { type Place, placeOfTurn } from '../../src/cli/picker/places.ts';
import { press } from '../../src/cli/picker/press.ts';
import { type Answer, type Answers, receive } from '../../src/cli/picker/receive.ts';
import { begin, type State } from '../../src/cli/picker/state.ts';
import type { SessionTurn } from '../../src/engine/index.ts';
import type { OperationId, SessionId } from '../../src/model/index.ts';

export const turn = (number: number, title = `prompt ${number}`): SessionTurn => ({
  number,
  message: null,
  branch: null,
  toolCalls: null,
  title,
  at: new Date(number * 60_000).toISOString(),
  checkpoint: `${number}`.padStart(40, 'a') as OperationId,
  last: `${number}`.padStart(40, 'b') as OperationId,
  checkpoints: 2,
  steps: 1,
});

export const contentsOf = (titles: readonly string[]): Contents => ({
  view: 'turns',
  session: 'session' as SessionId,
  places: titles.map((title, at) => placeOfTurn(turn(at + 1, title), 'session' as SessionId)).reverse(),
});

/** The answer to a wish that is there. */
export const answer = <K extends keyof Answers>(state: State, is: K, value: Answers[K]): State => {
  const load = pendingLoadsOf(state).find((one) => one.is === is);
  if (load === undefined) throw new Error(`nobody wishes for ${is}, but for ${pendingLoadsOf(state).map((one) => one.is)}`);
  return receive(state, { load, came: { value } } as Answer);
};

export const fail = (state: State, is: PendingLoad['is'], code: string, message = 'It went wrong'): State => {
  const load = pendingLoadsOf(state).find((one) => one.is === is);
  if (load === undefined) throw new Error(`nobody wishes for ${is}`);
  return receive(state, { load, came: { failure: { code, message } } } as Answer);
};

type Pressed = Exclude<Key['is'], 'text' | 'pasted'> | { type: string } | { paste: string };

const keyOf = (pressed: Pressed): Key => {
  if (typeof pressed === 'string') return { is: pressed };
  return 'type' in pressed ? { is: 'text', text: pressed.type } : { is: 'pasted', text: pressed.paste };
};

/** Names of keys, or what is typed or pasted. */
export const pressed = (state: State, ...keys: readonly Pressed[]): State => keys.map(keyOf).reduce(press, state);

/** A picker that has read its turns, the newest first. */
export const listing = (titles: readonly string[], size = { columns: 80, rows: 24 }): State =>
  answer(begin(size), 'contents', contentsOf(titles));

export const prepared = (order: Order, more: Partial<Prepared> = {}): Prepared => ({
  order,
  lines: ['what it does'],
  planned: null,
  files: [],
  hasMine: false,
  keepsMine: false,
  conflicts: 0,
  refusal: null,
  ...more,
});

export const placesOf = (state: State): readonly Place[] => state.contents?.places ?? [];
