import type { OperationId, Recorded } from '../model/index.ts';
import { type Classified, RETENTION_CLASSES, type RetentionClass } from './retention-class.ts';

/** Why a record goes. */
export type PruneReason = 'age' | 'count' | 'bytes';

export interface RetentionLimits {
  /** In milliseconds. */
  readonly time: number;
  /** For how many days each is kept; what is not named stays as long as there is room. */
  readonly days: Readonly<Partial<Record<RetentionClass, number>>>;
  /** How many records with a state of the workspace may stay. */
  readonly count: number;
  /** How many bytes they may take, by what each takes that those before it did not; absent where there is room for all. */
  readonly room?: { readonly bytes: number; readonly weigh: (operation: Recorded) => number };
}

export interface Retention {
  readonly stays: readonly Classified[];
  readonly goes: readonly (Classified & { readonly why: PruneReason })[];
  /** What those that stay take, and what the first that was one too many would have taken beside them; 0 where that was not weighed. */
  readonly bytes: number;
  readonly excess: number;
}

const DAY = 86_400_000;
const NEVER: ReadonlySet<RetentionClass> = new Set(['needed', 'yours']);

/**
 * What stays and what goes (STO-3). What is worth most is chosen first, the newest before the oldest, each with all that it needs; from the
 * first on that is one too many, all that is worth less goes, but for what is not a day old when it is about room. What must never go stays even
 * above the limits.
 */
export const retain = (classified: readonly Classified[], limits: RetentionLimits): Retention => {
  const byId = new Map(classified.map((one) => [one.operation.id, one]));
  const staying = new Map<OperationId, Classified>();
  const reasons = new Map<OperationId, PruneReason>();
  const { weigh = () => 0, bytes: room = Number.POSITIVE_INFINITY } = limits.room ?? {};
  let [count, bytes, excess] = [0, 0, 0];
  let most = room;
  let full: PruneReason | undefined;
  for (const one of inClassOrder(classified)) {
    const { id } = one.operation;
    if (staying.has(id)) continue;
    const isBound = NEVER.has(one.retentionClass);
    const why = isBound ? undefined : isTooOld(one, limits) ? 'age' : full === 'bytes' && isOfToday(one, limits) ? undefined : full;
    if (why !== undefined) {
      reasons.set(id, why);
      continue;
    }
    // To give up the rest would free too little: what has to stay takes more than there is room for.
    if (!isBound && bytes > most) most = Number.POSITIVE_INFINITY;
    const taken = withNeeds(one, byId, staying);
    const more = taken.filter(({ operation }) => operation.state !== null).length;
    const weight = taken.reduce((sum, { operation }) => sum + weigh(operation), 0);
    const isTooMany = count + more > limits.count;
    if (!isBound && (isTooMany || (bytes + weight > most && !isOfToday(one, limits)))) {
      full = isTooMany ? 'count' : 'bytes';
      excess = weight;
      reasons.set(id, full);
      continue;
    }
    for (const each of taken) staying.set(each.operation.id, each);
    count += more;
    bytes += weight;
  }
  return {
    stays: classified.filter(({ operation }) => staying.has(operation.id)),
    goes: classified.flatMap((one) =>
      staying.has(one.operation.id) ? [] : [{ ...one, why: reasons.get(one.operation.id) as PruneReason }],
    ),
    bytes,
    excess,
  };
};

const inClassOrder = (classified: readonly Classified[]): Classified[] =>
  classified.toSorted(
    (a, b) =>
      RETENTION_CLASSES.indexOf(b.retentionClass) - RETENTION_CLASSES.indexOf(a.retentionClass) ||
      b.operation.sequence - a.operation.sequence,
  );

const isTooOld = ({ retentionClass, since }: Classified, { time, days }: RetentionLimits): boolean =>
  time - since > (days[retentionClass] ?? Number.POSITIVE_INFINITY) * DAY;

/** Work that may be under way is not given up to make room. */
const isOfToday = ({ since }: Classified, { time }: RetentionLimits): boolean => time - since < DAY;

/** It and all that it needs, directly or not, as far as that is there and not staying already. */
const withNeeds = (
  one: Classified,
  byId: ReadonlyMap<OperationId, Classified>,
  staying: ReadonlyMap<OperationId, Classified>,
): Classified[] => {
  const taken = new Map([[one.operation.id, one]]);
  for (const { needs } of taken.values()) {
    for (const id of needs) {
      const needed = byId.get(id);
      if (needed !== undefined && !staying.has(id)) taken.set(id, needed);
    }
  }
  return [...taken.values()];
};
