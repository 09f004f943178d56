import {
  type Checkpoint,
  isCheckpoint,
  type OperationId,
  type Recorded,
  type Rollback,
  type SessionId,
  type WorkspaceState,
} from '../model/index.ts';
import type { Standing } from './standing.ts';

/** A change of the workspace that is an agent's doing. */
export interface WorkStep {
  /** The record that holds what came of it: a checkpoint, or the recovery that brought it back. */
  readonly checkpoint: OperationId;
  /** The steps as they were recorded first: itself, or those that were recovered. */
  readonly standsFor: readonly OperationId[];
  readonly sequence: number;
  readonly before: WorkspaceState;
  /** The record that holds that. */
  readonly beforeAt: OperationId;
  readonly after: WorkspaceState;
  readonly turn: number;
  readonly tool: string | null;
  readonly toolUseId: string | null;
  readonly agentId: string | null;
  readonly description: string;
}

export interface WorkTurn {
  readonly turn: number;
  /** Null where the turn was under way when recording began, or the record is deleted. */
  readonly prompt: Recorded<Checkpoint> | null;
  /** The workspace when the turn began, and after the last that the agent did in it. */
  readonly start: WorkspaceState;
  readonly end: WorkspaceState;
  readonly steps: readonly WorkStep[];
}

/**
 * Every change that a session's agent made, oldest first, whatever became of it. `operations` are the whole log, oldest first. What changed
 * between steps is not the agent's, unless steps were under way; steps that overlap own their changes jointly, also those of two sessions.
 */
export const changesBy = (operations: readonly Recorded[], session: SessionId): WorkStep[] => {
  const spans = operations.filter(isCheckpoint).flatMap((operation) => {
    const { kind, event, sequence } = operation;
    const began = operation.session === session && kind === 'after-step' ? event?.began : undefined;
    return began === undefined || began + 1 === sequence ? [] : [{ after: began, sequence }];
  });
  const isShared = ({ sequence }: Recorded) => spans.some((span) => sequence > span.after && sequence < span.sequence);
  const steps: WorkStep[] = [];
  let previous: Recorded | undefined;
  for (const operation of operations) {
    if (operation.state === null) continue;
    if (previous !== undefined && isCheckpoint(operation) && isAgents(operation) && (operation.session === session || isShared(operation)))
      steps.push(stepOf(operation, previous));
    previous = operation;
  }
  return steps;
};

/** The same of one record: what it changed, whoever did it. */
export const stepOf = (operation: Recorded<Checkpoint>, previous: Recorded): WorkStep => {
  const { id, sequence, description, event, kind } = operation;
  // What is known of the step that is about to begin says nothing of those beside it.
  const place = kind === 'before-step' ? undefined : event?.place;
  return {
    checkpoint: id,
    standsFor: [id],
    sequence,
    before: previous.state as WorkspaceState,
    beforeAt: previous.id,
    after: operation.state as WorkspaceState,
    turn: event?.turn ?? 0,
    tool: place?.tool ?? null,
    toolUseId: place?.toolUseId ?? null,
    agentId: place?.agentId ?? null,
    description,
  };
};

/** Whether what changed up to this record is an agent's doing. */
export const isAgents = ({ kind, event }: Checkpoint): boolean =>
  kind === 'after-step' || kind === 'turn-end' || (kind === 'before-step' && event?.beside === true);

/** Of a session's changes, oldest first, those that are in the present; what was recovered comes where it was recovered. */
export const inForce = (steps: readonly WorkStep[], standing: Standing, read: (id: OperationId) => Recorded | undefined): WorkStep[] => {
  const fate = ({ checkpoint: id, sequence }: WorkStep) => standing.fateOf({ id, sequence });
  const lasting = steps.filter((step) => fate(step).is === 'in-force');
  const recovered = standing.recoveries.flatMap((recovery) => {
    const own = steps.filter((step) => {
      const it = fate(step);
      return it.is === 'recovered' && it.by.id === recovery.id;
    });
    const isAll = own.length === recovery.steps?.length;
    const whole = isAll ? broughtBack(recovery, own, read(recovery.safety)) : undefined;
    return whole === undefined ? own.map((step) => ({ ...step, sequence: recovery.sequence })) : [whole];
  });
  return [...lasting, ...recovered].sort((a, b) => a.sequence - b.sequence);
};

/** What a recovery really changed; it may be less than the steps did, where it met conflicts. */
const broughtBack = (recovery: Recorded<Rollback>, steps: readonly WorkStep[], safety: Recorded | undefined): WorkStep | undefined => {
  const last = steps.at(-1);
  if (last === undefined || safety?.state == null || recovery.state === null) return undefined;
  const { id, sequence, state, description } = recovery;
  return {
    ...last,
    checkpoint: id,
    standsFor: steps.flatMap(({ standsFor }) => standsFor),
    sequence,
    before: safety.state,
    beforeAt: safety.id,
    after: state,
    description: steps.length === 1 ? last.description : description,
  };
};

/** A session's changes by its turns. */
export const byTurn = (steps: readonly WorkStep[], prompts: readonly Recorded<Checkpoint>[]): WorkTurn[] =>
  [...Map.groupBy(steps, ({ turn }) => turn)].flatMap(([turn, own]) => {
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return [];
    const prompt = prompts.find(({ event }) => event?.turn === turn) ?? null;
    return [{ turn, prompt, start: prompt?.state ?? first.before, end: last.after, steps: own }];
  });
