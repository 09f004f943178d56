import { join } from 'node:path';
import { isCheckpoint, isRollback, type Operation, type OperationId, type SessionId } from '../../model/index.ts';
import { objectId } from '../../store/index.ts';
import type { CheckedOperation } from './checked-operation.ts';
import { NewIds } from './new-ids.ts';
import { withPlaces } from './places.ts';

export interface AdoptionRequest {
  /** Oldest first. */
  readonly operations: readonly CheckedOperation[];
  /** The newest number that is taken. */
  readonly after: number;
  readonly source: string;
  readonly at: string;
  /** The session that the file is about, and what it is called here. */
  readonly session: SessionId;
  readonly name: SessionId;
  /** This workspace. */
  readonly root: string;
  /** Where the conversation is kept here; undefined when it did not come along. */
  readonly transcript: string | undefined;
}

/** Makes operations of another workspace ones of this: with numbers, ids, sessions and places that are right here. */
export class Adoption {
  readonly #request: AdoptionRequest;
  readonly #ids = new NewIds();
  readonly #sessions = new Map<SessionId, SessionId>();

  constructor(request: AdoptionRequest) {
    this.#request = request;
    const { session, name, source } = request;
    // Others are only there because the session needs them: under their own names they would mix with what is recorded here.
    for (const { operation } of request.operations)
      this.#sessions.set(operation.session, `${operation.session}~${source.slice(0, 8)}` as SessionId);
    this.#sessions.set(session, name);
  }

  /** The operation as it is recorded here. They come in order; each is told its id as soon as it has one. */
  adopt({ id, operation }: CheckedOperation): Operation {
    const { source, at, root, transcript, session } = this.#request;
    const placed = withPlaces(operation, {
      directory: (directory) => (isBelow(directory) ? join(root, directory) : root),
      transcript: (one) => (one.session === session ? transcript : undefined),
    });
    const { imported: _, ...named } = this.#withSessions(this.#ids.in(placed, nothingHere));
    return { ...this.#renumbered(named as Operation), imported: { from: id, source, at } };
  }

  isCalled(there: OperationId, here: OperationId): void {
    this.#ids.add(there, here);
  }

  #withSessions(operation: Operation): Operation {
    const here = <S extends SessionId | null>(session: S): S =>
      session === null ? session : ((this.#sessions.get(session) ?? session) as S);
    const named = { ...operation, session: here(operation.session) };
    if (named.kind === 'fork-point') return { ...named, sessions: named.sessions.map(here) };
    if ((isRollback(named) || named.kind === 'fork') && named.conversation !== undefined) {
      const { from, to } = named.conversation;
      return { ...named, conversation: { ...named.conversation, from: here(from), to: here(to) } } as Operation;
    }
    return named;
  }

  #renumbered(operation: Operation): Operation {
    const numbered = { ...operation, sequence: this.#numberOf(operation.sequence) };
    if (numbered.kind === 'keep') return { ...numbered, through: this.#numberOf(numbered.through) };
    const began = isCheckpoint(numbered) ? numbered.event?.began : undefined;
    return began === undefined
      ? numbered
      : ({ ...numbered, event: { ...(numbered as { event?: object }).event, began: this.#numberOf(began) } } as Operation);
  }

  /** The number of the newest up to that one. */
  #numberOf(sequence: number): number {
    const { operations, after } = this.#request;
    let [low, high] = [0, operations.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((operations[middle] as CheckedOperation).operation.sequence <= sequence) low = middle + 1;
      else high = middle;
    }
    return after + low;
  }
}

/** What did not come along is nothing here, least of all something that happens to have its id. */
const nothingHere = (id: OperationId): OperationId => objectId('blob', Buffer.from(`not imported: ${id}`)) as OperationId;

const isBelow = (directory: string): boolean =>
  !directory.startsWith('/') && directory.split('/').every((name) => name !== '..' && !name.includes('\0'));
