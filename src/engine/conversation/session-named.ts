import { didYouMean, LOCAL_SESSION, nearest, RetakeError, type SessionId, suggesting } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { readOutlines } from './outlines.ts';

/** Any session of which something is recorded or said, or the one that belongs to nobody, by its id or the first characters of it. */
export const knownSession = (workspace: Workspace, address: string): SessionId => {
  const recorded = workspace.isProtected ? workspace.index.sessionIds() : [];
  if (recorded.includes(address as SessionId)) return address as SessionId;
  const said = readOutlines(workspace).map(({ session }) => session);
  return sessionNamed([...new Set([LOCAL_SESSION, ...recorded, ...said])], address);
};

/** A conversation of an agent, recorded or only said, by its id or the first characters of it. */
export const agentSession = (workspace: Workspace, address: string): SessionId => {
  const recorded = workspace.isProtected ? workspace.index.agentSessionIds() : [];
  // Asked for by its whole id, as programs do, the others need not be looked at.
  if (recorded.includes(address as SessionId)) return address as SessionId;
  const said = readOutlines(workspace).map(({ session }) => session);
  return sessionNamed([...new Set([...recorded, ...said])], address);
};

/** What is said where no conversation of an agent is known. */
export const NO_AGENT_YET = 'No agent has worked here yet, as far as Retake knows: retake setup claude-code';

/** One of some sessions by its id or the first characters of it. */
export const sessionNamed = (known: readonly SessionId[], address: string): SessionId => {
  if (known.includes(address as SessionId)) return address as SessionId;
  // Nothing is the beginning of everything, and means none.
  const found = address === '' ? [] : known.filter((id) => id.startsWith(address));
  const [first] = found;
  if (first === undefined) {
    const near = nearest(address, known);
    throw new RetakeError('unknown-id', `There is no session ${JSON.stringify(address)} here${didYouMean(near)}`, {
      hint: known.length === 0 ? NO_AGENT_YET : 'retake sessions lists them.',
      ...suggesting(near),
    });
  }
  if (found.length > 1)
    throw new RetakeError('ambiguous-id', `${JSON.stringify(address)} fits several sessions: ${found.join(', ')}`, {
      hint: 'Give more of the id; retake sessions lists them.',
      details: { candidates: found },
    });
  return first;
};

export const notRecorded = (session: SessionId): RetakeError =>
  new RetakeError('no-code', `Nothing of session ${session} is recorded: it is from before Retake, or nobody has gone on with it yet`, {
    hint: 'retake sessions lists those that are recorded.',
  });
