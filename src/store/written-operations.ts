import type { ObjectId, OperationId, Recorded } from '../model/index.ts';
import { isOperation } from './operation-log.ts';
import type { Store } from './store.ts';

/** Operations that were written to the store, whether or not a ref holds them, but for those that are known. Reads every commit. */
export const writtenOperations = (store: Store, isKnown: (id: ObjectId) => boolean = () => false): Recorded[] =>
  readAll(store, new Set([...store.objects.ofType('commit', { own: true })].filter((id) => !isKnown(id))));

/** Operations among some objects. */
export const operationsAmong = (store: Store, ids: readonly ObjectId[]): Recorded[] =>
  readAll(store, new Set(ids.filter((id) => store.objects.typeOf(id) === 'commit')));

const readAll = ({ log }: Store, commits: ReadonlySet<ObjectId>): Recorded[] =>
  [...commits].flatMap((id) => log.readIfIntact(id as OperationId) ?? []).filter(isOperation);

/** The highest number of those that were written. */
export const highestWritten = (store: Store): number =>
  writtenOperations(store).reduce((highest, { sequence }) => Math.max(highest, sequence), 0);
