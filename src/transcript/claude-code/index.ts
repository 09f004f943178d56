import type { AgentFormat } from '../formats.ts';
import { ClaudeCodeConversation } from './conversation.ts';
import { companionFiles, projectOf, subagentsOf, transcriptsOf } from './places.ts';

/** Claude Code's session files: one JSON object per line, in `~/.claude/projects`. */
export const claudeCode: AgentFormat = {
  transcriptsOf,
  conversation: () => new ClaudeCodeConversation(),
  subagents: subagentsOf,
  companions: companionFiles,
  folderOf: projectOf,
  resume: (session) => (session === null ? ['claude'] : ['claude', '--resume', session]),
};
