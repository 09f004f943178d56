import { type Checkpoint, LOCAL_SESSION, type Recorded, RetakeError, type SessionId, shortId } from '../../model/index.ts';
import { familyOf } from '../attribution/session-family.ts';
import type { Workspace } from '../core/workspace.ts';
import { resolveCheckpoint } from '../read/resolve.ts';
import { readConversations } from './branches.ts';
import { agentSession, knownSession, notRecorded, sessionNamed } from './session-named.ts';

/** A session of which something is recorded, by its id or the first characters of it. */
export const recordedSession = (workspace: Workspace, address: string): SessionId => {
  const known = workspace.isProtected ? [...workspace.index.agentSessionIds(), LOCAL_SESSION] : [];
  if (known.some((id) => id.startsWith(address))) return sessionNamed(known, address);
  throw notRecorded(agentSession(workspace, address));
};

/** A checkpoint of a session, or of one that its conversation came from, went on in, or shares its beginning with. */
export const checkpointIn = (workspace: Workspace, session: SessionId, address: string, branch?: string): Recorded<Checkpoint> => {
  const { operation } = resolveCheckpoint(workspace, address, { session, branch });
  const { id, session: own } = operation;
  const operations = () => workspace.index.list().map(({ operation }) => operation);
  if (own === session || familyOf(operations(), session).has(own) || isOneConversation(workspace, session, own)) return operation;
  throw new RetakeError('unknown-id', `Checkpoint ${shortId(id)} is none of session ${session}`, {
    hint: `It belongs to session ${own}.`,
  });
};

/** Whether the agents' files tell that two sessions are ways of one conversation, although nobody has recorded it yet. */
const isOneConversation = (workspace: Workspace, a: SessionId, b: SessionId): boolean => {
  const { tree } = readConversations(workspace);
  const [first, second] = [tree.current(a), tree.current(b)];
  return first !== undefined && second !== undefined && tree.commonAncestor(first, second) !== null;
};

/** The same for a session as somebody names it; turns are those of a branch, where one is named. */
export const findCheckpoint = (workspace: Workspace, session: string, address: string, branch?: string): Recorded<Checkpoint> =>
  checkpointIn(workspace, knownSession(workspace, session), address, branch);
