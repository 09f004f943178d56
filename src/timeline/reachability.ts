import { isWithin, type OperationId, type Recorded, type RelativePath, type Rollback, type RollbackScope } from '../model/index.ts';
import { type Cancel, type Jump, leftBehind, type Range } from './rolled-back.ts';

type RecordedRollback = Recorded<Rollback>;

/** What became of a record: it leads to the present unless this says otherwise. */
export type RecordStatus =
  | { readonly is: 'in-force' }
  /** The workspace went elsewhere, or the step alone was taken out. */
  | { readonly is: 'left'; readonly by: RecordedRollback }
  /** It was left, and brought back since. */
  | { readonly is: 'recovered'; readonly by: RecordedRollback };

/** A record, by as much as is known of it. */
interface Told {
  readonly id: OperationId;
  readonly sequence: number;
  readonly event?: { readonly touches?: readonly RelativePath[] } | undefined;
}

const IN_FORCE: RecordStatus = { is: 'in-force' };

/**
 * Which records lead to the present. Only what goes back as a whole leaves a part of the log behind: parts of a workspace are taken back
 * file by file, and what takes in or takes out changes leaves the rest as it is.
 */
export class Reachability {
  readonly #ranges: readonly (Range & { readonly by: RecordedRollback })[];
  /** By sequence, those that went elsewhere as a whole, took one back, or were taken back. */
  readonly #void: ReadonlySet<number>;
  /** By step, the newest that took it out or brought it back. */
  readonly #moved = new Map<OperationId, RecordedRollback>();
  /** By record and path, the newest that took out or brought back just that. */
  readonly #partly = new Map<OperationId, ReadonlyMap<RelativePath, RecordedRollback>>();
  /** Those in force that brought something back, oldest first. */
  readonly recoveries: readonly RecordedRollback[];

  constructor(
    rollbacks: readonly RecordedRollback[],
    sequenceOf: (id: OperationId) => number | undefined,
    scope: Exclude<RollbackScope, 'both'> = 'code',
  ) {
    const done = rollbacks.filter((rollback) => rollback.outcome !== 'taken-back' && [scope, 'both'].includes(rollback.scope));
    const bySequence = new Map(done.map((rollback) => [rollback.sequence, rollback]));
    const moves = done.flatMap((rollback) => moveOf(rollback, sequenceOf, scope) ?? []);
    const { ranges, cancelled } = leftBehind(moves);
    this.#void = new Set([...moves.map(({ sequence }) => sequence), ...cancelled]);
    this.#ranges = ranges.map((range) => ({ ...range, by: bySequence.get(range.before) as RecordedRollback }));
    const movers = lasting(
      done
        .filter(({ steps, sequence }) => steps !== undefined && !cancelled.has(sequence) && this.#rangeOf(sequence) === undefined)
        .sort((a, b) => a.sequence - b.sequence),
    );
    for (const mover of movers) this.#move(mover);
    this.recoveries = movers.filter(({ kind }) => kind === 'recover');
  }

  /** Whether what changed up to a record is part of the way from the beginning to the present, whatever was taken out since. */
  isOnTheWay({ sequence }: { readonly sequence: number }): boolean {
    return !this.#void.has(sequence) && this.#rangeOf(sequence) === undefined;
  }

  /** The last record before what was left that holds this one; undefined for one that leads to the present. */
  leftAfter({ sequence }: { readonly sequence: number }): number | undefined {
    return this.#rangeOf(sequence)?.after;
  }

  /** What left a record behind, with all around it. */
  leftBy({ sequence }: { readonly sequence: number }): RecordedRollback | undefined {
    return this.#rangeOf(sequence)?.by;
  }

  /** Paths of a record that are not in the present although the rest of it is. */
  leftOf(id: OperationId): readonly RelativePath[] {
    return [...(this.#partly.get(id) ?? [])].flatMap(([path, { kind }]) => (kind === 'recover' ? [] : [path]));
  }

  #move(mover: RecordedRollback): void {
    for (const step of mover.steps ?? []) {
      // What is brought back only in part, because the rest was never gone, is in force as a whole again.
      if (mover.kind !== 'recover' || !this.#partly.has(step)) this.#moved.set(step, mover);
      this.#partly.delete(step);
    }
    for (const { step, paths } of mover.partly ?? []) {
      this.#partly.set(step, new Map([...(this.#partly.get(step) ?? []), ...paths.map((path) => [path, mover] as const)]));
    }
  }

  /** With `fromTarget`, what was gone back to is left too. Of a step that tells what it can change, only that counts. */
  statusOf({ id, sequence, event }: Told, fromTarget = false): RecordStatus {
    const mover = this.#moverOf(id, event?.touches ?? []) ?? this.#moved.get(id);
    if (mover !== undefined) return { is: mover.kind === 'recover' ? 'recovered' : 'left', by: mover };
    const range = this.#rangeOf(sequence, fromTarget);
    return range === undefined ? IN_FORCE : { is: 'left', by: range.by };
  }

  /** What moved all of these paths of a record, all in the same direction. */
  #moverOf(id: OperationId, paths: readonly RelativePath[]): RecordedRollback | undefined {
    const parts = this.#partly.get(id);
    const movers = paths.flatMap((path) => newestAt(parts, path) ?? []);
    const [first] = movers;
    const isAll = movers.length === paths.length && movers.every(({ kind }) => (kind === 'recover') === (first?.kind === 'recover'));
    return isAll ? movers.toSorted((a, b) => a.sequence - b.sequence).at(-1) : undefined;
  }

  #rangeOf(sequence: number, fromTarget = false): (Range & { readonly by: RecordedRollback }) | undefined {
    return this.#ranges.find(({ after, before }) => sequence < before && (sequence > after || (fromTarget && sequence === after)));
  }
}

/** A part may have gone with a directory above it. */
const newestAt = (parts: ReadonlyMap<RelativePath, RecordedRollback> | undefined, path: RelativePath): RecordedRollback | undefined =>
  [...(parts ?? [])]
    .flatMap(([one, mover]) => (isWithin(path, one) ? [mover] : []))
    .toSorted((a, b) => a.sequence - b.sequence)
    .at(-1);

/** Those, oldest first, that no later one of them took back. */
const lasting = (movers: readonly RecordedRollback[]): RecordedRollback[] => {
  const back = new Set<OperationId>();
  const kept: RecordedRollback[] = [];
  for (const mover of movers.toReversed()) {
    if (back.has(mover.id)) continue;
    for (const id of mover.takesBack ?? []) back.add(id);
    kept.unshift(mover);
  }
  return kept;
};

/** Of the code an undo brings back the very paths that were rolled back; a conversation goes elsewhere as a whole. */
const moveOf = (
  { kind, sequence, target, undoes, only, steps }: RecordedRollback,
  sequenceOf: (id: OperationId) => number | undefined,
  scope: RollbackScope,
): Jump | Cancel | undefined => {
  if (undoes !== undefined && scope === 'code') return { sequence, cancels: sequenceOf(undoes) ?? sequence };
  const isWhole = only === undefined && steps === undefined && kind !== 'merge';
  return isWhole ? { sequence, target: sequenceOf(target) ?? sequence } : undefined;
};
