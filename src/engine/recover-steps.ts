import {
  type Checkpoint,
  isCheckpoint,
  isRollback,
  type OperationId,
  type Recorded,
  RetakeError,
  type Rollback,
  sameState,
  shortId,
} from '../model/index.ts';
import { changesBy, isAgents, Standing, stepOf, type WorkStep } from '../timeline/index.ts';
import type { AimedStep } from './replay-aim.ts';
import { type AddressOptions, resolveOperation } from './resolve.ts';
import { readAll } from './session-work.ts';
import type { Workspace } from './workspace.ts';

/** A change that can be done again. */
export interface RecoverableStep extends AimedStep {
  readonly sequence: number;
  /** The checkpoint that holds what is taken in. */
  readonly target: Recorded<Checkpoint>;
}

/**
 * What addresses stand for, in the order of the log: a checkpoint for its own change, a turn or its prompt for all that the agent did in
 * it, a rollback for all that it left behind.
 */
export const resolveSteps = (workspace: Workspace, addresses: readonly string[], options: AddressOptions = {}): RecoverableStep[] => {
  const resolver = new Resolver(workspace);
  const steps = addresses.flatMap((address) => resolver.resolve(resolveOperation(workspace, address, options).operation));
  return [...new Map(steps.map((step) => [step.id, step])).values()].sort((a, b) => a.sequence - b.sequence);
};

class Resolver {
  readonly #operations: readonly Recorded[];
  readonly #byId: ReadonlyMap<OperationId, Recorded>;

  constructor(workspace: Workspace) {
    this.#operations = readAll(workspace);
    this.#byId = new Map(this.#operations.map((operation) => [operation.id, operation]));
  }

  resolve(operation: Recorded): RecoverableStep[] {
    if (isRollback(operation)) return [this.#leftBy(operation)];
    if (!isCheckpoint(operation)) {
      throw new RetakeError('not-a-checkpoint', `${shortId(operation.id)} is a ${operation.kind}, which changed nothing`, {
        hint: 'retake log lists the steps.',
      });
    }
    const found = operation.kind === 'prompt' ? this.#ofTurn(operation) : this.#ownOf(operation);
    const steps = found.filter(({ before, after }) => !sameState(before, after));
    if (steps.length === 0) throw nothing(operation);
    return steps.map((step) => this.#aimed(step));
  }

  #ofTurn({ session, event }: Recorded<Checkpoint>): WorkStep[] {
    return changesBy(this.#operations, session).filter(({ turn }) => turn === event?.turn);
  }

  #ownOf(operation: Recorded<Checkpoint>): WorkStep[] {
    const previous = this.#operations.findLast(({ sequence, state }) => state !== null && sequence < operation.sequence);
    return previous === undefined ? [] : [stepOf(operation, previous)];
  }

  #aimed({ checkpoint: id, sequence, before, after, description: title, standsFor }: WorkStep): RecoverableStep {
    const target = this.#byId.get(id) as Recorded<Checkpoint>;
    return { id, sequence, title, before, after, labels: labelled(title), standsFor, takenFrom: id, target };
  }

  #leftBy(rollback: Recorded<Rollback>): RecoverableStep {
    const { id, sequence, description: title, state, safety } = rollback;
    const target = this.#byId.get(safety) as Recorded<Checkpoint> | undefined;
    const after = target?.state;
    if (target === undefined || after == null || state === null || sameState(state, after)) throw nothing(rollback);
    const standsFor = this.#stepsLeftBy(rollback);
    return { id, sequence, title, before: state, after, labels: labelled(`before ${title}`), standsFor, takenFrom: safety, target };
  }

  /** Those that led to the present until then. */
  #stepsLeftBy({ id, sequence }: Recorded<Rollback>): OperationId[] {
    const upTo = (last: number) =>
      new Standing(
        this.#operations.filter(isRollback).filter((one) => one.sequence <= last) as Recorded<Rollback>[],
        (one) => this.#byId.get(one)?.sequence,
      );
    const [before, after] = [upTo(sequence - 1), upTo(sequence)];
    return this.#operations
      .filter((operation) => isCheckpoint(operation) && isAgents(operation) && operation.sequence < sequence)
      .filter((step) => {
        const fate = after.fateOf(step);
        return before.fateOf(step).is !== 'left' && fate.is === 'left' && fate.by.id === id;
      })
      .map((step) => step.id);
  }
}

const labelled = (title: string) => ({ ours: 'now', base: `without ${title}`, theirs: title });

const nothing = ({ id, description }: Recorded): RetakeError =>
  new RetakeError('nothing-to-recover', `${shortId(id)} (${description}) changed nothing`, {
    hint: 'retake log lists the steps with what they changed.',
  });
