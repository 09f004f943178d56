import { type ObjectId, type OperationId, type Recorded, RetakeError } from '../../model/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { Workspace } from '../workspace.ts';

export interface Damage {
  readonly object: string;
  readonly problem: string;
  /** The operations that need the object. */
  readonly operations: OperationId[];
}

export interface CheckReport {
  readonly operations: number;
  readonly objects: number;
  readonly damage: readonly Damage[];
  readonly damagedPacks: readonly string[];
  /** Operations whose ref is torn: which ones they were can't be told. */
  readonly tornRefs: readonly string[];
}

/** Reads every byte that any operation needs, verifies it, and names what is affected. Changes nothing. */
export const checkStore = (workspace: Workspace, onProgress?: (objects: number) => void): CheckReport => {
  const { objects, log } = workspace.store;
  const { operations, damaged } = log.since(0);
  const walk = new ObjectWalk(objects, onProgress);
  const damage = new Map<string, Damage>();
  const note = (object: string, problem: string, operation: OperationId): void => {
    const entry = damage.get(object) ?? { object, problem, operations: [] };
    if (!entry.operations.includes(operation)) entry.operations.push(operation);
    damage.set(object, entry);
  };
  for (const id of damaged) note(id, 'the operation itself can not be read', id);
  for (const operation of operations) for (const { id, problem } of walk.damageIn(operation)) note(id, problem, operation.id);
  return {
    operations: operations.length + damaged.length,
    objects: walk.count,
    damage: [...damage.values()],
    tornRefs: log.tornRefs,
    damagedPacks: objects.damagedPacks.map(({ file, problem }) => `${file}: ${problem}`),
  };
};

interface Broken {
  readonly id: ObjectId;
  readonly problem: string;
}

/** Remembers for each tree what is broken below it, so that shared parts are read once. */
class ObjectWalk {
  readonly #objects: ObjectStore;
  readonly #onProgress: ((objects: number) => void) | undefined;
  readonly #seen = new Map<ObjectId, readonly Broken[]>();

  constructor(objects: ObjectStore, onProgress: ((objects: number) => void) | undefined) {
    this.#objects = objects;
    this.#onProgress = onProgress;
  }

  get count(): number {
    return this.#seen.size;
  }

  damageIn(operation: Recorded): readonly Broken[] {
    return this.#visit(this.#objects.readCommit(operation.id).tree);
  }

  #visit(id: ObjectId): readonly Broken[] {
    const known = this.#seen.get(id);
    if (known !== undefined) return known;
    const broken = this.#inspect(id);
    this.#seen.set(id, broken);
    if (this.#seen.size % 1000 === 0) this.#onProgress?.(this.#seen.size);
    return broken;
  }

  #inspect(id: ObjectId): readonly Broken[] {
    try {
      const { type } = this.#objects.read(id);
      return type === 'tree' ? this.#objects.readTree(id as never).flatMap((entry) => this.#visit(entry.id)) : [];
    } catch (error) {
      if (!(error instanceof RetakeError && error.code === 'store-damaged')) throw error;
      return [{ id, problem: String(error.details?.problem ?? error.message) }];
    }
  }
}
