import { LOCAL_SESSION, RetakeError, type SessionId } from '../../model/index.ts';
import type { Workspace } from '../workspace.ts';
import { readOutlines } from './outlines.ts';

/** Any session of which something is recorded or said, or the one that belongs to nobody, by its id or the first characters of it. */
export const knownSession = (workspace: Workspace, address: string): SessionId => {
  const recorded = workspace.isProtected ? workspace.index.sessionIds() : [];
  const said = readOutlines(workspace).map(({ session }) => session);
  return sessionNamed([...new Set([LOCAL_SESSION, ...recorded, ...said])], address);
};

/** One of some sessions by its id or the first characters of it. */
export const sessionNamed = (known: readonly SessionId[], address: string): SessionId => {
  if (known.includes(address as SessionId)) return address as SessionId;
  const found = known.filter((id) => id.startsWith(address));
  const [first] = found;
  if (first === undefined)
    throw new RetakeError('unknown-id', `There is no session ${JSON.stringify(address)} here`, { hint: 'retake sessions lists them.' });
  if (found.length > 1)
    throw new RetakeError('ambiguous-id', `${JSON.stringify(address)} fits several sessions: ${found.join(', ')}`, {
      hint: 'Give more of the id.',
    });
  return first;
};

export const notRecorded = (session: SessionId): RetakeError =>
  new RetakeError('no-code', `Nothing of session ${session} is recorded: it is from before Retake`, {
    hint: 'retake sessions lists those that are recorded.',
  });
