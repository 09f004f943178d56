import type { AgentFormat } from '../formats.ts';
import { ClaudeCodeConversation } from './conversation.ts';
import { subagentsOf, transcriptsOf } from './places.ts';
import { writeContinuation } from './write.ts';

/** Claude Code's session files: one JSON object per line, in `~/.claude/projects`. */
export const claudeCode: AgentFormat = {
  transcriptsOf,
  conversation: () => new ClaudeCodeConversation(),
  subagents: subagentsOf,
  writeContinuation,
  resume: (session) => (session === null ? ['claude'] : ['claude', '--resume', session]),
};
