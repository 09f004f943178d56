import {
  isCheckpoint,
  isRollback,
  type Operation,
  type OperationId,
  type Recorded,
  type Rollback,
  type SessionId,
} from '../model/index.ts';
import { movedBy, referencesOf } from './references.ts';

/**
 * The operations that tell a session's story by themselves, oldest first: its own, those that they name or come right after, what moved its
 * work since, and steps of others that share changes with its own. `operations` are the whole log, oldest first.
 */
export const sessionContent = (operations: readonly Recorded[], session: SessionId): Recorded[] => {
  const own = operations.filter((operation) => isOf(operation, session));
  const taken = new Taken(operations);
  for (const operation of own) taken.take(operation, 0);
  const owned = own.map(({ sequence }) => sequence);
  /** Oldest first, those that decide together which of its own lead to the present. */
  const moves: number[] = [];
  for (const operation of operations) {
    const { sequence } = operation;
    const began = isCheckpoint(operation) && operation.kind === 'after-step' ? operation.event?.began : undefined;
    if (began !== undefined && hasBetween(owned, began, sequence)) taken.take(operation, 1);
    if (!isRollback(operation)) continue;
    const target = taken.targetOf(operation);
    // One that left a move behind may have brought back what that had left.
    if (!taken.hasMovedBy(operation) && !hasBetween(owned, target, sequence) && !hasBetween(moves, target, sequence)) continue;
    taken.take(operation, 1);
    moves.push(sequence);
  }
  return operations.filter(({ id }) => taken.has(id));
};

/** Whether one of these numbers, the smallest first, lies between two others. */
const hasBetween = (numbers: readonly number[], after: number, before: number): boolean => {
  const last = numbers.findLast((number) => number < before);
  return last !== undefined && last > after;
};

const isOf = (operation: Operation, session: SessionId): boolean => {
  if (operation.session === session) return true;
  if (operation.kind === 'fork-point') return operation.sessions.includes(session);
  const { from, to } = ((isRollback(operation) || operation.kind === 'fork') && operation.conversation) || {};
  return from === session || to === session;
};

/** How many steps back what came before a record is taken along: with one more, it shows what it changed itself. */
const BEFORE = 2;

class Taken {
  readonly #byId: ReadonlyMap<OperationId, Recorded>;
  /** How far each is from the session's own. */
  readonly #distances = new Map<OperationId, number>();

  constructor(operations: readonly Recorded[]) {
    this.#byId = new Map(operations.map((operation) => [operation.id, operation]));
  }

  has(id: OperationId): boolean {
    return this.#distances.has(id);
  }

  targetOf({ target, steps, only, sequence }: Rollback): number {
    return steps === undefined && only === undefined ? (this.#byId.get(target)?.sequence ?? sequence) : sequence;
  }

  /** Whether it is about something that was taken: undoes it, takes it out, or brings it back. */
  hasMovedBy(rollback: Rollback): boolean {
    return movedBy(rollback).some((id) => this.has(id));
  }

  /** Where the record before it is gone, it is compared with the one before that. */
  #lastBefore({ sequence }: Recorded): Recorded | undefined {
    return [...this.#byId.values()].findLast((operation) => operation.state !== null && operation.sequence < sequence);
  }

  take(operation: Recorded, distance: number): void {
    const open: [Recorded, number][] = [[operation, distance]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [one, far] = next;
      if ((this.#distances.get(one.id) ?? Number.POSITIVE_INFINITY) <= far) continue;
      this.#distances.set(one.id, far);
      const { named, previous } = referencesOf(one);
      const before = previous !== null && far < BEFORE ? (this.#byId.get(previous) ?? this.#lastBefore(one)) : undefined;
      for (const other of [...named.map((id) => this.#byId.get(id)), before]) if (other !== undefined) open.push([other, far + 1]);
    }
  }
}
