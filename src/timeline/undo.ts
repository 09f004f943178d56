import type { OperationId, Recorded, Rollback } from '../model/index.ts';

type RecordedRollback = Recorded<Rollback>;

/**
 * Which rollbacks are in force. An undo names what it undoes, and is itself an operation: undoing it brings the first one
 * back into force, so redo is undo of an undo, to any depth (RST-7).
 */
export class UndoChain {
  /** Newest first. */
  readonly #rollbacks: readonly RecordedRollback[];
  readonly #undoneBy = new Map<OperationId, RecordedRollback>();

  constructor(rollbacks: readonly RecordedRollback[]) {
    this.#rollbacks = rollbacks.filter(({ outcome }) => outcome !== 'taken-back').sort((a, b) => b.sequence - a.sequence);
    // Newest first: whether an undo counts is settled by those after it.
    for (const rollback of this.#rollbacks) {
      if (rollback.undoes !== undefined && !this.#undoneBy.has(rollback.id)) this.#undoneBy.set(rollback.undoes, rollback);
    }
  }

  undoneBy(id: OperationId): RecordedRollback | undefined {
    return this.#undoneBy.get(id);
  }

  /** What `undo` takes back: the newest rollback, or redo, still in force. */
  get undoable(): RecordedRollback | undefined {
    return this.#rollbacks.find((rollback) => this.#inForce(rollback) && !this.isUndo(rollback));
  }

  /** What `redo` takes back: the newest undo in force, unless something new was rolled back since. */
  get redoable(): RecordedRollback | undefined {
    const undone = this.#rollbacks.find((rollback) => this.#inForce(rollback) && this.isUndo(rollback));
    const fresh = this.#rollbacks.find(({ undoes }) => undoes === undefined);
    return undone !== undefined && (fresh === undefined || fresh.sequence < undone.sequence) ? undone : undefined;
  }

  /** An undo, and not a rollback or a redo. */
  isUndo(rollback: RecordedRollback): boolean {
    return this.#depth(rollback) % 2 === 1;
  }

  #inForce({ id }: RecordedRollback): boolean {
    return !this.#undoneBy.has(id);
  }

  /** 0 for a rollback, 1 for its undo, 2 for the redo … */
  #depth({ undoes }: RecordedRollback): number {
    const undone = undoes === undefined ? undefined : this.#rollbacks.find(({ id }) => id === undoes);
    return undone === undefined ? (undoes === undefined ? 0 : 1) : 1 + this.#depth(undone);
  }
}
