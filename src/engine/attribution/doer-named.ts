import { type Checkpoint, isCheckpoint, isRollback, type Recorded, RetakeError, shortId } from '../../model/index.ts';
import { type Deed, type Doer, isStep } from '../../timeline/index.ts';
import { currentSession } from '../conversation/turns.ts';
import { type AddressOptions, resolveOperation } from '../resolve.ts';
import { runningDoers } from '../running-steps.ts';
import type { Workspace } from '../workspace.ts';

interface NamedDoers {
  readonly title: string;
  readonly isMeant: (doer: Doer) => boolean;
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
export const doerNamed = (
  workspace: Workspace,
  deeds: readonly Deed[],
  address: string,
  options: AddressOptions = {},
): NamedDoers | NamedRecord => {
  const agent = agentNamed(workspace, deeds, address, options);
  if (agent !== undefined) return agent;
  const { operation } = resolveOperation(workspace, address, options);
  if (!isCheckpoint(operation)) throw notAStep(operation);
  const { id, session, kind, event, description: title } = operation;
  if (kind === 'prompt') return { title, isMeant: (doer) => doer.session === session && doer.turn === event?.turn };
  return isStep(operation) ? { title, isMeant: (doer) => doer.id === id } : { title, record: operation };
};

/** The same where nothing but steps will do. */
export const stepsNamed = (
  workspace: Workspace,
  deeds: readonly Deed[],
  address: string,
  options: AddressOptions,
): NamedDoers['isMeant'] => {
  const named = doerNamed(workspace, deeds, address, options);
  if ('isMeant' in named) return named.isMeant;
  throw notAStep(named.record);
};

/** A subagent by its id, or an agent by its name. */
export const agentNamed = (
  workspace: Workspace,
  deeds: readonly Deed[],
  address: string,
  options: AddressOptions,
): NamedDoers | undefined => {
  const known = [...deeds.flatMap(({ doers }) => doers), ...runningDoers(workspace)];
  const isKnown = (isMeant: (doer: Doer) => boolean): boolean => known.some(isMeant);
  const isSubagent = (doer: Doer): boolean => doer.agentId === address && (options.session ?? doer.session) === doer.session;
  if (isKnown(isSubagent)) return { title: `agent ${address}`, isMeant: isSubagent };
  if (!isKnown(({ agent }) => agent === address)) return undefined;
  const session = options.session ?? currentSession(workspace);
  const isItself = (doer: Doer): boolean => doer.agent === address && doer.agentId === null && doer.session === session;
  return { title: `${address} in session ${session}`, isMeant: isItself };
};

const notAStep = (operation: Recorded): RetakeError =>
  new RetakeError('not-a-checkpoint', `${shortId(operation.id)} is a ${operation.kind}, no step, turn or agent`, {
    hint: isRollback(operation) ? `To take it back: retake undo ${shortId(operation.id)}` : 'retake log lists the steps.',
  });
