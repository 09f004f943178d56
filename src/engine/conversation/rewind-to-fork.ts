import { type MessageId, RetakeError, type RollbackScope } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { noCode, resolveOperation } from '../read/resolve.ts';
import type { RollbackRequest } from '../rewind/plan.ts';
import { resolveRewind, resolveUnrecordedRewind } from '../rewind/request.ts';
import { type ForkView, viewForks } from './forks.ts';
import { agentSession } from './session-named.ts';

/** A fork by its record, or by the message that it is at: null for the beginning. */
export type ForkPlace = { readonly fork: string } | { readonly at: MessageId | null };

/** Going back to the state at a fork of a session's conversation (FRK-2): at the only one that it has, unless one is named. */
export const resolveForkRewind = (
  workspace: Workspace,
  session: string,
  place: ForkPlace | undefined,
  scope?: RollbackScope,
): RollbackRequest => {
  const { forks } = viewForks(workspace, session);
  const found = place === undefined ? onlyOne(session, forks) : forks.find(meantBy(workspace, place));
  if (found === undefined) throw unknown(session, place);
  if (found.checkpoint !== null) return { ...resolveRewind(workspace, found.checkpoint, { scope }), level: 'fork' };
  const reason = `There is no record of the code at this fork: ${found.reason}`;
  if (scope !== 'conversation') throw noCode(reason);
  const { at } = found;
  const title = at === null ? 'the beginning of the conversation' : 'the fork';
  return resolveUnrecordedRewind(workspace, {
    session: agentSession(workspace, session),
    cut: at === null ? null : { through: at },
    title,
    reason,
    next: null,
  });
};

const onlyOne = (session: string, forks: readonly ForkView[]): ForkView | undefined => {
  if (forks.length < 2) return forks[0];
  throw new RetakeError('ambiguous-id', `The conversation of session ${session} has ${forks.length} forks`, {
    hint: 'Name one of them; retake forks lists them.',
    details: { candidates: forks.map(({ id, at }) => id ?? at) },
  });
};

const meantBy = (workspace: Workspace, place: ForkPlace): ((fork: ForkView) => boolean) =>
  'fork' in place ? named(workspace, place.fork) : ({ at }) => at === place.at;

/** One that got another way since is meant by its earlier records too. */
const named = (workspace: Workspace, address: string) => {
  const { operation } = resolveOperation(workspace, address);
  if (operation.kind !== 'fork-point') {
    throw new RetakeError('unknown-id', `${JSON.stringify(address)} is no fork`, { hint: 'retake forks lists them.' });
  }
  const { at, children } = operation;
  return (fork: ForkView): boolean => fork.at === at && children.every((child) => fork.children.includes(child));
};

const unknown = (session: string, place: ForkPlace | undefined): RetakeError => {
  const name = place === undefined ? '' : ` ${JSON.stringify('fork' in place ? place.fork : place.at)}`;
  return new RetakeError('unknown-id', `The conversation of session ${session} has no fork${name}`, { hint: 'retake forks lists them.' });
};
