import type { ObjectId, OperationId, Recorded } from '../model/index.ts';
import { countForgotten, forgottenBy, OPERATIONS, refOf, sequenceIn } from './operation-log.ts';
import type { Store } from './store.ts';
import { writtenOperations } from './written-operations.ts';

/** What somebody else than the refs knows of the log. */
export interface KnownElsewhere {
  readonly operations: readonly Recorded[];
  /** The highest number that was given to an operation. */
  readonly highest: number;
}

const NOTHING_KNOWN: KnownElsewhere = { operations: [], highest: 0 };

/** How the refs stand, compared with the operations themselves. */
export interface RefSurvey {
  /** Those whose refs are right, oldest first, and the newest, whose ref may be about to be written. */
  readonly operations: readonly Recorded[];
  /** Files that name no object. */
  readonly torn: readonly string[];
  /** Lines of `packed-refs` that say nothing. */
  readonly garbage: readonly string[];
  /** Refs that hold another operation than their name says. */
  readonly misplaced: readonly { readonly ref: string; readonly operation: Recorded }[];
  /** Refs whose operation can't be read. */
  readonly unreadable: readonly { readonly ref: string; readonly id: OperationId }[];
  /** What is wrong with `last`. */
  readonly last: string | null;
  /** Operations whose ref is not there yet: `last` names one from the instant that it exists. */
  readonly unfinished: readonly Recorded[];
  /** How many numbers no ref has, and no removal accounts for. */
  readonly gaps: number;
}

/** How often to look again while others add to the log. */
const ATTEMPTS = 10;

/** Refs are read one after the other: those of operations that were added meanwhile would seem to be lost. */
export const surveyRefs = (store: Store, known: Pick<KnownElsewhere, 'highest'> = NOTHING_KNOWN): RefSurvey => {
  for (let tries = 1; ; tries++) {
    const before = store.log.lastId;
    const survey = surveyOnce(store, known);
    if (store.log.lastId === before || tries === ATTEMPTS) return survey;
  }
};

const surveyOnce = ({ refs, log }: Store, known: Pick<KnownElsewhere, 'highest'>): RefSurvey => {
  const operations: Recorded[] = [];
  const misplaced: { ref: string; operation: Recorded }[] = [];
  const unreadable: { ref: string; id: OperationId }[] = [];
  // Before the refs: what is put in its place meanwhile is seen there.
  const waiting = [...log.waiting.keys()];
  const torn = refs.torn(OPERATIONS);
  const taken = new Set(torn.map(sequenceIn));
  for (const [ref, id] of refs.list(OPERATIONS)) {
    const operation = log.readIfIntact(id as OperationId);
    taken.add(sequenceIn(ref));
    if (operation === undefined) unreadable.push({ ref, id: id as OperationId });
    else if (refOf(operation) !== ref) misplaced.push({ ref, operation });
    else operations.push(operation);
  }
  operations.sort((a, b) => a.sequence - b.sequence);
  const { problem, newest } = inspectLast(log.lastId, log, operations, taken);
  const isUnfinished = newest !== undefined && operations.every(({ id }) => id !== newest.id);
  if (isUnfinished) operations.push(newest);
  for (const sequence of [...waiting.map(sequenceIn), ...(newest === undefined ? [] : [newest.sequence])]) taken.add(sequence);
  const missing = Math.max(known.highest, highestOf(taken)) - taken.size;
  return {
    operations,
    torn,
    garbage: refs.garbage(),
    misplaced,
    unreadable,
    last: problem,
    unfinished: isUnfinished ? [newest] : [],
    gaps: Math.max(0, missing - operations.reduce((sum, operation) => sum + countForgotten(operation), 0)),
  };
};

const inspectLast = (
  id: OperationId | undefined,
  log: Store['log'],
  operations: readonly Recorded[],
  taken: ReadonlySet<number>,
): { problem: string | null; newest?: Recorded } => {
  if (id === undefined) return { problem: taken.size === 0 ? null : 'it names no operation' };
  const newest = operations.find((operation) => operation.id === id) ?? log.readIfIntact(id);
  if (newest === undefined) return { problem: 'what it names can not be read' };
  if (highestOf(taken) > newest.sequence) return { problem: 'it names an operation that is not the newest' };
  return { problem: null, newest };
};

const highestOf = (numbers: ReadonlySet<number>): number => [...numbers].reduce((highest, one) => Math.max(highest, one), 0);

/** What was taken out of the log on purpose. */
export const removedBy = (operations: readonly Recorded[]): ReadonlySet<OperationId> => new Set(operations.flatMap(forgottenBy));

/**
 * Operations that are in the store and not in the log, although nothing removed them: their refs are lost. The survey was made with the same
 * knowledge. Reads every commit.
 */
export const findLost = (store: Store, survey: RefSurvey, known: KnownElsewhere = NOTHING_KNOWN): Recorded[] => {
  const { operations, gaps, torn, garbage, misplaced, unreadable, last } = survey;
  const wrong = gaps + torn.length + garbage.length + misplaced.length + unreadable.length;
  const isWhole = operations.length > 0 && last === null && wrong === 0;
  if (isWhole) return [];
  const held = new Set<ObjectId>(survey.operations.map(({ id }) => id));
  const orphans = new Map<OperationId, Recorded>(survey.misplaced.map(({ operation }) => [operation.id, operation]));
  for (const operation of writtenOperations(store, (id) => held.has(id))) orphans.set(operation.id, operation);
  const everything = [...survey.operations, ...orphans.values(), ...known.operations];
  const removed = removedBy(everything);
  // What an import brought along as it was elsewhere.
  const foreign = new Set(everything.flatMap(({ imported }) => imported?.from ?? []));
  const taken = new Set(survey.operations.map(({ sequence }) => sequence));
  // One that was written but never named by `last` was never reported. Where `last` is lost that can't be told, but of the very first.
  const isLastLost = survey.last !== null || (survey.operations.length === 0 && [...orphans.values()].some(({ sequence }) => sequence > 1));
  const reported = isLastLost ? Number.MAX_SAFE_INTEGER : Math.max(known.highest, survey.operations.at(-1)?.sequence ?? 0);
  const lost = new Map<number, Recorded>();
  const named = new Set([...everything.flatMap(namedBy), ...known.operations.map(({ id }) => id)]);
  for (const operation of orphans.values()) {
    if (removed.has(operation.id) || foreign.has(operation.id) || taken.has(operation.sequence) || operation.sequence > reported) continue;
    const other = lost.get(operation.sequence);
    if (other === undefined || isLikelier(operation, other, named)) lost.set(operation.sequence, operation);
  }
  return [...lost.values()].sort((a, b) => a.sequence - b.sequence);
};

/** Of two with one number, one was never reported: its process was killed, and another one came after it. */
const isLikelier = (one: Recorded, other: Recorded, named: ReadonlySet<OperationId>): boolean =>
  named.has(one.id) === named.has(other.id) ? one.createdAt > other.createdAt : named.has(one.id);

const namedBy = (operation: Recorded): OperationId[] =>
  (['previous', 'target', 'safety'] as const).flatMap(
    (field) => (operation as Partial<Record<typeof field, OperationId | null>>)[field] ?? [],
  );
