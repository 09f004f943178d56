import type { MessageId } from '../model/index.ts';
import type { Spot } from './outline.ts';
import { byTime, type PlacedTurn } from './placed-turn.ts';

const NOWHERE: Spot = { anchor: null, parent: null, place: 0, summary: null, isOrphan: true };

/** Files may lie. A turn whose parent is nowhere is an orphan, and a circle of turns is opened at its oldest. */
export const withoutCircles = (turns: readonly PlacedTurn[]): Map<MessageId, PlacedTurn> => {
  const all = new Map<MessageId, PlacedTurn>();
  for (const each of turns) all.set(each.turn.id, each);
  const climbed = new Set<PlacedTurn>();
  for (const each of turns) {
    if (each.spot.parent === null) continue;
    const parent = all.get(each.spot.parent);
    // A circle comes by a parent that is no older than its child.
    const opened = parent === undefined ? each : byTime(parent, each) < 0 ? undefined : oldestOfCircle(each, all, climbed);
    if (opened !== undefined) all.set(opened.turn.id, { ...opened, spot: NOWHERE });
  }
  return all;
};

/** If there is a circle above a turn that was not climbed to before. */
const oldestOfCircle = (from: PlacedTurn, all: ReadonlyMap<MessageId, PlacedTurn>, climbed: Set<PlacedTurn>): PlacedTurn | undefined => {
  const path = new Set<PlacedTurn>();
  let each: PlacedTurn | undefined = from;
  while (each !== undefined && !climbed.has(each)) {
    path.add(each);
    climbed.add(each);
    each = each.spot.parent === null ? undefined : all.get(each.spot.parent);
  }
  if (each === undefined || !path.has(each)) return undefined;
  const way = [...path];
  return way.slice(way.indexOf(each)).sort(byTime)[0];
};
