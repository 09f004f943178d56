import { type Checkpoint, isCheckpoint, isRollback, type Recorded, RetakeError, shortId } from '../../model/index.ts';
import { type Actor, type AttributedChange, isStep } from '../../timeline/index.ts';
import { currentSession } from '../conversation/turns.ts';
import type { Workspace } from '../core/workspace.ts';
import { type AddressOptions, resolveOperation } from '../read/resolve.ts';
import { runningActors } from '../record/running-steps.ts';

interface NamedActors {
  readonly title: string;
  readonly isMeant: (actor: Actor) => boolean;
}

/** A record by whoever changed something up to it, where that is no step of an agent. */
interface NamedRecord {
  readonly title: string;
  readonly record: Recorded<Checkpoint>;
}

/**
 * What an address means by those who changed something: a subagent by its id, an agent by its name for all that it did itself in a
 * session, a turn by its prompt, a step by its record.
 */
export const actorNamed = (
  workspace: Workspace,
  attributedChanges: readonly AttributedChange[],
  address: string,
  options: AddressOptions = {},
): NamedActors | NamedRecord => {
  const agent = agentNamed(workspace, attributedChanges, address, options);
  if (agent !== undefined) return agent;
  const { operation } = resolveOperation(workspace, address, options);
  if (!isCheckpoint(operation)) throw notAStep(operation);
  const { id, session, kind, event, description: title } = operation;
  if (kind === 'prompt') return { title, isMeant: (actor) => actor.session === session && actor.turn === event?.turn };
  return isStep(operation) ? { title, isMeant: (actor) => actor.id === id } : { title, record: operation };
};

/** The same where nothing but steps will do. */
export const stepsNamed = (
  workspace: Workspace,
  attributedChanges: readonly AttributedChange[],
  address: string,
  options: AddressOptions,
): NamedActors['isMeant'] => {
  const named = actorNamed(workspace, attributedChanges, address, options);
  if ('isMeant' in named) return named.isMeant;
  throw notAStep(named.record);
};

/** A subagent by its id, or an agent by its name. */
export const agentNamed = (
  workspace: Workspace,
  attributedChanges: readonly AttributedChange[],
  address: string,
  options: AddressOptions,
): NamedActors | undefined => {
  const known = [...attributedChanges.flatMap(({ actors }) => actors), ...runningActors(workspace)];
  const isKnown = (isMeant: (actor: Actor) => boolean): boolean => known.some(isMeant);
  const isSubagent = (actor: Actor): boolean => actor.agentId === address && (options.session ?? actor.session) === actor.session;
  if (isKnown(isSubagent)) return { title: `agent ${address}`, isMeant: isSubagent };
  if (!isKnown(({ agent }) => agent === address)) return undefined;
  const session = options.session ?? currentSession(workspace);
  const isItself = (actor: Actor): boolean => actor.agent === address && actor.agentId === null && actor.session === session;
  return { title: `${address} in session ${session}`, isMeant: isItself };
};

const notAStep = (operation: Recorded): RetakeError =>
  new RetakeError('not-a-checkpoint', `${shortId(operation.id)} is a ${operation.kind}, no step, turn or agent`, {
    hint: isRollback(operation) ? `To take it back: retake undo ${shortId(operation.id)}` : 'retake log lists the steps.',
  });
