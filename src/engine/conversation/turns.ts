import type { Checkpoint, Message, Recorded, SessionId } from '../../model/index.ts';
import { RetakeError } from '../../model/index.ts';
import { turnPrompts } from '../../timeline/index.ts';
import type { Workspace } from '../workspace.ts';
import { readTranscript, sourceOf } from './conversation.ts';

/** A prompt, and the state of the code when it was sent. */
export interface Turn {
  readonly number: number;
  readonly title: string;
  /** Null where Retake did not see it. */
  readonly checkpoint: Recorded<Checkpoint> | null;
}

/** The session that is gone on with: the one an agent worked in last, unless its conversation was taken back since. */
export const currentSession = ({ index }: Workspace): SessionId | undefined => {
  const event = index.newestEvent();
  const change = index.newestConversationChange();
  if (change?.conversation != null && change.sequence > (event?.sequence ?? 0)) return change.conversation.to ?? undefined;
  return event?.session;
};

/** The turns of the branch that a session is on, oldest first (CKP-6). */
export const turnsOf = (workspace: Workspace, session: SessionId): Turn[] => {
  const recorded = workspace.index.prompts(session);
  const conversation = conversationOf(workspace, session);
  if (conversation === undefined) return recorded.map((checkpoint, at) => ({ number: at + 1, title: checkpoint.description, checkpoint }));
  const all = new Map(workspace.index.prompts().map((checkpoint) => [checkpoint.event?.place.promptId, checkpoint]));
  const written = new Set(conversation.messages.map(({ promptId }) => promptId));
  const told = turnPrompts(conversation.current).map(({ promptId, text }) => ({
    title: firstLine(text),
    checkpoint: (promptId === null ? undefined : all.get(promptId)) ?? null,
  }));
  // The agent may write down a prompt later than it told us of it.
  const newest = Math.max(0, ...told.map(({ checkpoint }) => checkpoint?.sequence ?? 0));
  const ahead = recorded
    .filter(({ sequence, event }) => sequence > newest && !written.has(event?.place.promptId ?? null))
    .map((checkpoint) => ({ title: checkpoint.description, checkpoint }));
  return [...told, ...ahead].map((turn, at) => ({ number: at + 1, ...turn }));
};

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

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';
