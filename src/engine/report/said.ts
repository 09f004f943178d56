import type { SessionId } from '../../model/index.ts';
import { conversationOf } from '../conversation/turns.ts';
import type { Workspace } from '../core/workspace.ts';

/** What was said in a session, by the ids of its prompts. */
export interface Said {
  readonly isThere: boolean;
  promptOf(promptId: string | null): string | null;
  lastWordsOf(promptId: string | null): string | null;
}

/** Of long words the beginning. */
const MOST = 2000;

export const readSaid = (workspace: Workspace, session: SessionId): Said => {
  const messages = conversationOf(workspace, session)?.messages;
  const prompts = new Map<string, string>();
  const lastWords = new Map<string, string>();
  for (const { kind, promptId, text, agentId, isAdded } of messages ?? []) {
    if (promptId === null || text.trim() === '') continue;
    if (kind === 'prompt' && !isAdded && !prompts.has(promptId)) prompts.set(promptId, text);
    if (kind === 'reply' && agentId === null) lastWords.set(promptId, text);
  }
  const find = (texts: ReadonlyMap<string, string>, promptId: string | null): string | null => {
    const text = (promptId === null ? undefined : texts.get(promptId))?.trim();
    if (text === undefined) return null;
    return text.length <= MOST ? text : `${text.slice(0, MOST)} … ${text.length - MOST} more characters`;
  };
  return {
    isThere: messages !== undefined,
    promptOf: (promptId) => find(prompts, promptId),
    lastWordsOf: (promptId) => find(lastWords, promptId),
  };
};
