import { type MessageId, RetakeError, type RollbackScope } from '../../model/index.ts';
import { aimRewind } from '../aim.ts';
import type { Aim } from '../plan.ts';
import { resolveOperation } from '../resolve.ts';
import type { Workspace } from '../workspace.ts';
import { viewForks } from './forks.ts';

/** A fork by its record, or by the message that it is at: null for the beginning. */
export type ForkPlace = { readonly fork: string } | { readonly at: MessageId | null };

/** Going back to the state at a fork of a session's conversation (FRK-2). */
export const aimAtFork = (workspace: Workspace, session: string, place: ForkPlace, scope: RollbackScope): Aim => {
  const { forks } = viewForks(workspace, session);
  const isMeant = 'fork' in place ? named(workspace, place.fork) : ({ at }: { at: MessageId | null }) => at === place.at;
  const found = forks.find(isMeant);
  if (found === undefined) throw unknown(session, place);
  if (found.checkpoint !== null) return aimRewind(workspace, found.checkpoint, { scope });
  throw new RetakeError('no-code', `There is no record of the code at this fork: ${found.reason}`, {
    hint: 'retake log lists the checkpoints there are.',
  });
};

/** One that got another way since is meant by its earlier records too. */
const named = (workspace: Workspace, address: string) => {
  const { operation } = resolveOperation(workspace, address);
  if (operation.kind !== 'fork-point') {
    throw new RetakeError('unknown-id', `${JSON.stringify(address)} is no fork`, { hint: 'retake forks lists them.' });
  }
  const { at, children } = operation;
  return (fork: { at: MessageId | null; children: readonly MessageId[] }): boolean =>
    fork.at === at && children.every((child) => fork.children.includes(child));
};

const unknown = (session: string, place: ForkPlace): RetakeError => {
  const name = JSON.stringify('fork' in place ? place.fork : place.at);
  return new RetakeError('unknown-id', `The conversation of session ${session} has no fork ${name}`, { hint: 'retake forks lists them.' });
};
