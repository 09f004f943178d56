import type { View } from './contents.ts';
import { bodyRows, isWide } from './layout.ts';
import type { Looking } from './look.ts';
import { nameOf, type Order, type Prepared } from './order.ts';
import type { Place } from './places.ts';
import { chosenPlace, levelOf, orderOf, rowsOf, type State, sightName } from './state.ts';

/** Something that is to be read or done. Two with the same name are the same. */
export type PendingLoad = { readonly name: string } & (
  | { readonly is: 'contents'; readonly view: View }
  | { readonly is: 'words'; readonly places: readonly Place[] }
  | { readonly is: 'steps'; readonly place: Place }
  | { readonly is: 'details'; readonly places: readonly Place[] }
  | { readonly is: 'sight'; readonly place: Place; readonly looking: Looking }
  | { readonly is: 'weigh'; readonly place: Place }
  | { readonly is: 'plan'; readonly order: Order }
  | { readonly is: 'work'; readonly prepared: Prepared; readonly isStopping: boolean }
);

/** What the picker lacks of what it has to show, the most pressing first. Only what is in sight is wished for. */
export const pendingLoadsOf = (state: State): PendingLoad[] => {
  const level = levelOf(state);
  const round = (name: string): string => `${state.reading} ${name}`;
  if (level?.is === 'work') return [{ is: 'work', name: round('work'), prepared: level.prepared, isStopping: level.isStopping }];
  const { contents } = state;
  if (contents === null) return [{ is: 'contents', name: round(`contents ${state.view}`), view: state.view }];
  const loads: PendingLoad[] = [];
  if (level?.is === 'menu' && level.weighed === null)
    loads.push({ is: 'weigh', name: round(`weigh ${level.place.key}`), place: level.place });
  const order = level?.is === 'menu' ? orderOf(level) : level?.is === 'plan' ? level.order : null;
  if (order !== null && !state.plans.has(nameOf(order))) loads.push({ is: 'plan', name: round(nameOf(order)), order });
  if (level !== undefined) return loads;
  const rows = rowsOf(state);
  const inSight = rows.slice(state.top, state.top + bodyRows(state)).flatMap((row) => (row.is === 'place' ? [row.place] : []));
  const unknown = inSight.filter(({ key }) => !state.details.has(key));
  if (unknown.length > 0) loads.push({ is: 'details', name: round(`details ${unknown.map(({ key }) => key)}`), places: unknown });
  for (const place of inSight)
    if (state.unfolded.get(place.key) === null) loads.push({ is: 'steps', name: round(`steps ${place.key}`), place });
  if (state.filter !== '' && state.words === null) loads.push({ is: 'words', name: round('words'), places: contents.places });
  const place = chosenPlace(state);
  const isPaneSeen = isWide(state.size) || state.focus === 'pane';
  if (isPaneSeen && place !== null && place.id !== null) {
    const name = sightName(place, state.looking);
    if (!state.sights.has(name)) loads.push({ is: 'sight', name: round(name), place, looking: state.looking });
  }
  return loads;
};
