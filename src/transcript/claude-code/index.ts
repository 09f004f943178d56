import type { AgentFormat } from '../formats.ts';
import { ClaudeCodeConversation } from './conversation.ts';
import { subagentsOf, transcriptsOf } from './places.ts';

/** Claude Code's session files: one JSON object per line, in `~/.claude/projects`. */
export const claudeCode: AgentFormat = {
  transcriptsOf,
  conversation: () => new ClaudeCodeConversation(),
  subagents: subagentsOf,
  resume: (session) => (session === null ? ['claude'] : ['claude', '--resume', session]),
};
