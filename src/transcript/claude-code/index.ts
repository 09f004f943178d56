import type { WrittenPrompt } from '../format.ts';
import type { AgentFormat } from '../formats.ts';
import { ClaudeCodeConversation } from './conversation.ts';
import { parseLine } from './line.ts';
import { companionFiles, isPlaceOf, projectOf, subagentsOf, transcriptsOf } from './places.ts';

/** Words that were told to the agent in between are written as an attachment, without an id. */
const promptIn = (text: string): WrittenPrompt | null => {
  // Most lines are none, and some are long.
  if (!text.includes('"promptId"')) return null;
  const parsed = parseLine({ text, start: 0, length: 0 });
  if (parsed.type !== 'chain') return null;
  const { promptId, says } = parsed.line;
  return promptId !== null && says.type === 'message' && says.kind === 'prompt' && !says.isAdded ? { promptId, text: says.text } : null;
};

/** Claude Code's session files: one JSON object per line, in `~/.claude/projects`. */
export const claudeCode: AgentFormat = {
  transcriptsOf,
  conversation: () => new ClaudeCodeConversation(),
  promptIn,
  subagents: subagentsOf,
  companions: companionFiles,
  folderOf: projectOf,
  isPlaceOf,
  isLineOf: (session, { type, sessionId }) => typeof type === 'string' && sessionId === session,
  resume: (session) => (session === null ? ['claude'] : ['claude', '--resume', session]),
};
