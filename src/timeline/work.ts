import {
  type Checkpoint,
  type Extent,
  isWithin,
  type OperationId,
  type Recorded,
  type RelativePath,
  type Rollback,
  sameState,
  type WorkspaceState,
} from '../model/index.ts';
import { type Actor, type AttributedChange, extentOf, partOf } from './attributed-changes.ts';
import type { Reachability } from './reachability.ts';

/** A change that is an agent's doing, of the workspace or of a part of it. */
export interface WorkStep extends Extent {
  /** The record that holds what came of it: a checkpoint, or the recovery that brought it back. */
  readonly checkpoint: OperationId;
  /** The records as they were made first: itself, or those that were recovered. */
  readonly standsFor: readonly OperationId[];
  /** The records of the ends of the steps that did it: not its own where another step ended first. */
  readonly doneBy: readonly OperationId[];
  /** Of a recovery: the steps that it brought back. */
  readonly broughtBack?: readonly WorkStep[];
  /** Of that record only these paths are meant: agents changed others too. */
  readonly part?: readonly RelativePath[];
  readonly sequence: number;
  readonly before: WorkspaceState;
  /** The record that holds that. */
  readonly beforeAt: OperationId;
  readonly after: WorkspaceState;
  readonly turn: number;
  readonly tool: string | null;
  readonly toolUseId: string | null;
  readonly agentId: string | null;
  readonly agentType: string | null;
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
 * Every change that certain actors made, oldest first, whatever became of it. What changed between steps is not the agent's; steps that
 * overlap own their changes jointly, also those of two sessions.
 */
export const changesBy = (attributedChanges: readonly AttributedChange[], isMeant: (actor: Actor) => boolean): WorkStep[] =>
  attributedChanges.flatMap((attributed) => {
    const own = attributed.actors.filter(isMeant);
    const extent = extentOf(own);
    const [lead] = own;
    return lead === undefined || extent === undefined ? [] : [{ ...stepBy(attributed, lead, own), ...extent, ...partOf(attributed, own) }];
  });

/** Those that changed something, and the ends of steps whose changes are in the record of a step that ended before them. */
export const effective = (steps: readonly WorkStep[]): WorkStep[] => {
  const isChanging = ({ before, after }: WorkStep): boolean => !sameState(before, after);
  const busy = new Set(steps.filter(isChanging).flatMap(({ doneBy }) => doneBy));
  return steps.filter((step) => isChanging(step) || busy.has(step.checkpoint));
};

type Told = Pick<WorkStep, 'turn' | 'tool' | 'toolUseId' | 'agentId' | 'agentType' | 'description'>;

const stepBy = (
  { at, before }: AttributedChange,
  { turn, tool, toolUseId, agentId, agentType, description }: Told,
  actors: readonly Actor[],
): WorkStep => ({
  checkpoint: at.id,
  standsFor: [at.id],
  doneBy: actors.map(({ id }) => id),
  sequence: at.sequence,
  before: before.state,
  beforeAt: before.id,
  after: at.state,
  turn,
  tool,
  toolUseId,
  agentId,
  agentType,
  description,
});

/** The same of all that one record holds, whoever did it. */
export const stepOf = (attributed: AttributedChange): WorkStep => {
  const { description, event } = attributed.at as Recorded<Checkpoint>;
  const nobody = { turn: event?.turn ?? 0, tool: null, toolUseId: null, agentId: null, agentType: null };
  return stepBy(attributed, { ...(attributed.actors[0] ?? nobody), description }, attributed.actors);
};

/** Of a session's changes, oldest first, those that are in the present; what was recovered comes where it was recovered. */
export const inForce = (
  steps: readonly WorkStep[],
  reachability: Reachability,
  read: (id: OperationId) => Recorded | undefined,
): WorkStep[] => {
  const status = ({ checkpoint: id, sequence }: WorkStep) => reachability.statusOf({ id, sequence });
  const lasting = steps
    .filter((step) => status(step).is === 'in-force')
    .flatMap((step) => withoutLeft(step, reachability.leftOf(step.checkpoint)));
  const recovered = reachability.recoveries.flatMap((recovery) => {
    const own = steps.filter((step) => {
      const it = status(step);
      return it.is === 'recovered' && it.by.id === recovery.id;
    });
    const isAll = own.length === recovery.steps?.length && own.every(({ part }) => part === undefined);
    const whole = isAll ? broughtBack(recovery, own, read(recovery.safety)) : undefined;
    return whole === undefined ? own.map((step) => ({ ...step, sequence: recovery.sequence })) : [whole];
  });
  return [...lasting, ...recovered].sort((a, b) => a.sequence - b.sequence);
};

/** The rest of a step of which paths were taken out. */
const withoutLeft = (step: WorkStep, left: readonly RelativePath[]): WorkStep[] => {
  if (left.length === 0) return [step];
  const only = step.only?.filter((path) => !left.some((one) => isWithin(path, one)));
  return only?.length === 0 ? [] : [{ ...step, ...(only === undefined ? {} : { only }), except: [...(step.except ?? []), ...left] }];
};

/** What a recovery really changed; it may be less than the steps did, where it met conflicts. */
const broughtBack = (recovery: Recorded<Rollback>, steps: readonly WorkStep[], safety: Recorded | undefined): WorkStep | undefined => {
  const last = steps.at(-1);
  if (last === undefined || safety?.state == null || recovery.state === null) return undefined;
  const { id, sequence, state, description } = recovery;
  const { only: _, except: __, ...rest } = last;
  return {
    ...rest,
    checkpoint: id,
    standsFor: steps.flatMap(({ standsFor }) => standsFor),
    doneBy: steps.flatMap(({ doneBy }) => doneBy),
    broughtBack: steps,
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
