import { type Message, type MessageId, RetakeError, type SessionId } from '../../model/index.ts';
import { beginsTurn } from '../../timeline/index.ts';
import type { Workspace } from '../workspace.ts';
import { readConversations } from './branches.ts';
import { knownSession } from './session-named.ts';
import { conversationOf } from './turns.ts';

/** All that was said in a turn, from its prompt up to the next one, oldest first; on whatever branch it is. */
export const messagesOfTurn = (workspace: Workspace, address: string, prompt: MessageId): readonly Message[] => {
  const session = knownSession(workspace, address);
  const { branches } = readConversations(workspace);
  const turn = branches.flatMap(({ turns }) => turns).find(({ id }) => id === prompt);
  for (const one of new Set<SessionId>([session, ...(turn?.sessions ?? [])])) {
    const said = saidAfter(conversationOf(workspace, one)?.messages ?? [], prompt);
    if (said.length > 0) return said;
  }
  throw new RetakeError('unknown-id', `There is no prompt ${JSON.stringify(prompt)} in session ${session}`, {
    hint: 'The conversation may be gone; retake log lists what is recorded of it.',
  });
};

const saidAfter = (messages: readonly Message[], prompt: MessageId): Message[] => {
  const inside = new Set<MessageId>();
  return messages.filter((message) => {
    const isPrompt = message.id === prompt || message.copyOf === prompt;
    const isIn = isPrompt || (!beginsTurn(message) && message.parent !== null && inside.has(message.parent));
    if (isIn) inside.add(message.id);
    return isIn;
  });
};
