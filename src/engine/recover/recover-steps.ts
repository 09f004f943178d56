import {
  type Checkpoint,
  isCheckpoint,
  isRollback,
  type Line,
  lineOf,
  type OperationId,
  type Recorded,
  RetakeError,
  type Rollback,
  sameState,
  shortId,
} from '../../model/index.ts';
import {
  type AttributedChange,
  attributeChanges,
  changesBy,
  effective,
  isStep,
  Reachability,
  stepOf,
  type WorkStep,
} from '../../timeline/index.ts';
import { inOrderMade, type UserCommit } from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { requireRepository } from '../git/user-repository.ts';
import { type AddressOptions, resolveOperation } from '../read/resolve.ts';
import { stepOfCommit } from './commit-step.ts';
import { findCommit } from './find-commit.ts';
import { type RequestedStep, requestedStep } from './replay-request.ts';
import { readAll } from './session-work.ts';

/** A change that can be done again. */
export interface RecoverableStep extends RequestedStep {
  readonly sequence: number;
  /** The checkpoint that holds what is taken in; null for a commit. */
  readonly target: Recorded<Checkpoint> | null;
  /** What it was asked for by: the prompt of its turn, or itself. */
  readonly unit: OperationId;
  /** The agent's steps that it consists of. */
  readonly work: readonly WorkStep[];
}

/**
 * What addresses stand for, in the order it was made in: a checkpoint for its own change, a turn or its prompt for all that the agent did
 * in it, a rollback for all that it left behind, a commit for its change against its first parent. An address of ours wins over git's.
 */
export const resolveSteps = async (
  workspace: Workspace,
  addresses: readonly string[],
  options: AddressOptions = {},
): Promise<RecoverableStep[]> => {
  const resolvers = new Map<Line, Resolver>();
  const steps: RecoverableStep[] = [];
  const commits = new Map<string, UserCommit>();
  for (const address of addresses) {
    const found = ownOrCommit(workspace, address, options);
    if (found instanceof RetakeError) {
      const commit = await findCommit(workspace, address);
      if (commit === undefined) throw found;
      commits.set(commit.id, commit);
    } else {
      const resolver = resolvers.get(lineOf(found)) ?? new Resolver(workspace, lineOf(found));
      resolvers.set(lineOf(found), resolver);
      steps.push(...resolver.resolve(found));
    }
  }
  if (commits.size > 0) steps.push(...(await stepsOfCommits(workspace, [...commits.values()])));
  return [...new Map(steps.map((step) => [[step.id, ...(step.part ?? [])].join('\0'), step])).values()].sort(
    (a, b) => a.sequence - b.sequence,
  );
};

/** Steps that were asked for one by one are merged one by one, where each is to be known by itself. */
export const unitsApart = (steps: readonly RecoverableStep[]): RecoverableStep[] =>
  steps.map((step, at) => (at > 0 && steps[at - 1]?.unit !== step.unit ? { ...step, apart: true } : step));

/** What is recorded under an address, or why nothing is. */
const ownOrCommit = (workspace: Workspace, address: string, options: AddressOptions): Recorded | RetakeError => {
  try {
    return resolveOperation(workspace, address, options).operation;
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'unknown-id') return error;
    throw error;
  }
};

/** Among our records, each comes where it was made, and after the commits that it is built on. */
const stepsOfCommits = async (workspace: Workspace, commits: readonly UserCommit[]): Promise<RecoverableStep[]> => {
  const times = workspace.isProtected
    ? readAll(workspace).map(({ sequence, createdAt }) => [sequence, Date.parse(createdAt)] as const)
    : [];
  const steps: RecoverableStep[] = [];
  let least = 0;
  for (const [at, commit] of (await inOrderMade(requireRepository(workspace), commits)).entries()) {
    const [last = 0] = times.findLast(([, time]) => time < commit.at * 1000) ?? [];
    least = Math.max(least, last + (at + 1) / (commits.length + 1));
    const step = await stepOfCommit(workspace, commit);
    steps.push({ ...step, sequence: least, target: null, unit: step.id, work: [] });
  }
  return steps;
};

class Resolver {
  readonly #operations: readonly Recorded[];
  readonly #attributedChanges: readonly AttributedChange[];
  readonly #byId: ReadonlyMap<OperationId, Recorded>;

  constructor(workspace: Workspace, line: Line) {
    this.#operations = readAll(workspace, { line });
    this.#attributedChanges = attributeChanges(this.#operations).filter(({ isGap }) => !isGap);
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
    const steps = effective(found);
    if (steps.length === 0) throw nothing(operation);
    return steps.map((step) => this.#request(step, operation.id));
  }

  #ofTurn({ session, event }: Recorded<Checkpoint>): WorkStep[] {
    return changesBy(this.#attributedChanges, (actor) => actor.session === session && actor.turn === event?.turn);
  }

  /** Of a step what is its own; of other records all they hold, whoever did it. */
  #ownOf(operation: Recorded<Checkpoint>): WorkStep[] {
    if (isStep(operation)) return changesBy(this.#attributedChanges, ({ id }) => id === operation.id);
    return this.#attributedChanges.filter(({ at }) => at.id === operation.id).map(stepOf);
  }

  #request(step: WorkStep, unit: OperationId): RecoverableStep {
    const { checkpoint: id, sequence, description: title } = step;
    const target = this.#byId.get(id) as Recorded<Checkpoint>;
    return { ...requestedStep(step), sequence, title, labels: labelled(title), takenFrom: id, target, unit, work: [step] };
  }

  #leftBy(rollback: Recorded<Rollback>): RecoverableStep {
    const { id, sequence, description: title, state, safety, kind } = rollback;
    const target = this.#byId.get(safety) as Recorded<Checkpoint> | undefined;
    const after = target?.state;
    if (target === undefined || after == null || state === null || sameState(state, after)) throw nothing(rollback);
    const standsFor = this.#stepsLeftBy(rollback);
    const work = standsFor.flatMap((step) => this.#ownOf(this.#byId.get(step) as Recorded<Checkpoint>));
    const labels = labelled(`before ${title}`);
    const partly = kind === 'recover' ? undefined : rollback.partly;
    const left = { standsFor, ...(partly === undefined ? {} : { partly }) };
    return { id, sequence, title, before: state, after, labels, ...left, takenFrom: safety, target, unit: id, work };
  }

  /** Those that led to the present until then. */
  #stepsLeftBy({ id, sequence }: Recorded<Rollback>): OperationId[] {
    const upTo = (last: number) =>
      new Reachability(
        this.#operations.filter(isRollback).filter((one) => one.sequence <= last) as Recorded<Rollback>[],
        (one) => this.#byId.get(one)?.sequence,
      );
    const [before, after] = [upTo(sequence - 1), upTo(sequence)];
    return this.#operations
      .filter((operation) => isCheckpoint(operation) && isStep(operation) && operation.sequence < sequence)
      .filter(({ id: step, sequence: place }) => {
        const status = after.statusOf({ id: step, sequence: place });
        return before.statusOf({ id: step, sequence: place }).is !== 'left' && status.is === 'left' && status.by.id === id;
      })
      .map((step) => step.id);
  }
}

const labelled = (title: string) => ({ ours: 'now', base: `without ${title}`, theirs: title });

const nothing = ({ id, description }: Recorded): RetakeError =>
  new RetakeError('nothing-to-recover', `${shortId(id)} (${description}) changed nothing that is still recorded`, {
    hint: 'retake log lists the steps with what they changed.',
  });
