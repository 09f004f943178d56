import type { OperationId, Recorded, Rollback, RollbackScope } from '../model/index.ts';
import { type Jump, leftBehind, type Range } from './rolled-back.ts';
import { UndoChain } from './undo.ts';

type RecordedRollback = Recorded<Rollback>;

/** What became of a record: it leads to the present unless this says otherwise. */
export type Fate =
  | { readonly is: 'in-force' }
  /** The workspace went elsewhere, or the step alone was taken out. */
  | { readonly is: 'left'; readonly by: RecordedRollback }
  /** It was left, and brought back since. */
  | { readonly is: 'recovered'; readonly by: RecordedRollback };

const IN_FORCE: Fate = { is: 'in-force' };

/**
 * Which records lead to the present. Only what goes back as a whole leaves a part of the log behind: parts of a workspace are taken back
 * file by file, and what takes in or takes out changes leaves the rest as it is.
 */
export class Standing {
  readonly #ranges: readonly (Range & { readonly by: RecordedRollback })[];
  /** By step, the newest that took it out or brought it back. */
  readonly #moved = new Map<OperationId, RecordedRollback>();
  /** Those in force that brought something back, oldest first. */
  readonly recoveries: readonly RecordedRollback[];

  constructor(
    rollbacks: readonly RecordedRollback[],
    sequenceOf: (id: OperationId) => number | undefined,
    scope: Exclude<RollbackScope, 'both'> = 'code',
  ) {
    const done = rollbacks.filter((rollback) => rollback.outcome !== 'taken-back' && [scope, 'both'].includes(rollback.scope));
    const byId = new Map(done.map((rollback) => [rollback.id, rollback]));
    const bySequence = new Map(done.map((rollback) => [rollback.sequence, rollback]));
    const jumps = done
      .filter((rollback) => isJump(rollback, byId))
      .map(({ sequence, target }): Jump => ({ sequence, target: sequenceOf(target) ?? sequence }));
    this.#ranges = leftBehind(jumps).map((range) => ({ ...range, by: bySequence.get(range.before) as RecordedRollback }));
    const chain = new UndoChain(done);
    const movers = done
      .filter(({ id, steps, sequence }) => steps !== undefined && chain.undoneBy(id) === undefined && !this.#rangeOf(sequence))
      .sort((a, b) => a.sequence - b.sequence);
    for (const mover of movers) for (const step of mover.steps ?? []) this.#moved.set(step, mover);
    this.recoveries = movers.filter(({ kind }) => kind === 'recover');
  }

  /** With `fromTarget`, what was gone back to is left too. */
  fateOf({ id, sequence }: { readonly id: OperationId; readonly sequence: number }, fromTarget = false): Fate {
    const mover = this.#moved.get(id);
    if (mover !== undefined) return { is: mover.kind === 'recover' ? 'recovered' : 'left', by: mover };
    const range = this.#rangeOf(sequence, fromTarget);
    return range === undefined ? IN_FORCE : { is: 'left', by: range.by };
  }

  #rangeOf(sequence: number, fromTarget = false): (Range & { readonly by: RecordedRollback }) | undefined {
    return this.#ranges.find(({ after, before }) => sequence < before && (sequence > after || (fromTarget && sequence === after)));
  }
}

/** An undo leads back as a whole if what it undoes did; otherwise it takes back just that. */
const isJump = (rollback: RecordedRollback, byId: ReadonlyMap<OperationId, RecordedRollback>): boolean => {
  const { kind, only, steps, undoes } = rollback;
  if (kind === 'undo') {
    const undone = undoes === undefined ? undefined : byId.get(undoes);
    return undone !== undefined && isJump(undone, byId);
  }
  return kind !== 'merge' && only === undefined && steps === undefined && kind !== 'recover';
};
