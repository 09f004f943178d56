import {
  type Checkpoint,
  isCheckpoint,
  isRollback,
  type OperationId,
  type Recorded,
  type Rollback,
  type SessionId,
} from '../model/index.ts';
import { isStep } from './attributed-changes.ts';
import type { Reachability } from './reachability.ts';
import { movedBy } from './references.ts';

/**
 * How long something is worth keeping, least first: steps of old turns, where turns begin and end, work that was rolled back and what undoes
 * a rollback, where conversations fork; never given up is what is needed and what the person marked.
 */
export const RETENTION_CLASSES = ['step', 'turn', 'rolled-back', 'fork-point', 'needed', 'yours'] as const;
export type RetentionClass = (typeof RETENTION_CLASSES)[number];

/** A record, as far as its retention class depends on it. */
export interface Classifiable {
  readonly operation: Recorded;
  readonly name: string | null;
  readonly note: string | null;
  readonly pinned: boolean;
}

export interface Classified {
  readonly operation: Recorded;
  readonly retentionClass: RetentionClass;
  /** From when on its days count, in milliseconds. */
  readonly since: number;
  /** What has to stay as long as this does. */
  readonly needs: readonly OperationId[];
}

export interface ClassificationTerms {
  readonly reachability: Reachability;
  /** A session with a record since then is at work, in milliseconds. */
  readonly activeSince: number;
  /** The workspace is there: what is recorded next is compared with the newest record. */
  readonly isThere: boolean;
}

/** The retention class of each record. `entries` are the whole log, oldest first. */
export const classify = (entries: readonly Classifiable[], terms: ClassificationTerms): Classified[] => {
  const classifier = new Classifier(
    entries.map(({ operation }) => operation),
    terms,
  );
  return entries.map((entry) => classifier.classify(entry));
};

class Classifier {
  readonly #terms: ClassificationTerms;
  /** Those with a state of the workspace, oldest first. */
  readonly #content: readonly Recorded[];
  readonly #positions: ReadonlyMap<OperationId, number>;
  /** Of sessions at work: the record where each began, and the turn it is in. */
  readonly #starts = new Set<OperationId>();
  readonly #currentTurns = new Map<SessionId, number>();
  /** When a fork that goes out from a checkpoint was found last. */
  readonly #forks = new Map<OperationId, number>();
  /** What was said of records later and is not to be forgotten before they are. */
  readonly #saidOf = new Map<OperationId, OperationId[]>();

  constructor(operations: readonly Recorded[], terms: ClassificationTerms) {
    this.#terms = terms;
    this.#content = operations.filter(({ state }) => state !== null);
    this.#positions = new Map(this.#content.map(({ id }, position) => [id, position]));
    this.#noteSessions(operations.filter(isCheckpoint));
    for (const operation of operations) this.#noteSaid(operation);
  }

  classify(entry: Classifiable): Classified {
    const { operation } = entry;
    return { operation, ...this.#classOf(entry), needs: [...this.#needsOf(operation), ...(this.#saidOf.get(operation.id) ?? [])] };
  }

  #classOf({ operation, name, note, pinned }: Classifiable): { retentionClass: RetentionClass; since: number } {
    const { id, kind } = operation;
    const since = timeOf(operation);
    if (kind === 'manual' || name !== null || note !== null || pinned) return { retentionClass: 'yours', since };
    const isNewest = this.#terms.isThere && id === this.#content.at(-1)?.id;
    if (isNewest || this.#starts.has(id)) return { retentionClass: 'needed', since };
    const fork = this.#forks.get(id);
    if (fork !== undefined || kind === 'fork' || kind === 'fork-point')
      return { retentionClass: 'fork-point', since: Math.max(since, fork ?? 0) };
    const status = isCheckpoint(operation) ? this.#terms.reachability.statusOf(operation) : undefined;
    if (status?.is === 'left') return { retentionClass: 'rolled-back', since: timeOf(status.by) };
    if (isRollback(operation) || kind === 'safety') return { retentionClass: 'rolled-back', since };
    return { retentionClass: this.#isOldStep(operation) ? 'step' : 'turn', since };
  }

  #isOldStep(operation: Recorded): boolean {
    // A commit of a step is held by the step.
    if (operation.kind === 'keep') return operation.mode === 'step';
    const isOfStep = operation.kind === 'before-step' || operation.kind === 'after-step';
    return isOfStep && operation.event?.turn !== this.#currentTurns.get(operation.session);
  }

  #needsOf(operation: Recorded): OperationId[] {
    if (operation.kind === 'fork') return [operation.target];
    if (operation.kind === 'fork-point') return operation.checkpoint === null ? [] : [operation.checkpoint];
    if (operation.state === null) return [];
    const own = isRollback(operation) ? needsOfRollback(operation) : [];
    const status = this.#terms.reachability.statusOf(
      isCheckpoint(operation) ? operation : { id: operation.id, sequence: operation.sequence },
    );
    if (status.is === 'in-force') return own;
    // Without what left it behind it would count as part of the present.
    return [...own, status.by.id, ...(isCheckpoint(operation) && isStep(operation) ? this.#stretchOf(operation) : [])];
  }

  /** All that tells what a step changed: the record before it, and those made while it went on. */
  #stretchOf({ id, event, sequence }: Recorded<Checkpoint>): OperationId[] {
    const last = this.#positions.get(id) as number;
    const began = event?.began ?? sequence - 1;
    let first = last;
    while (first > 0 && (this.#content[first] as Recorded).sequence > began) first--;
    return this.#content.slice(Math.min(first, last - 1), last).map((operation) => operation.id);
  }

  #noteSessions(checkpoints: readonly Recorded<Checkpoint>[]): void {
    const ofAgents = checkpoints.filter(({ event }) => event !== undefined);
    for (const [session, own] of Map.groupBy(ofAgents, (one) => one.session)) {
      if (!own.some((one) => timeOf(one) >= this.#terms.activeSince)) continue;
      this.#starts.add((own[0] as Recorded).id);
      this.#currentTurns.set(session, own.at(-1)?.event?.turn ?? 0);
    }
  }

  #noteSaid(operation: Recorded): void {
    const say = (of: readonly OperationId[]): void => {
      for (const id of of) this.#saidOf.set(id, [...(this.#saidOf.get(id) ?? []), operation.id]);
    };
    const fork = operation.kind === 'fork' ? operation.target : operation.kind === 'fork-point' ? operation.checkpoint : null;
    if (fork !== null) this.#forks.set(fork, Math.max(this.#forks.get(fork) ?? 0, timeOf(operation)));
    if (operation.kind === 'name' || operation.kind === 'note' || operation.kind === 'pin') say([operation.target]);
    // Steps that are in commits would be committed again, an undone rollback would count again.
    if (operation.kind === 'keep') say(operation.steps);
    if (isRollback(operation)) say(movedBy(operation));
  }
}

const needsOfRollback = ({ target, safety, undoes, left }: Rollback): OperationId[] => [
  target,
  safety,
  ...(undoes === undefined ? [] : [undoes]),
  ...(left?.steps ?? []),
];

/** What was made elsewhere is new here from its import on. */
const timeOf = ({ createdAt, imported }: Recorded): number => Date.parse(imported?.at ?? createdAt);
