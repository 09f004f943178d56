import type { Message, SessionId } from '../../model/index.ts';
import { RetakeError } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { readTranscript, sourceOf } from './conversation.ts';

/** The session that is gone on with: the one an agent worked in last, unless its conversation was taken back since. */
export const currentSession = ({ index }: Workspace): SessionId | undefined => {
  const event = index.newestEvent();
  const change = index.newestConversationChange();
  if (change?.conversation != null && change.sequence > (event?.sequence ?? 0)) return change.conversation.to ?? undefined;
  return event?.session;
};

/** The session that was left when a conversation went back to go on in this one, or in a new one that is not begun yet. */
export const sessionLeftFor = ({ index }: Workspace, session: SessionId | undefined): SessionId | undefined =>
  index.newestConversationChange(session)?.conversation?.from ?? undefined;

/** What was said in a session; undefined where its file is gone. */
export const conversationOf = (
  workspace: Workspace,
  session: SessionId,
): { messages: readonly Message[]; current: readonly Message[] } | undefined => {
  try {
    return readTranscript(sourceOf(workspace, session));
  } catch (error) {
    if (error instanceof RetakeError && (error.code === 'no-conversation' || error.code === 'transcript-missing')) return undefined;
    throw error;
  }
};
