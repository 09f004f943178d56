import { type Message, type MessageId, RetakeError, type SessionId, toText } from '../../model/index.ts';
import { saidInTurn } from '../../timeline/index.ts';
import { findTranscript, Transcript } from '../../transcript/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type Conversations, readConversations } from './branches.ts';
import { knownSession } from './session-named.ts';
import { conversationOf } from './turns.ts';

/** All that was said in a turn, from its prompt up to the next one, oldest first; on whatever branch of the conversation it is. */
export const messagesOfTurn = (workspace: Workspace, address: string, prompt: MessageId): readonly Message[] => {
  const session = knownSession(workspace, address);
  const conversations = readConversations(workspace);
  for (const one of sessionsWith(conversations, session, prompt)) {
    const said = saidInTurn(messagesIn(workspace, conversations, one), prompt);
    if (said.length > 0) return said;
  }
  throw new RetakeError('unknown-id', `There is no prompt ${JSON.stringify(prompt)} in session ${session}`, {
    hint: 'The conversation may be gone; retake log lists what is recorded of it.',
  });
};

/** Those whose files may have a turn: the session itself, and others of its conversation. */
const sessionsWith = ({ tree }: Conversations, session: SessionId, prompt: MessageId): ReadonlySet<SessionId> => {
  const [own, branch] = [tree.current(session), tree.branchOf(prompt)];
  const isSame = own !== undefined && branch !== undefined && tree.commonAncestor(own, branch) !== null;
  return new Set([session, ...(isSame ? branch.sessions : [])]);
};

const messagesIn = (workspace: Workspace, { outlines }: Conversations, session: SessionId): readonly Message[] => {
  const told = workspace.isProtected ? conversationOf(workspace, session) : undefined;
  if (told !== undefined) return told.messages;
  // From before Retake: the agent has told us nothing of it, but keeps it.
  const { agent } = outlines.find((outline) => outline.session === session) ?? {};
  const file = agent === undefined ? undefined : findTranscript(agent, session, toText(workspace.root));
  return file === undefined ? [] : Transcript.open(file).messages;
};
